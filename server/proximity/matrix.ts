import type { Point } from '../../query/evaluate/answer.ts';
import { JsonBytes, utf8 } from '../../query/format/json-bytes.ts';
import { type Ctx, termsOf } from '../context.ts';
import { WrittenJson } from '../http/written-json.ts';
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

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map(utf8) as [Uint8Array, Uint8Array, Uint8Array];

/**
 * Writes a number of each leg, rows by origin. Three thousand numbers as lists and text, which are collected afterwards, would take
 * four times as long.
 */
function written(rows: readonly (readonly Leg[])[], numberOf: (leg: NonNullable<Leg>) => number): WrittenJson {
  const out = JsonBytes.take();
  out.raw(OPEN);
  for (const [i, row] of rows.entries()) {
    if (i > 0) out.raw(COMMA);
    out.raw(OPEN);
    for (let j = 0; j < row.length; j++) {
      if (j > 0) out.raw(COMMA);
      const leg = row[j]!;
      if (leg) out.number(numberOf(leg));
      else out.null();
    }
    out.raw(CLOSE);
  }
  out.raw(CLOSE);
  const bytes = Uint8Array.from(out.written());
  out.release();
  return new WrittenJson(bytes);
}

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
    minutes: written(rows, ({ seconds }) => minutesOf(seconds)),
    meters: written(rows, ({ metres }) => metresOf(metres)),
    unresolved: [...unresolvedOf(origins, at!), ...unresolvedOf(destinations, there!)],
    distances: 'driving',
    ...table.cited,
  };
}
