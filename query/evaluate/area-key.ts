import type { SourceRef } from '../../datasets/grammar/expression.ts';
import { layerWords, withName } from '../../datasets/layer-words.ts';
import type { Partition } from '../../datasets/release.ts';
import { Fault } from '../release/fault.ts';
import type { Feature } from '../release/features.ts';
import { after, type MaybePromise } from '../release/maybe-promise.ts';
import { doubtOfEdge } from './accuracy.ts';
import type { Context } from './context.ts';
import { type Edges, edgesAt, stepped } from './edge/certainty.ts';
import type { NearKey } from './finding.ts';
import { anyRejected, rejectedAt } from './rejected/rejected.ts';
import { lackingReason } from './unpublished.ts';
import { containing, meeting } from './vector/containing.ts';
import {
  bySize,
  type Hit,
  requireColumns,
  type Search,
  searchOf,
  storedValue,
  type Within,
} from './vector/vector-search.ts';

/** The polygons and the column that a key is read from. */
interface KeySource extends SourceRef {
  /** What one of the areas is called. */
  readonly title: string;
  readonly column: string;
}

const polygonsOf = (title: string, dataset: string, layer: string, column: string): KeySource => ({
  title,
  dataset,
  layer,
  where: null,
  column,
});

/** Area keys that are a column of the polygon at the point. */
export const AREA_KEYS: Readonly<Record<string, KeySource>> = {
  county_fips: polygonsOf('county', 'census_tiger', 'county', 'GEOID'),
  tract_geoid: polygonsOf('census tract', 'census_tiger', 'tract', 'GEOID'),
  block_geoid: polygonsOf('census block', 'census_tiger', 'tabblock20', 'GEOID20'),
  huc12: polygonsOf('subwatershed', 'usgs_wbd', 'WBDHU12', 'huc12'),
  utility_eia_id: polygonsOf('electric utility', 'hifld_archive', 'electric_retail_service_territories', 'ID'),
  egrid_subregion: polygonsOf('eGRID subregion', 'epa_egrid', 'subregion_poly', 'SUBRGN'),
  zcta: polygonsOf('ZIP Code area', 'census_tiger', 'zcta520', 'ZCTA5CE20'),
};

/** Keys made of several: their parts stand in this order, with a blank between them. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = { zcta_utility: ['zcta', 'utility_eia_id'] };

/** The single keys that a key consists of; itself for most. */
export const partsOf = (name: string): readonly string[] => COMPOSED[name] ?? [name];

/** What notes and reasons call the area of a key, or one area by its key, with the name of the key. */
export function keyWords(name: string, key?: string): string {
  const title = partsOf(name)
    .map(part => AREA_KEYS[part]?.title ?? part)
    .join(' and ');
  return withName(key === undefined ? title : `${title} ${key}`, name);
}

/** The polygon layers that a key is read from; empty for a name that is no key. */
export const layersOfKey = (name: string): KeySource[] => partsOf(name).flatMap(part => AREA_KEYS[part] ?? []);

/** The key at the point with the partitions it was read from, or why there is none. */
export type AreaKey =
  | KeyedArea
  | {
      readonly reason: string;
      readonly covering: readonly Partition[];
      readonly near?: readonly NearKey[];
    };

/** An area with its key. */
export interface KeyedArea {
  readonly key: string;
  readonly partitions: readonly Partition[];
  /** Other areas so near that an edge may be theirs, the one that is most likely to hold the point first. */
  readonly near?: readonly NearKey[];
}

/** What a batch knows of the areas about its points already. */
interface AreasAbout {
  readonly within: Within;
  readonly edges: (search: Search) => MaybePromise<Edges>;
}

/** Keys read from polygons: the same object for all points of one. */
const keysOf = new WeakMap<
  Feature,
  { readonly name: string; readonly partition: Partition; readonly area: KeyedArea }
>();

/** The key that a polygon gives; null where its column is empty. @throws Fault when its file has no such column. */
function keyOf(name: string, source: KeySource, hit: Hit): KeyedArea | null {
  const { feature, partition } = hit;
  const cached = keysOf.get(feature);
  if (cached?.name === name && cached.partition === partition) return cached.area;
  const key = storedValue(hit, source, source.column);
  if (key === null || key === '') return null;
  const area = { key: String(key), partitions: [partition] };
  keysOf.set(feature, { name, partition, area });
  return area;
}

/** The keys of other ground so near that an edge may be theirs, each where it is nearest. */
function nearKeys(
  ctx: Context,
  name: string,
  source: KeySource,
  search: Search,
  own: string | null,
  { grounds, accuracy }: Edges,
): NearKey[] {
  const near: NearKey[] = [];
  const seen = new Set<string | null>([own]);
  for (let place = 0; ; place++) {
    const ground = grounds.at(place);
    if (!ground || ground.metres > doubtOfEdge(accuracy)) return near;
    const [hit] = meeting(ctx, source, search, null, ground.found).sort(bySize(ctx, source));
    const key = hit && !hit.partition.unpublished.includes(source.column) ? keyOf(name, source, hit) : null;
    const text = key?.key ?? null;
    if (seen.has(text)) continue;
    seen.add(text);
    const what = text === null ? `ground without ${keyWords(name)}` : keyWords(name, text);
    near.push({ what, key: text, metres: stepped(ground.metres, accuracy), accuracy });
  }
}

