import type { Position, Ring } from '../format/feature.ts';
import { EXTENT, fromFrame, metresBetween, vertex } from '../frame.ts';
import { hash, smoothNoise } from '../random.ts';
import type { County } from '../settlement/county.ts';
import type { Terrain } from './terrain.ts';

/** A rectangle of blocks: columns and rows, ends exclusive. */
export interface BlockSpan {
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

/** Position of a running density on 0 to 1: lines stand close together where the density is high (the towns). */
function quantiles(centres: readonly number[], width: number, weight: number): (t: number) => number {
  const steps = 512;
  const sums = new Float64Array(steps + 1);
  for (let i = 1; i <= steps; i++)
    sums[i] = centres.reduce(
      (sum, centre) => sum + weight * Math.exp(-((((i - 0.5) / steps - centre) / width) ** 2)),
      sums[i - 1]! + 1,
    );
  const total = sums[steps]!;
  return t => {
    if (t <= 0) return 0;
    if (t >= 1) return 1;
    let low = 0;
    let high = steps;
    while (high - low > 1) {
      const mid = (low + high) >> 1;
      if (sums[mid]! <= t * total) low = mid;
      else high = mid;
    }
    return (low + (t * total - sums[low]!) / (sums[high]! - sums[low]!)) / steps;
  };
}

/** Share of the way along the coast at which each county's town stands: symmetric, so that half the columns are each's. */
const TOWNS = [0.23, 0.77] as const;
/** Share of the way from the coast inland of both. */
const UPTOWN = 0.3;

/**
 * The street grid from which blocks, lots, roads and every census area are cut: a bent grid whose lines stand close in
 * the towns, between the coast and the inland county lines. Its middle column is the state line. Areas that share an
 * edge share its vertices exactly, across the state line too.
 */
export class Lattice {
  /** Block columns of both counties, from the south-west along the coast. */
  readonly columns: number;
  readonly rows: number;
  /** Tracts of a county across and up; their number grows with the blocks, so that block numbers keep three digits. */
  readonly tracts: { readonly columns: number; readonly rows: number };
  /** Lots along each block's street front, a block column. */
  readonly lots: readonly number[];
  readonly #terrain: Terrain;
  readonly #centres: readonly Position[];
  readonly #bendX: (x: number, y: number) => number;
  readonly #bendY: (x: number, y: number) => number;
  readonly #across = quantiles(TOWNS, 0.07, 6);
  readonly #up = quantiles([UPTOWN], 0.16, 6);

  /** @param cells at least this many lots (two rows a block) are cut in each county. */
  constructor(terrain: Terrain, cells: number) {
    this.#terrain = terrain;
    this.#bendX = smoothNoise(terrain.seed * 7919 + 3);
    this.#bendY = smoothNoise(terrain.seed * 7919 + 4);
    const side = Math.max(8, Math.ceil(Math.sqrt(cells / 12)));
    const split = (blocks: number, least: number) =>
      least * 2 ** Math.max(0, Math.ceil(Math.log2(blocks / least / 16)));
    const across = split(side, 4);
    const half = Math.ceil(side / across / 2) * across * 2;
    this.columns = 2 * half;
    this.lots = Array.from({ length: this.columns }, (_, i) => 4 + (hash(terrain.seed, i, 77) % 5));
    const front = (from: number) => this.lots.slice(from, from + half).reduce((a, b) => a + b, 0);
    const rows = Math.ceil(cells / 2 / Math.min(front(0), front(half)));
    const up = split(rows, 2);
    this.rows = Math.max(4, Math.ceil(rows / up / 2) * up * 2);
    this.tracts = { columns: across, rows: up };
    this.#centres = TOWNS.map(town => {
      const along = EXTENT.west + this.#across(town) * (EXTENT.east - EXTENT.west);
      const coast = terrain.coast(along);
      return fromFrame([along, coast + this.#up(UPTOWN) * (EXTENT.inland - coast)]);
    });
  }

  /** Every block of a county. */
  half(county: Pick<County, 'half'>): BlockSpan {
    const columns = this.columns / 2;
    return { column: county.half * columns, row: 0, columns, rows: this.rows };
  }

