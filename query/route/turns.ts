import type { RoadLines } from './road-lines.ts';
import type { Segments } from './segments.ts';

/** A way along a segment: twice its number, and one more against its direction. */
export type Way = number;

/** A turn at a junction that is forbidden, or all others are. */
export interface Turn {
  readonly junction: number;
  readonly arriving: Way;
  readonly leaving: Way;
  readonly only: boolean;
}

/** Ways by the junction that they end at, or begin at. */
function waysAt(segments: Segments, wanted: ReadonlySet<number>, arriving: boolean): Map<number, Way[]> {
  const found = new Map<number, Way[]>();
  const note = (junction: number, way: Way) => {
    if (!wanted.has(junction)) return;
    const list = found.get(junction);
    if (list) list.push(way);
    else found.set(junction, [way]);
  };
  for (let segment = 0; segment < segments.count; segment++) {
    note(arriving ? segments.end[segment]! : segments.start[segment]!, 2 * segment);
    note(arriving ? segments.start[segment]! : segments.end[segment]!, 2 * segment + 1);
  }
  return found;
}

/**
 * Turn rules of roads as turns of segments.
 * @returns the turns, and how many rules name roads that do not meet at their junction, each by one end.
 */
export function turnsOf(roads: RoadLines, segments: Segments): { readonly turns: Turn[]; readonly leftOut: number } {
  const junctionAt = new Map<string, number>();
  const named = new Set(roads.rules.map(({ lng, lat }) => `${lng},${lat}`));
  const { junctions } = segments;
  for (let junction = 0; 2 * junction < junctions.length; junction++) {
    const key = `${junctions[2 * junction]},${junctions[2 * junction + 1]}`;
    if (named.has(key)) junctionAt.set(key, junction);
  }
  const wanted = new Set(junctionAt.values());
  const [arriving, leaving] = [waysAt(segments, wanted, true), waysAt(segments, wanted, false)];
  const only = (ways: readonly Way[] | undefined, road: number): Way | null => {
    const own = (ways ?? []).filter(way => segments.road[way >> 1] === road);
    return own.length === 1 ? own[0]! : null;
  };
  const turns: Turn[] = [];
  for (const rule of roads.rules) {
    const junction = junctionAt.get(`${rule.lng},${rule.lat}`);
    if (junction === undefined) continue;
    const from = only(arriving.get(junction), rule.from);
    const to = only(leaving.get(junction), rule.to);
    if (from !== null && to !== null) turns.push({ junction, arriving: from, leaving: to, only: rule.only });
  }
  return { turns, leftOut: roads.rules.length - turns.length };
}
