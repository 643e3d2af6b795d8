import type { Position, Ring } from '../format/feature.ts';
import { round7 } from '../format/feature.ts';
import type { Lattice } from '../nature/lattice.ts';
import { hash, Random } from '../random.ts';
import { Block } from './block.ts';

/** What is unusual about one parcel of a block: the cases that real rolls have and that joins trip over. */
type Oddity = 'condominium' | 'two parts' | 'hole' | 'sliver' | 'repeated number';

/** Ground of one or more parcel records. */
export interface Lot {
  /** One or more polygons, each a shell and its holes; neighbours share vertices exactly. */
  readonly polygons: readonly (readonly Ring[])[];
  /** A quadrilateral of the lot where a building can stand, counter-clockwise from its street front; null where none can. */
  readonly site: readonly Position[] | null;
  /** Number of the lot in its block, from 1; repeated on purpose in blocks of that oddity. */
  readonly number: number;
  /** Records stacked on this ground: units of a condominium, else 1. */
  readonly units: number;
  /** Street front: cells from the west edge of the block, whether it faces the north street, and whether another lot has it too. */
  readonly front: { readonly cell: number; readonly north: boolean; readonly shared?: true };
}

interface Span {
  a0: number;
  a1: number;
  r0: number;
  r1: number;
}

/** The oddity of a block; null for most. Depends only on the seed and the block. */
function oddityOf(seed: number, column: number, row: number): Oddity | null {
  const n = hash(seed, column, row, 31) % 100;
  if (n < 10) return 'condominium';
  if (n < 16) return 'two parts';
  if (n < 22) return 'hole';
  if (n < 28) return 'sliver';
  return n < 36 ? 'repeated number' : null;
}

/**
 * Joins neighbours until no more than `wanted` lots are left, each rather to its neighbour along the street, but across the block
 * where it is wider than deep.
 * @param shape depth of a cell for one of its width
 */
function join(spans: Span[], wanted: number, shape: number, random: Random): void {
  while (spans.length > wanted) {
    const start = random.integer(0, spans.length - 1);
    let joined = false;
    for (let k = 0; k < spans.length && !joined; k++) {
      const a = spans[(start + k) % spans.length]!;
      const beside = spans.find(o => o.r0 === a.r0 && o.r1 === a.r1 && o.a0 === a.a1);
      const behind = spans.find(o => o.a0 === a.a0 && o.a1 === a.a1 && o.r0 === a.r1);
      const wide = a.a1 - a.a0 > shape * (a.r1 - a.r0);
      const b = (wide ? behind : beside) ?? beside ?? behind;
      if (!b) continue;
      a.a1 = b.a1;
      a.r1 = b.r1;
      spans.splice(spans.indexOf(b), 1);
      joined = true;
    }
    if (!joined) return;
  }
}

/**
 * The lots of one block, which hold exactly `records` parcel records.
 * A function of the seed and the block alone, so blocks can be made one by one in any order.
 */
