import { type Catalog, FETCH_PRESETS } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { ENRICH_PRESETS } from '../../datasets/enrich/enrich-presets.ts';
import { MOST_ADVISED, namesText, nearestNames } from '../../query/format/nearest-names.ts';
import { outputNames } from '../../query/search/request/surface.ts';

/** What to send instead of a wrong name. */
export interface NameAdvice {
  readonly name: string;
  /** At most three names of the endpoint that was asked, the likest first. */
  readonly nearest: readonly string[];
  /** The endpoints that know the very name. */
  readonly known_by: readonly string[];
}

/** The endpoints that know a name of a field. */
export function knownBy(catalog: Catalog, name: string): string[] {
  return [
    ...(catalog.fields.has(name) ? ['POST /v1/fetch'] : []),
    ...(enrichCatalogOf(catalog).fields.has(name) ? ['POST /v1/enrich'] : []),
    ...(outputNames(catalog).has(name) ? ['POST /v1/search'] : []),
  ];
}

/** The endpoints that know a name of a preset. */
export function presetKnownBy(name: string): string[] {
  return [
    ...((FETCH_PRESETS as readonly string[]).includes(name) ? ['POST /v1/fetch'] : []),
    ...(Object.hasOwn(ENRICH_PRESETS, name) ? ['POST /v1/enrich'] : []),
  ];
}

/**
 * Advice on wrong names of one request, in their order; only the first ten get any.
 * @param unknown each once.
 * @param accepted the names of the endpoint that was asked.
 */
export const adviceOn = (catalog: Catalog, unknown: readonly string[], accepted: Iterable<string>): NameAdvice[] => {
  const names = [...accepted];
  return unknown.slice(0, MOST_ADVISED).map(name => ({
    name,
    nearest: nearestNames(name, names),
    known_by: knownBy(catalog, name),
  }));
};

/** Advice as a text behind the name; empty where there is none. */
export function adviceText({ nearest, known_by }: Omit<NameAdvice, 'name'>): string {
  const parts = [
    ...(known_by.length > 0 ? [`a name of ${known_by.join(' and ')}`] : []),
    ...(nearest.length > 0 ? [`nearest: ${namesText(nearest)}`] : []),
  ];
  return parts.length > 0 ? ` (${parts.join('; ')})` : '';
}