  /** Lots of a county's grid before any are joined. */
  cells(county: Pick<County, 'half'>): number {
    const { column, columns } = this.half(county);
    return 2 * this.rows * this.lots.slice(column, column + columns).reduce((a, b) => a + b, 0);
  }

  /**
   * The place of a grid coordinate.
   * @param x 0 (south-western county line) to `columns`, fractions inside a block
   * @param y 0 (coast) to `rows` (inland county line)
   */
  at(x: number, y: number): Position {
    const s = x / this.columns;
    const t = y / this.rows;
    // The bend fades to nothing at county lines, state line and coast, and is too gentle to fold the grid.
    const fade = Math.sin(2 * Math.PI * s) * Math.sin(Math.PI * t);
    const u = this.#across(s + 0.015 * fade * this.#bendX(s * 6, t * 3));
    const v = this.#up(t + 0.03 * fade * this.#bendY(s * 6, t * 3));
    const along = EXTENT.west + u * (EXTENT.east - EXTENT.west);
    const coast = this.#terrain.coast(along);
    return vertex(along, coast + v * (EXTENT.inland - coast));
  }

  /** Grid lines of x from one block column to another with the lot corners between them. */
  #stops(from: number, to: number): number[] {
    const out = [from];
    for (let i = from; i < to; i++) for (let k = 1; k <= this.lots[i]!; k++) out.push(i + k / this.lots[i]!);
    return out;
  }

  /** The vertices of a street running west to east at grid line `row`, between two columns. */
  eastward(row: number, from = 0, to = this.columns): Position[] {
    return this.#stops(from, to).map(x => this.at(x, row));
  }

  /** The vertices of a street running south to north at grid line `column`, between two rows. */
  northward(column: number, from = 0, to = this.rows): Position[] {
    return Array.from({ length: (to - from) * 2 + 1 }, (_, k) => this.at(column, from + k / 2));
  }

  /** The outline of a span of blocks, counter-clockwise and closed, through every vertex its neighbours have. */
  ring(span: BlockSpan): Ring {
    const east = span.column + span.columns;
    const north = span.row + span.rows;
    return [
      ...this.eastward(span.row, span.column, east),
      ...this.northward(east, span.row, north).slice(1),
      ...this.eastward(north, span.column, east).reverse().slice(1),
      ...this.northward(span.column, span.row, north).reverse().slice(1),
    ];
  }

  /** A county's sea: everything of it beyond the coast. */
  sea(county: Pick<County, 'half'>): Ring {
    const { column, columns } = this.half(county);
    const [west, east] = this.#ends(county);
    return [west, east, ...this.eastward(0, column, column + columns).reverse(), west];
  }

  /** A county, sea and land, through every vertex of its edge areas. */
  county(county: Pick<County, 'half'>): Ring {
    const { column, columns, rows } = this.half(county);
    const [west, east] = this.#ends(county);
    return [
      west,
      east,
      ...this.northward(column + columns),
      ...this.eastward(rows, column, column + columns)
        .reverse()
        .slice(1),
      ...this.northward(column).reverse().slice(1),
      west,
    ];
  }

  #ends({ half }: Pick<County, 'half'>): [Position, Position] {
    const lines = [EXTENT.west, 0, EXTENT.east].map(along => vertex(along, EXTENT.sea));
    return [lines[half]!, lines[half + 1]!];
  }

  /** How built up a place is, 0 (woods) to 1 (town centre). */
  urban(lng: number, lat: number): number {
    let nearest = Infinity;
    for (const centre of this.#centres) nearest = Math.min(nearest, metresBetween(centre, [lng, lat]));
    return Math.exp(-((nearest / 1800) ** 2));
  }

  /** The middle of a county's town. */
  centre({ half }: Pick<County, 'half'>): Position {
    return this.#centres[half]!;
  }

  /** Width and height of a block in metres, along its middle lines. */
  blockSize(column: number, row: number): Position {
    return [
      metresBetween(this.at(column, row + 0.5), this.at(column + 1, row + 0.5)),
      metresBetween(this.at(column + 0.5, row), this.at(column + 0.5, row + 1)),
    ];
  }
}