/** The key of a search's point, apart from what lies about it. */
function containingKey(ctx: Context, name: string, source: KeySource, search: Search, hits: readonly Hit[]): AreaKey {
  const { covering } = search.at;
  const [hit] = hits.length > 1 ? [...hits].sort(bySize(ctx, source)) : hits;
  if (!hit)
    return { reason: `no ${keyWords(name)}: none of the ${layerWords(source, covering)} contains the point`, covering };
  if (hit.partition.unpublished.includes(source.column))
    return { reason: `no ${keyWords(name)}: ${lackingReason(hit.partition, source.column)}`, covering };
  return (
    keyOf(name, source, hit) ?? {
      reason: `no ${keyWords(name)}: the source leaves it empty (${source.column})`,
      covering,
    }
  );
}

/**
 * The area key at the request's point, found once a request.
 * @param areas where a batch knows the areas about the point already.
 * @throws Fault when the key's polygons are not installed or unreadable, or there is no such key.
 */
export function areaKey(ctx: Context, name: string, areas?: AreasAbout): MaybePromise<AreaKey> {
  return ctx.memo(`key ${name}`, () => {
    const parts = partsOf(name);
    if (parts.length > 1) return composed(ctx, parts);
    const source = AREA_KEYS[name];
    if (!source) throw new Fault(`there is no area key ${name}`);
    return after(searchOf(ctx, source, null), (search): MaybePromise<AreaKey> => {
      const { covering } = search.at;
      if (search.absent) return { reason: `no ${keyWords(name)}: ${search.absent}`, covering };
      requireColumns(search.at, source, [source.column]);
      const keyed = (): MaybePromise<AreaKey> => {
        const holding = areas ? areas.within(search) : containing(ctx, source, search, null);
        return after<readonly Hit[], AreaKey>(holding, hits => {
          const own = containingKey(ctx, name, source, search, hits);
          const about = areas ? areas.edges(search) : edgesAt(ctx, source, search.at, null);
          return after<Edges, AreaKey>(about, edges => {
            const near = nearKeys(ctx, name, source, search, 'key' in own ? own.key : null, edges);
            // Most points are far from every edge: they share what is known of their area.
            return near.length ? { ...own, near } : own;
          });
        });
      };
      const lost = anyRejected(search.at.version) ? rejectedAt(ctx, source, search, null) : null;
      return after(lost, rejected =>
        rejected ? { reason: `no ${keyWords(name)}: ${rejected.reason}`, covering: [rejected.partition] } : keyed(),
      );
    });
  });
}

/** A key made of several; none where one of them has none. */
async function composed(ctx: Context, parts: readonly string[]): Promise<AreaKey> {
  const found: KeyedArea[] = [];
  for (const part of parts) {
    const one = await areaKey(ctx, part);
    if ('reason' in one) return one;
    found.push(one);
  }
  const keyWith = (place: number, key: string) => found.map((one, i) => (i === place ? key : one.key)).join(' ');
  const near = found
    .flatMap(({ near = [] }, place) =>
      near.map(other => ({ ...other, key: other.key === null ? null : keyWith(place, other.key) })),
    )
    .sort((a, b) => a.metres / doubtOfEdge(a.accuracy) - b.metres / doubtOfEdge(b.accuracy));
  const area = { key: found.map(one => one.key).join(' '), partitions: found.flatMap(one => one.partitions) };
  return near.length ? { ...area, near } : area;
}

/** Keys whose numbers name other ground after each census. */
const CENSUS_KEYS = ['tract_geoid', 'block_geoid'];

/** Census whose tracts and blocks a product of some year uses; from 2020 on the new ones. Null when it tells no year. */
function censusOf(partition: Partition): number | null {
  const years = partition.provenance.vintage.match(/\b(?:19|20)\d\d\b/g)?.map(Number);
  return years ? Math.floor(Math.max(...years) / 10) * 10 : null;
}

/**
 * Why a key cannot be looked up in a table: tract and block numbers of one census do not name the same ground in
 * another, and no crosswalk between them is one to one throughout.
 * @returns null where both use the same census, or one of them does not tell its year.
 */
export function otherCensus(name: string, key: Partition, table: Partition): string | null {
  if (!CENSUS_KEYS.includes(name)) return null;
  const [ours, theirs] = [censusOf(key), censusOf(table)];
  if (ours === null || theirs === null || ours === theirs) return null;
  return `the ${keyWords(name)} here is of the ${ours} census, the table (${table.provenance.source}) of that of ${theirs}: its rows are of other ground`;
}
