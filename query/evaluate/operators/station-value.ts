import type { Condition } from '../../../datasets/grammar/condition.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords, nameOf } from '../../../datasets/layer-words.ts';
import { memo } from '../../../datasets/memo.ts';
import { TIE } from '../../geometry/box-tree-nearest.ts';
import { distanceTo } from '../../geometry/feature-distance.ts';
import { distance } from '../../geometry/geodesic.ts';
import { Fault, Interrupted } from '../../release/fault.ts';
import type { Feature } from '../../release/features.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { confidenceOf } from '../confidence.ts';
import { type Batch, type Context, keyOf, type Operator, type Question } from '../context.ts';
import { absent, type Finding } from '../finding.ts';
import { searchedOperator } from '../form/searched-operator.ts';
import { published, publishedFinding } from '../published.ts';
import { guarded } from '../rejected/guarded.ts';
import { rejectedNear } from '../rejected/rejected.ts';
import {
  byText,
  joinKeyOf,
  type NearestHit,
  nearestFeature,
  type Search,
  searchOf,
  storedValue,
} from '../vector/vector-search.ts';

/** A station within so many meters answers alone, because the weight 1/d² grows without bound there. */
const ALONE_M = 100;
/** Beyond these, one search for a whole batch costs more than one a point: meters, stations. */
const [WIDE_M, MANY] = [50_000, 100];

/** A value read as it is published. */
const PLAIN = { nulls: [], options: {} } as const;

/** Stations that have the column and meet the call's own condition; one object a call, as compiled tests are kept by it. */
const having = memo(({ argument, where }: Expression): Condition => {
  const given: Condition = { kind: 'null', column: argument!, negated: true };
  return where ? { kind: 'and', terms: [where, given] } : given;
});

/** Stations asked for, and how far they may be. @throws Fault for arguments that have no meaning. */
function reachOf({ options: { method, k, max_km } }: Expression): { count: number; metres: number } {
  if (method !== 'idw' && method !== 'nearest') throw new Fault(`method=${method}: expected idw or nearest`);
  if (!Number.isInteger(Number(k)) || Number(k) < 1) throw new Fault(`k=${k}: expected a whole number from 1`);
  return { count: method === 'nearest' ? 1 : Number(k), metres: Number(max_km) * 1000 };
}

/** The nearest stations, nearest first; found once a request for equal conditions and reach. */
function stationsAt(ctx: Context, call: Expression, search: Search): MaybePromise<NearestHit[]> {
  const { count, metres } = reachOf(call);
  const source = call.sources[0]!;
  const where = having(call);
  return ctx.memo(`stations ${nameOf(source)} ${count} ${metres} ${keyOf(where)}`, async () => {
    const hits: NearestHit[] = [];
    while (hits.length < count) {
      const hit = await nearestFeature(ctx, source, search, where, metres, f => !hits.some(h => h.feature === f));
      if (!hit) break;
      hits.push(hit);
    }
    return hits;
  });
}

function answer(call: Expression, { rule, type }: Question, search: Search, stations: readonly NearestHit[]): Finding {
  const source = call.sources[0]!;
  const column = call.argument!;
  const [nearest] = stations;
  const confidence = confidenceOf(rule, nearest ? { station: nearest.metres } : {});
  if (!nearest) {
    const reason = `none of the ${layerWords(source, search.at.covering)} with a value (${column}) lies within ${call.options.max_km} km`;
    return absent(reason, confidence, search.at.covering);
  }
  const used = nearest.metres <= ALONE_M ? [nearest] : stations;
  let [sum, weights] = [0, 0];
  for (const hit of used) {
    const raw = storedValue(hit, source, column);
    const read = published(raw, PLAIN, 'number', column);
    if ('reason' in read) throw new Fault(`${layerWords(source, [hit.partition])}: ${read.reason}`);
    const weight = used.length === 1 ? 1 : hit.metres ** -2;
    sum += weight * Number(read.value);
    weights += weight;
  }
  const partitions = [...new Set(used.map(hit => hit.partition))];
  return publishedFinding(published(sum / weights, call, type, column), confidence, partitions, search.notes, column);
}

/**
 * Every station that may be among the nearest of some point of the batch: those within the distance of the k-th from
 * the middle of the batch and twice the way from there to its corners, for a point is at most that way from the middle.
 * @returns null where the batch is too wide or the stations too many for this to pay.
 */
async function candidates(batch: Batch, ctx: Context, call: Expression, search: Search): Promise<NearestHit[] | null> {
  const { count, metres } = reachOf(call);
  const [west, south, east, north] = batch.box;
  const midpoint = { lng: (west + east) / 2, lat: (south + north) / 2 };
  const corners = [south, north].map(lat => distance(midpoint.lng, midpoint.lat, west, lat));
  const way = Math.max(...corners) * 1.01 + 1;
  if (way > WIDE_M) return null;
  const centre: Context = { ...ctx, point: midpoint };
  const source = call.sources[0]!;
  const hits: NearestHit[] = [];
  let limit = metres + way;
  for (;;) {
    const seen = new Set(hits.map(hit => hit.feature));
    const hit = await nearestFeature(centre, source, search, having(call), limit, f => !seen.has(f));
    if (!hit) return hits;
    hits.push(hit);
    if (hits.length > MANY) return null;
    if (hits.length === count) limit = Math.min(limit, hit.metres + 2 * way);
  }
}

