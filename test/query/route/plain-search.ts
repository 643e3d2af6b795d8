import geographiclib from 'geographiclib-geodesic';

/** A road between two crossings with a vertex between them; speeds in kilometres an hour, 0 where it is closed. */
export interface PlainRoad {
  readonly xy: readonly number[];
  readonly forward: number;
  readonly backward: number;
}

/** By place in the list of roads: what may not follow `from` at the crossing they share, or what alone may. */
export interface PlainRule {
  readonly from: number;
  readonly to: number;
  readonly at: readonly [number, number];
  readonly only: boolean;
}

const metres = ([ax, ay, bx, by]: readonly number[]) => geographiclib.Geodesic.WGS84.Inverse(ay!, ax!, by!, bx!).s12!;

export const lengthOf = ({ xy }: PlainRoad) => metres(xy.slice(0, 4)) + metres(xy.slice(2, 6));

/** Point on a road before its bend, and the share of the road's length that lies before it. */
export function pointOn(road: PlainRoad, share: number) {
  const [ax, ay, bx, by] = road.xy as [number, number, number, number];
  const before = (share * metres(road.xy.slice(0, 4))) / lengthOf(road);
  return { lng: ax + share * (bx - ax), lat: ay + share * (by - ay), share: before };
}

const key = (x: number, y: number) => `${Math.round(x * 1e7)},${Math.round(y * 1e7)}`;

/**
 * Seconds by the fastest way, as a textbook says it (Dijkstra 1959): over ways along roads instead of nodes, because of the turn
 * rules; the next way is looked for among all. Slow, and has nothing in common with query/route.
 */
export function plainSeconds(
  roads: readonly PlainRoad[],
  rules: readonly PlainRule[],
  from: { readonly road: number; readonly share: number },
  to: { readonly road: number; readonly share: number },
): number {
  const ways = roads.flatMap((road, i) =>
    [road.forward, road.backward].map((kmh, against) => {
      const ends = [key(road.xy[0]!, road.xy[1]!), key(road.xy[4]!, road.xy[5]!)];
      if (against) ends.reverse();
      return {
        road: i,
        against: against === 1,
        seconds: kmh ? lengthOf(road) / (kmh / 3.6) : Infinity,
        start: ends[0]!,
        end: ends[1]!,
      };
    }),
  );
  const may = (a: (typeof ways)[number], b: (typeof ways)[number]) => {
    if (a.end !== b.start) return false;
    const own = rules.filter(rule => rule.from === a.road && key(...(rule.at as [number, number])) === a.end);
    if (own.some(rule => !rule.only && rule.to === b.road)) return false;
    return own.every(rule => !rule.only) || own.some(rule => rule.only && rule.to === b.road);
  };
  const shareAlong = (way: (typeof ways)[number], share: number) => (way.against ? 1 - share : share);
  let best = Infinity;
  /** Seconds when the end of each way is reached. */
  const at = ways.map(way => (way.road === from.road ? way.seconds * (1 - shareAlong(way, from.share)) : Infinity));
  for (const way of ways)
    if (way.road === from.road && way.road === to.road) {
      const part = shareAlong(way, to.share) - shareAlong(way, from.share);
      if (part >= 0 && way.seconds < Infinity) best = Math.min(best, part * way.seconds);
    }
  const open = new Set(ways.keys());
  for (;;) {
    let next = -1;
    for (const i of open) if (at[i]! < (next < 0 ? Infinity : at[next]!)) next = i;
    if (next < 0) return best;
    open.delete(next);
    for (const [i, way] of ways.entries()) {
      if (way.seconds === Infinity || !may(ways[next]!, way)) continue;
      if (way.road === to.road) best = Math.min(best, at[next]! + way.seconds * shareAlong(way, to.share));
      at[i] = Math.min(at[i]!, at[next]! + way.seconds);
    }
  }
}
