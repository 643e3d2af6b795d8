import { TIGER_SPEEDS } from '../../datasets/codes/road-speeds.ts';
import type { World } from '../../pipelines/world/world.ts';
import { metresBetween } from '../../test/oracle/geodesic.ts';

interface Place {
  readonly lng: number;
  readonly lat: number;
}
type Position = readonly [lng: number, lat: number];

/** The part of a road between two of its vertices. */
interface Piece {
  readonly ends: readonly [Position, Position];
  readonly names: readonly [string, string];
  /** Geodesic. */
  readonly metres: number;
  /** Metres a second. */
  readonly speed: number;
}

const nameOf = ([lng, lat]: Position): string => `${lng.toFixed(7)},${lat.toFixed(7)}`;

function piecesOf(world: World): Piece[] {
  const roads = world.counties.flatMap(county => [...county.roads()]);
  return roads.flatMap(({ mtfcc, line }) =>
    line.slice(1).map((end, i): Piece => {
      const ends = [line[i] as Position, end as Position] as const;
      const metres = metresBetween(ends[0][0], ends[0][1], ends[1][0], ends[1][1]);
      return { ends, names: [nameOf(ends[0]), nameOf(ends[1])], metres, speed: TIGER_SPEEDS[mtfcc]! / 3.6 };
    }),
  );
}

/** The piece of road that is nearest to a place, and the share of it that lies before the place, on a plane: pieces are short. */
function entryOf(pieces: readonly Piece[], { lng, lat }: Place): { readonly piece: Piece; readonly share: number } {
  const narrow = Math.cos((lat * Math.PI) / 180);
  let best = { off: Infinity, piece: pieces[0]!, share: 0 };
  for (const piece of pieces) {
    const [[ax, ay], [bx, by]] = piece.ends;
    const [dx, dy, px, py] = [(bx - ax) * narrow, by - ay, (lng - ax) * narrow, lat - ay];
    const share = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)));
    const off = Math.hypot(px - share * dx, py - share * dy);
    if (off < best.off) best = { off, piece, share };
  }
  return best;
}

/**
 * Seconds and metres of the fastest drive along roads of the generator, by Dijkstra's search over their vertices (1959): roads meet
 * where they share one and are open both ways. It has nothing in common with query/route but the speeds of road classes.
 */
export function driveOf(world: World, from: Place, to: Place): { readonly seconds: number; readonly metres: number } {
  const pieces = piecesOf(world);
  const [start, end] = [entryOf(pieces, from), entryOf(pieces, to)];
  const about = new Map<string, Piece[]>();
  for (const piece of pieces) for (const name of piece.names) about.set(name, [...(about.get(name) ?? []), piece]);
  const costs = ({ metres, speed }: Piece, share: number) => ({
    seconds: (share * metres) / speed,
    metres: share * metres,
  });
  const open = new Map<string, { seconds: number; metres: number }>();
  const reach = (
    name: string,
    before: { seconds: number; metres: number },
    more: { seconds: number; metres: number },
  ) => {
    const seconds = before.seconds + more.seconds;
    if (seconds < (open.get(name)?.seconds ?? Infinity))
      open.set(name, { seconds, metres: before.metres + more.metres });
  };
  const NOTHING = { seconds: 0, metres: 0 };
  reach(start.piece.names[0], NOTHING, costs(start.piece, start.share));
  reach(start.piece.names[1], NOTHING, costs(start.piece, 1 - start.share));
  const GOAL = 'goal';
  if (start.piece === end.piece) reach(GOAL, NOTHING, costs(start.piece, Math.abs(end.share - start.share)));
  const done = new Set<string>();
  for (;;) {
    const [next] = [...open].filter(([name]) => !done.has(name)).sort(([, a], [, b]) => a.seconds - b.seconds);
    if (!next) throw new Error('no road leads there');
    const [name, cost] = next;
    if (name === GOAL) return cost;
    done.add(name);
    if (name === end.piece.names[0]) reach(GOAL, cost, costs(end.piece, end.share));
    if (name === end.piece.names[1]) reach(GOAL, cost, costs(end.piece, 1 - end.share));
    for (const piece of about.get(name) ?? [])
      reach(piece.names[piece.names[0] === name ? 1 : 0], cost, costs(piece, 1));
  }
}
