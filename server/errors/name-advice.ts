import { type Catalog, FETCH_PRESETS } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { ENRICH_PRESETS } from '../../datasets/enrich/enrich-presets.ts';
import {
  MOST_ADVISED,
  MOST_NEAREST,
  namesText,
  nearestNames,
  wordsText,
} from '../../query/format/name/nearest-names.ts';
import { outputNames } from '../../query/search/request/surface.ts';

/** What to send instead of a wrong name. */
export interface NameAdvice {
  readonly name: string;
  /** At most three names of the endpoint that was asked, the likest first. */
  readonly nearest: readonly string[];
  /** The endpoints that know the very name. */
  readonly known_by: readonly string[];
  /** A name of other endpoints alone that is more like it than any of this one. */
  readonly elsewhere?: { readonly name: string; readonly known_by: readonly string[] };
}

/** The endpoints that know a name of a field. */
export function endpointsOf(catalog: Catalog, name: string): string[] {
  return [
    ...(catalog.fields.has(name) ? ['POST /v1/fetch'] : []),
    ...(enrichCatalogOf(catalog).fields.has(name) ? ['POST /v1/enrich'] : []),
    ...(outputNames(catalog).has(name) ? ['POST /v1/search'] : []),
  ];
}

/** The endpoints that know a name of a preset. */
export function presetEndpoints(name: string): string[] {
  return [
    ...((FETCH_PRESETS as readonly string[]).includes(name) ? ['POST /v1/fetch'] : []),
    ...(Object.hasOwn(ENRICH_PRESETS, name) ? ['POST /v1/enrich'] : []),
  ];
}

const termIndexes = new WeakMap<Catalog, ReadonlyMap<string, readonly string[]>>();

/** Names of fields by the everyday words for them, made once for a catalog. */
function termIndex(catalog: Catalog): ReadonlyMap<string, readonly string[]> {
  let index = termIndexes.get(catalog);
  if (!index) {
    const fields = [...enrichCatalogOf(catalog).list, ...catalog.fields.values()];
    const pairs = fields.flatMap(({ name, terms }) => terms.map(term => ({ name, words: wordsText(term) })));
    const grouped = [...Map.groupBy(pairs, ({ words }) => words)];
    index = new Map(grouped.map(([words, list]) => [words, [...new Set(list.map(({ name }) => name))]]));
    termIndexes.set(catalog, index);
  }
  return index;
}

/**
 * The fields that a wrong name may mean, at most three: those that have it among their everyday words (acres, sfha), then
 * those with the most similar names.
 */
export function nearestFields(catalog: Catalog, wrong: string, accepted: ReadonlySet<string>): string[] {
  const meant = (termIndex(catalog).get(wordsText(wrong)) ?? []).filter(name => accepted.has(name));
  return [...new Set([...meant, ...nearestNames(wrong, accepted)])].slice(0, MOST_NEAREST);
}

/** A name that only other endpoints know and that is the likest of all; none where one of this endpoint is. */
function likestElsewhere(catalog: Catalog, wrong: string, own: ReadonlySet<string>): NameAdvice['elsewhere'] {
  const all = [...own, ...catalog.fields.keys(), ...enrichCatalogOf(catalog).fields.keys(), ...outputNames(catalog)];
  const [name] = nearestNames(wrong, new Set(all));
  return name === undefined || own.has(name) ? undefined : { name, known_by: endpointsOf(catalog, name) };
}

/**
 * Advice on wrong names of one request, in their order; only the first ten get any.
 * @param unknown each once.
 * @param accepted the names of the endpoint that was asked.
 */
export const adviceOn = (catalog: Catalog, unknown: readonly string[], accepted: Iterable<string>): NameAdvice[] => {
  const names = new Set(accepted);
  return unknown.slice(0, MOST_ADVISED).map(name => {
    const endpoints = endpointsOf(catalog, name);
    const elsewhere = endpoints.length > 0 ? undefined : likestElsewhere(catalog, name, names);
    return { name, nearest: nearestFields(catalog, name, names), known_by: endpoints, ...(elsewhere && { elsewhere }) };
  });
};

/** Advice as a text behind the name; empty where there is none. */
export function adviceText({ nearest, known_by, elsewhere }: Omit<NameAdvice, 'name'>): string {
  const parts = [
    ...(known_by.length > 0 ? [`a name of ${known_by.join(' and ')}`] : []),
    ...(nearest.length > 0 ? [`nearest: ${namesText(nearest)}`] : []),
    ...(elsewhere ? [`\`${elsewhere.name}\` is a name of ${elsewhere.known_by.join(' and ')}`] : []),
  ];
  return parts.length > 0 ? ` (${parts.join('; ')})` : '';
}
