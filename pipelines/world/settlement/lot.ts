import type { Position, Ring } from '../format/feature.ts';
import { round7 } from '../format/feature.ts';
import type { Lattice } from '../nature/lattice.ts';
import { hash, Random } from '../random.ts';

/** What is unusual about one parcel of a block: the cases that real rolls have and that joins trip over. */
type Oddity = 'condominium' | 'two parts' | 'hole' | 'sliver' | 'repeated number';

/** Ground of one or more parcel records. */
export interface Lot {
  /** One or more polygons, each a shell and its holes; neighbours share vertices exactly. */
  readonly polygons: readonly (readonly Ring[])[];
  /** A quadrilateral inside the lot where a building can stand; null where none can. */
  readonly site: readonly Position[] | null;
  /** Number of the lot in its block, from 1; repeated on purpose in blocks of that oddity. */
  readonly number: number;
  /** Records stacked on this ground: units of a condominium, else 1. */
  readonly units: number;
  /** Street front: cells from the west edge of the block, and whether it faces the north street. */
  readonly front: { readonly cell: number; readonly north: boolean };
}

interface Span {
  a0: number;
  a1: number;
  r0: number;
  r1: number;
}

/** Metres between a street's centre line and the lots beside it. */
const SETBACK = 8;

/** Shares of a block's width and height between its edges and its lots. */
export function setback(lattice: Lattice, column: number, row: number): readonly [x: number, y: number] {
  const [width, height] = lattice.blockSize(column, row);
  return [Math.min(SETBACK / width, 0.08), Math.min(SETBACK / height, 0.08)];
}

/** The oddity of a block; null for most. Depends only on the seed and the block. */
export function oddityOf(seed: number, column: number, row: number): Oddity | null {
  const n = hash(seed, column, row, 31) % 100;
  if (n < 5) return 'condominium';
  if (n < 12) return 'two parts';
  if (n < 19) return 'hole';
  if (n < 26) return 'sliver';
  return n < 34 ? 'repeated number' : null;
}

/** Joins neighbours until no more than `wanted` lots are left. */
function join(spans: Span[], wanted: number, random: Random): void {
  while (spans.length > wanted) {
    const start = random.integer(0, spans.length - 1);
    let joined = false;
    for (let k = 0; k < spans.length && !joined; k++) {
      const a = spans[(start + k) % spans.length]!;
      const b = spans.find(
        o =>
          o !== a &&
          ((o.r0 === a.r0 && o.r1 === a.r1 && o.a0 === a.a1) || (o.a0 === a.a0 && o.a1 === a.a1 && o.r0 === a.r1)),
      );
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
  const random = new Random(seed, column, row, 41);
  const cells = lattice.lots[column]!;
  const [insetX, insetY] = setback(lattice, column, row);
  const at = (a: number, r: number): Position =>
    lattice.at(column + insetX + (1 - 2 * insetX) * (a / cells), row + insetY + (1 - 2 * insetY) * (r / 2));
  const oddity = records >= 4 ? oddityOf(seed, column, row) : null;
  const units = oddity === 'condominium' ? Math.min(records - 2, 6 + (hash(seed, column, row, 43) % 10)) : 1;
  const extra = oddity === 'hole' || oddity === 'sliver' ? 1 : oddity === 'two parts' ? -1 : units - 1;
  const spans: Span[] = [];
  for (let r = 0; r < 2; r++) for (let a = 0; a < cells; a++) spans.push({ a0: a, a1: a + 1, r0: r, r1: r + 1 });
  join(spans, records - extra, random);

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
  const closed = (corners: Position[]): Ring => [...corners, corners[0]!];
  const lots: Lot[] = spans.map((span, i) => ({
    polygons: [[ring(span)]],
    site: quad(span, 0.12),
    number: i + 1,
    units: 1,
    front: { cell: span.a0, north: span.r1 === 2 },
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
    lots.push({ ...lots[0]!, polygons: [[hole]], number: lots.length + 1 });
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
    lots.push({ ...lots[0]!, polygons: [[strip]], site: null, number: lots.length + 1 });
  }
  return lots;
}
