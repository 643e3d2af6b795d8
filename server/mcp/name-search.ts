import type { Catalog } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { filterNames, outputNames } from '../../query/search/request/surface.ts';
import { rankEnrichment, rankFields } from '../ask/retrieval/retrieval.ts';
import { type SURFACES, type Surfaces, surfacesOf } from '../meta/surface.ts';
import { OPERATORS } from '../search/operand.ts';

/** The facts about a name that an agent needs. */
interface FoundField {
  readonly name: string;
  readonly title: string;
  readonly type: string;
  readonly unit: string | null;
  readonly description: string;
  readonly surfaces: readonly string[];
  readonly filter_operators: readonly string[];
  /** Whether it belongs to the parcel-record group, which costs more in a fetch. */
  readonly parcel_record: boolean;
}

/** What somebody looks for. */
export interface NameQuery {
  /** Everyday words. */
  readonly query: string;
  /** Only names accepted there; undefined for all. */
  readonly surface?: (typeof SURFACES)[number];
  readonly limit: number;
}

/** Names, and the presets that hold any of them. */
export interface FoundNames {
  readonly fields: readonly FoundField[];
  readonly fetch_presets: readonly string[];
  readonly enrich_presets: readonly string[];
  /** Topics among several of which no name tells anything; absent where there are none. */
  readonly no_field_for?: readonly string[];
}

/** Topics of a query that are looked for one by one, at most. */
const MOST_TOPICS = 8;

/** The topics of a query, which semicolons, commas and line breaks part: together the words of one would drown those of another. */
function topicsOf(query: string): string[] {
  const topics = query.split(/[;,\n]+/).filter(topic => /\p{L}/u.test(topic));
  return topics.length > 0 && topics.length <= MOST_TOPICS ? topics : [query];
}

/** Names of several lists in turn, each once: the first of each list, then the second ones. */
function* inTurn(lists: readonly (readonly string[])[]): Generator<string> {
  const told = new Set<string>();
  const longest = Math.max(...lists.map(({ length }) => length));
  for (let i = 0; i < longest; i++)
    for (const { [i]: name } of lists)
      if (name !== undefined && !told.has(name)) {
        told.add(name);
        yield name;
      }
}

/** Finds names by words, best match first. Pure. */
export function findNames(catalog: Catalog, { query, surface, limit }: NameQuery): FoundNames {
  const enrich = enrichCatalogOf(catalog);
  const surfaces: Surfaces = {
    fetch: new Set(catalog.fields.keys()),
    enrich: new Set(enrich.fields.keys()),
    filter: filterNames(catalog),
    output: outputNames(catalog),
  };
  const rank = (words: string) =>
    surface === 'fetch' ? rankFields(catalog, words, catalog.fields.size) : rankEnrichment(catalog, words, 1_000);
  const fields: FoundField[] = [];
  const isAccepted = (name: string) => !surface || surfacesOf(surfaces, name).includes(surface);
  const topics = topicsOf(query);
  const lists = topics.map(words => rank(words).flatMap(({ name }) => (isAccepted(name) ? [name] : [])));
  const unknown = topics.filter((_, i) => lists[i]!.length === 0).map(topic => topic.trim());
  for (const name of inTurn(lists)) {
    const accepted = surfacesOf(surfaces, name);
    const field = catalog.fields.get(name) ?? enrich.fields.get(name)!;
    const { type, unit, description } = field;
    fields.push({
      name,
      title: catalog.fields.get(name)?.title ?? name.replaceAll('_', ' '),
      type,
      unit: unit ?? null,
      description,
      surfaces: accepted,
      filter_operators: accepted.includes('filter') && type !== 'array' && type !== 'object' ? OPERATORS[type] : [],
      parcel_record: catalog.parcelRecord.has(name),
    });
    if (fields.length === limit) break;
  }
  const names = new Set(fields.map(({ name }) => name));
  const presets = (all: Iterable<readonly [string, readonly string[]]>) =>
    [...all].filter(([, members]) => members.some(member => names.has(member))).map(([preset]) => preset);
  return {
    fields,
    fetch_presets: presets(catalog.presets),
    enrich_presets: presets(enrich.presets),
    ...(unknown.length > 0 && fields.length > 0 ? { no_field_for: unknown } : {}),
  };
}
