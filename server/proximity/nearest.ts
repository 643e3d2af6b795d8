import type { Point } from '../../query/evaluate/answer.ts';
import { type Ctx, termsOf } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { entryOf, type Located, locateAll, refuseCanada, requirePoints, requireSome, unresolvedOf } from './locator.ts';
import { metresOf, minutesOf } from './matrix.ts';
import type { Meter } from './meter.ts';
import { type Candidate, ofList, ofSet, type SetAround } from './places.ts';
import type { Placed, Routing, RoutingSource } from './provider/provider.ts';
import type { BodyOf } from './schema.ts';

/** The default search distance in kilometres, and the most places of a set that are looked at. */
export const FAR_KM = 1_000;
export const MOST_OF_SET = 500;
/** Places of a set that are asked about first; the number grows by this while a farther place could be sooner. */
const FIRST = 10;
const GROWTH = 4;

/** A place that was found, by drive time or straight distance. */
export interface Reached {
  readonly candidate: Candidate;
  readonly seconds: number | null;
  readonly metres: number | null;
}

/** The result of a search by drive time. */
interface Driven {
  readonly reached: readonly Reached[];
  readonly cited: RoutingSource;
  readonly origin: Placed;
  /** One entry for each candidate that was asked about. The others are too far to count. */
  readonly placed: readonly Placed[];
  /** Whether a place beyond the last candidate could be sooner. */
  readonly open: boolean;
}

/**
 * Finds the soonest of candidates that are sorted by straight distance. It asks about the nearest ones first and stops
 * when no other can be sooner, because nobody drives faster than the fastest road allows.
 * @param limit seconds.
 */
export async function soonest(
  ctx: Ctx,
  routing: Routing,
  meter: Meter,
  from: Point,
  candidates: readonly Candidate[],
  count: number,
  limit: number,
): Promise<Driven> {
  const speed = routing.fastest / 3.6;
  const terms = termsOf(ctx);
  const possible = candidates.filter(({ straight }) => straight / speed <= limit);
  for (let routed = 0, most = Math.max(FIRST, 2 * count); ; most *= GROWTH) {
    const some = possible.slice(0, most);
    await meter.take(some.length - routed);
    routed = some.length;
    const { found, cited, origin, places } = await routing.nearest(
      from,
      some.map(({ point }) => point),
      count,
      limit,
      terms,
    );
    const last = found.length >= count ? found[count - 1]!.seconds : limit;
    const next = possible[some.length];
    if (next && next.straight / speed <= last && !('problem' in origin)) continue;
    const end = candidates.at(-1);
    const open = end !== undefined && end.straight / speed <= last;
    const reached = found.map(({ index, seconds, metres }) => ({ candidate: some[index]!, seconds, metres }));
    return { reached, cited, origin, placed: places, open };
  }
}

const CUT = `Only the ${MOST_OF_SET} places of the set that are nearest in a straight line were looked at; one farther away may be sooner.`;

/** The note of an answer of several sentences; null where there is none. */
const noteOf = (...sentences: readonly (string | null)[]): string | null =>
  sentences.filter(sentence => sentence !== null).join(' ') || null;

/**
 * The sentence about places nearer than the last of the results that may belong to the set.
 * @param last metres in a straight line of the last result, or how far was searched where there are fewer than asked for.
 * @throws ServiceError proximity_data_unavailable where there are only such places.
 */
function doubtOf({ candidates, doubt }: SetAround, last: number): string | null {
  const count = doubt?.metres.filter(metres => metres <= last).length ?? 0;
  if (!doubt || count === 0) return null;
  const reason = `of places nearby (${count}) it is not known whether they belong to the set: ${doubt.reason}`;
  if (candidates.length === 0) throw new ServiceError('proximity_data_unavailable', { reason }, {}, null);
  return `The nearest may be others: ${reason}.`;
}

/** Makes the entry of a reached place. Minutes and metres are both null when no road leads there. */
export const resultOf = ({ candidate, seconds, metres }: Reached) => ({
  ...(candidate.index === undefined ? {} : { index: candidate.index }),
  ...(candidate.id === undefined ? {} : { id: candidate.id }),
  name: candidate.name,
  lat: candidate.point.lat,
  lng: candidate.point.lng,
  minutes: seconds === null ? null : minutesOf(seconds),
  meters: metres === null ? null : metresOf(metres),
  straight_line_m: metresOf(candidate.straight),
  source: candidate.source,
  source_url: candidate.source_url,
  dataset_vintage: candidate.dataset_vintage,
});

/** The nearest places of a set or a list, by drive time or straight distance. */
export async function nearest(ctx: Ctx, routing: Routing, meter: Meter, body: BodyOf<'nearest'>) {
  const { candidates, k = 5, by = 'drive_time', max_minutes, max_km } = body;
  const located = await locateAll(ctx, 'origin', [body.origin]);
  const listed: Located[] | null =
    typeof candidates === 'string' ? null : await locateAll(ctx, 'candidates', candidates);
  refuseCanada('nearest', located, true);
  if (listed) refuseCanada('nearest', listed);
  requirePoints('origin', located);
  if (listed) requirePoints('candidates', listed);
  const from = located[0]!.point!;
  const metres = 1000 * (max_km ?? FAR_KM);
  const straight = by === 'straight_line';
  const around: SetAround = listed
    ? { candidates: ofList(listed, from, max_km === undefined ? Number.POSITIVE_INFINITY : metres), doubt: null }
    : await ofSet(ctx, candidates as string, from, straight ? k : MOST_OF_SET, metres);
  const all = around.candidates;
  const common = { by, set: listed ? null : candidates };
  if (straight) {
    const results = all.slice(0, k).map(candidate => resultOf({ candidate, seconds: null, metres: null }));
    const last = results.length < k ? metres : results.at(-1)!.straight_line_m;
    return {
      origin: entryOf(located[0]!, null),
      ...common,
      results,
      unresolved: listed ? unresolvedOf(listed, []) : [],
      distances: 'straight_line',
      provider: null,
      source: null,
      source_url: null,
      dataset_vintage: null,
      note: noteOf('Geodesic distances on WGS84.', doubtOf(around, last)),
    };
  }
  const limit = max_minutes === undefined ? Number.MAX_SAFE_INTEGER / 1e6 : max_minutes * 60;
  const { reached, cited, origin, placed, open } = await soonest(ctx, routing, meter, from, all, k, limit);
  requireSome('origin', located, [origin]);
  const byIndex = new Map(all.slice(0, placed.length).map(({ index }, i) => [index, placed[i]!]));
  const there = listed?.map(({ index }) => byIndex.get(index) ?? null) ?? [];
  if (listed) requireSome('candidates', listed, there);
  const slowest = reached.length < k ? limit : reached.at(-1)!.seconds!;
  const isCut = !listed && open && all.length === MOST_OF_SET;
  const doubt = doubtOf(around, Math.min(metres, (slowest * routing.fastest) / 3.6));
  return {
    origin: entryOf(located[0]!, origin),
    ...common,
    results: reached.map(resultOf),
    unresolved: listed ? unresolvedOf(listed, there) : [],
    distances: 'driving',
    ...cited,
    note: noteOf(cited.note, isCut ? CUT : null, doubt),
  };
}