export function lotsOf(lattice: Lattice, seed: number, column: number, row: number, records: number): Lot[] {
  const random = new Random(seed, column, row, 'lots');
  const block = new Block(lattice, column, row);
  const { cells } = block;
  const at = (a: number, r: number): Position => block.at(a, r);
  const drawn = records >= 4 ? oddityOf(seed, column, row) : null;
  // Apartments are owned one by one in the town alone.
  const oddity = drawn === 'condominium' && lattice.outness(column, row) >= 1 ? null : drawn;
  const units = oddity === 'condominium' ? Math.min(records - 2, 6 + (hash(seed, column, row, 43) % 10)) : 1;
  const extra = oddity === 'hole' || oddity === 'sliver' ? 1 : oddity === 'two parts' ? -1 : units - 1;
  const spans: Span[] = [];
  // No street runs along the coast and the inland county line: lots there reach through their block.
  const only = row === 0 ? 'north' : row === lattice.rows - 1 ? 'south' : null;
  const depth = only ? 2 : 1;
  for (let r = 0; r < 2; r += depth)
    for (let a = 0; a < cells; a++) spans.push({ a0: a, a1: a + 1, r0: r, r1: r + depth });
  const facesNorth = ({ r1 }: Span) => (only ? only === 'north' : r1 === 2);
  join(spans, records - extra, block.shape, random);

  const ring = ({ a0, a1, r0, r1 }: Span): Position[] => {
    const out: Position[] = [];
    for (let a = a0; a < a1; a++) out.push(at(a, r0));
    for (let r = r0; r < r1; r++) out.push(at(a1, r));
    for (let a = a1; a > a0; a--) out.push(at(a, r1));
    for (let r = r1; r > r0; r--) out.push(at(a0, r));
    out.push(at(a0, r0));
    return out;
  };
  const quad = ({ a0, r0 }: Span, margin: number): Position[] =>
    [
      [margin, margin],
      [1 - margin, margin],
      [1 - margin, 1 - margin],
      [margin, 1 - margin],
    ].map(([s, t]) => at(a0 + s!, r0 + t!));
  /** The middle one of the cells of a lot along its front, from that front backwards. */
  const siteOf = (span: Span): Position[] => {
    const a = Math.floor((span.a0 + span.a1 - 1) / 2);
    return facesNorth(span)
      ? [at(a + 1, span.r1), at(a, span.r1), at(a, span.r1 - 1), at(a + 1, span.r1 - 1)]
      : [at(a, span.r0), at(a + 1, span.r0), at(a + 1, span.r0 + 1), at(a, span.r0 + 1)];
  };
  const closed = (corners: Position[]): Ring => [...corners, corners[0]!];
  const lots: Lot[] = spans.map((span, i) => ({
    polygons: [[ring(span)]],
    site: siteOf(span),
    number: i + 1,
    units: 1,
    front: { cell: span.a0, north: facesNorth(span) },
  }));
  const last = lots.length - 1;
  if (oddity === 'condominium') lots[0] = { ...lots[0]!, units };
  if (oddity === 'repeated number') lots[last] = { ...lots[last]!, number: lots[0]!.number };
  if (oddity === 'two parts') {
    // First and last lot touch in blocks of few lots; two touching shells would be one invalid multipolygon.
    const [a, b] = [spans[0]!, spans[last]!];
    const apart = a.a1 < b.a0 || b.a1 < a.a0 || a.r1 < b.r0 || b.r1 < a.r0;
    if (apart) {
      lots[0] = { ...lots[0]!, polygons: [...lots[0]!.polygons, ...lots[last]!.polygons] };
      lots.pop();
    }
  }
  if (oddity === 'hole') {
    const hole = closed(quad(spans[0]!, 0.4));
    lots[0] = { ...lots[0]!, polygons: [[lots[0]!.polygons[0]![0]!, [...hole].reverse()]], site: null };
    lots.push({ ...lots[0]!, polygons: [[hole]], number: lots.length + 1, front: { ...lots[0]!.front, shared: true } });
  }
  if (oddity === 'sliver') {
    // A strip a hundredth of a lot wide along the west edge, as surveys that disagree leave behind. Where another lot
    // stands behind, it ends in their common corner: a new vertex on that lot's edge would round off it.
    const { a0, r0, r1 } = spans[0]!;
    const cut = (r: number): Position => {
      const [west, east] = [at(a0, r), at(a0 + 1, r)];
      return [round7(west[0] + 0.01 * (east[0] - west[0])), round7(west[1] + 0.01 * (east[1] - west[1]))];
    };
    const rows = Array.from({ length: r1 - r0 + 1 }, (_, k) => r0 + k);
    const west = rows.map(r => at(a0, r));
    const east = rows.map(r => (r === 1 && r1 === 1 ? at(a0, r) : cut(r)));
    const strip = closed([west[0]!, ...east, ...west.slice(1, r1 === 1 ? -1 : undefined).reverse()]);
    const rest = lots[0]!.polygons[0]![0]!.slice(1, -rows.length);
    lots[0] = { ...lots[0]!, polygons: [[closed([east[0]!, ...rest, ...east.slice(1).reverse()])]] };
    lots.push({
      ...lots[0]!,
      polygons: [[strip]],
      site: null,
      number: lots.length + 1,
      front: { ...lots[0]!.front, shared: true },
    });
  }
  return lots;
}
