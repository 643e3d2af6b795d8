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
 * The enrich fields that a body asks for, each once, in the order of the catalog: those of the preset and of `fields`
 * together, or all when it gives neither.
 * @throws ServiceError fields_unknown, with all unknown names; the eight fields that enrichment excludes count as
 * unknown.
 */
export function selectEnrichFields(catalog: Catalog, { fields, preset }: EnrichSelection): readonly string[] {
  const enrich = enrichCatalogOf(catalog);
  const { names } = enrich;
  if (!fields && !preset) return names;
  const unknown = [...new Set(fields)].filter(name => !enrich.fields.has(name));
  if (unknown.length > 0) throw fieldsUnknown(catalog, unknown, names);
  const wanted = new Set([...(preset ? enrich.presets.get(preset)! : []), ...(fields ?? [])]);
  return names.filter(name => wanted.has(name));
}