/** A file that cannot be read fails the points whose own search needs it, and no other. */
function aside(error: unknown): null {
  if (error instanceof Interrupted) throw error;
  return null;
}

/** Metres from each point of a batch to stations, measured once for all fields that ask for them. */
class StationMetres {
  readonly #batch: Batch;
  readonly #distances = new Map<Feature, Float64Array>();

  constructor(batch: Batch) {
    this.#batch = batch;
  }

  static of(batch: Batch): Promise<StationMetres> {
    return batch.memo('metres to stations', async () => new StationMetres(batch));
  }

  /** Of all points of the batch. */
  to({ feature }: NearestHit): Float64Array {
    let metres = this.#distances.get(feature);
    if (!metres) {
      metres = Float64Array.from(this.#batch.contexts, ({ point: { lng, lat } }) =>
        distanceTo(feature.geometry, lng, lat),
      );
      this.#distances.set(feature, metres);
    }
    return metres;
  }
}

/** Stations that may be among the nearest of a batch's points, and their distances from these. */
interface Near {
  readonly from: readonly NearestHit[];
  readonly metresTo: readonly Float64Array[];
}

/** The nearest of the candidates, as nearestFeature takes one after another: ties go to the smaller join key. */
function choose(ctx: Context, call: Expression, { from, metresTo }: Near, place: number): NearestHit[] {
  const { count, metres } = reachOf(call);
  const rest: NearestHit[] = [];
  for (let i = 0; i < from.length; i++) {
    const { feature, partition } = from[i]!;
    const away = metresTo[i]![place]!;
    if (away <= metres) rest.push({ feature, partition, metres: away });
  }
  const key = (hit: NearestHit) => joinKeyOf(ctx, call.sources[0]!, hit.feature);
  const out: NearestHit[] = [];
  while (out.length < count && rest.length) {
    let least = Infinity;
    for (const hit of rest) if (hit.metres < least) least = hit.metres;
    const tied = rest.filter(hit => hit.metres - least < TIE);
    const next = tied.length > 1 ? tied.sort((a, b) => byText(key(a), key(b)) || a.metres - b.metres)[0]! : tied[0]!;
    out.push(next);
    rest.splice(rest.indexOf(next), 1);
  }
  return out;
}

/**
 * The value of the stations about the point: `method=idw` weighs the `k` nearest that have the column by 1/d²,
 * `method=nearest` takes the nearest alone. A station within 100 m answers alone; absent when none lies within `max_km`.
 *
 * Decided here:
 * - A station has the column when its value is not null. Published codes for missing are dropped, and codes for a trace
 *   made 0, when the layer is loaded (noaa_normals), so that stations without a value are never counted as near.
 * - Where a station was rejected at ingest that may be among those used, the value is absent, with the reason.
 * - `scale` and `offset` apply to the weighed mean. Fewer than `k` stations within `max_km` are enough.
 * - Equal distances go to the smaller join key, as for nearest_distance.
 * - The confidence follows the nearest station used; an absence, having none, is low.
 *
 * Cost: `k` searches of the packed R-tree, log n each, over an index of the stations that have the column where others
 * are in the way. In bulk one search about the middle of the batch finds every station that can matter, and a point
 * costs a distance to each of these.
 */
export const operator: Operator = guarded(
  searchedOperator<readonly NearestHit[]>({
    name: 'station_value',
    whereOf: having,
    find: (ctx, call, search) => stationsAt(ctx, call, search),
    async findAll(batch, call) {
      const { count, metres } = reachOf(call);
      const near = new Map<Search, Near | null>();
      const find = async (ctx: Context, search: Search): Promise<Near | null> => {
        const of = `${nameOf(call.sources[0]!)} ${count} ${metres} ${keyOf(having(call))} ${search.partitions.number}`;
        const from = await batch.memo(`stations about ${of}`, () => candidates(batch, ctx, call, search).catch(aside));
        const stations = await StationMetres.of(batch);
        const found = from && { from, metresTo: from.map(hit => stations.to(hit)) };
        near.set(search, found);
        return found;
      };
      return (place, search) => {
        const ctx = batch.contexts[place]!;
        const cached = near.get(search);
        return after(cached === undefined ? find(ctx, search) : cached, found =>
          found ? choose(ctx, call, found, place) : stationsAt(ctx, call, search),
        );
      };
    },
    answers: (call, question, search) => (_, stations) => answer(call, question, search, stations),
  }),
  async (ctx, call) => {
    const search = await searchOf(ctx, call.sources[0]!, having(call));
    if (search.absent) return null;
    const { count, metres } = reachOf(call);
    const stations = await stationsAt(ctx, call, search);
    const alone = stations[0] && stations[0].metres <= ALONE_M ? stations[0].metres : null;
    const reach = alone ?? (stations.length < count ? metres : stations.at(-1)!.metres);
    return rejectedNear(ctx, call.sources[0]!, search, having(call), reach);
  },
);
