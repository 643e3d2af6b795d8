import type { Catalog } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import type { EnrichPreset } from '../../datasets/enrich/enrich-presets.ts';
import { fieldsUnknown } from '../fetch/selection.ts';

/** A body that chooses enrich fields; null counts as not given. */
interface EnrichSelection {
  readonly fields?: readonly string[] | null;
  readonly preset?: EnrichPreset | null;
}

/**
 * The enrich fields a body asks for, each once, in the order of the catalog: preset and `fields` together, or all when
 * neither is given.
 * @throws ServiceError fields_unknown with all unknown names together, the eight that enrichment excludes among them.
 */
export function selectEnrichFields(catalog: Catalog, { fields, preset }: EnrichSelection): readonly string[] {
  const enrich = enrichCatalogOf(catalog);
  const { names } = enrich;
  if (!fields && !preset) return names;
  const unknown = [...new Set(fields)].filter(name => !enrich.fields.has(name));
  if (unknown.length > 0) throw fieldsUnknown(unknown);
  const wanted = new Set([...(preset ? enrich.presets.get(preset)! : []), ...(fields ?? [])]);
  return names.filter(name => wanted.has(name));
}
