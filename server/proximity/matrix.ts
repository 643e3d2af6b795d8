import type { Point } from '../../query/evaluate/answer.ts';
import { type Ctx, termsOf } from '../context.ts';
import { entryOf, type Located, locateAll, requirePoints, requireSome, unresolvedOf } from './locator.ts';
import type { Meter } from './meter.ts';
import type { Leg, Placed, Routing } from './provider/provider.ts';
import type { BodyOf } from './schema.ts';

/** Seconds to minutes, rounded to a thousandth. */
export const minutesOf = (seconds: number): number => Math.round((seconds / 60) * 1000) / 1000;

/** Metres, rounded to a tenth. */
export const metresOf = (metres: number): number => Math.round(metres * 10) / 10;

/** Spreads the results of located places over all places; null for those without a point. */
export function spread<T>(all: readonly Located[], of: readonly T[]): (T | null)[] {
  let next = 0;
  return all.map(({ point }) => (point ? (of[next++] ?? null) : null));
}

/** The points of located places, in their order. */
export const pointsOf = (all: readonly Located[]): Point[] => all.flatMap(({ point }) => (point ? [point] : []));

/** Drive times and distances between all pairs. */
export async function matrix(ctx: Ctx, routing: Routing, meter: Meter, body: BodyOf<'matrix'>) {
  const origins = await locateAll(ctx, 'origins', body.origins);
  const destinations = await locateAll(ctx, 'destinations', body.destinations);
  requirePoints('origins', origins);
  requirePoints('destinations', destinations);
  const [from, to] = [pointsOf(origins), pointsOf(destinations)];
  await meter.take(from.length * to.length);
  const table = await routing.table(from, to, termsOf(ctx));
  const [at, there]: (Placed | null)[][] = [spread(origins, table.origins), spread(destinations, table.destinations)];
  requireSome('origins', origins, at!);
  requireSome('destinations', destinations, there!);
  const usable = (list: readonly Placed[]) => list.filter(place => !('problem' in place)).length;
  meter.correct(routing.charges(from.length * to.length, usable(table.origins) * usable(table.destinations)));
  const rows = spread(origins, table.legs).map(row => spread<Leg>(destinations, row ?? []));
  return {
    origins: origins.map((one, i) => entryOf(one, at![i]!)),
    destinations: destinations.map((one, i) => entryOf(one, there![i]!)),
    minutes: rows.map(row => row.map(leg => leg && minutesOf(leg.seconds))),
    meters: rows.map(row => row.map(leg => leg && metresOf(leg.metres))),
    unresolved: [...unresolvedOf(origins, at!), ...unresolvedOf(destinations, there!)],
    distances: 'driving',
    ...table.cited,
  };
}
