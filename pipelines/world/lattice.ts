import { type Position, type Ring, round7 } from './feature.ts';
import { hash, smoothNoise } from './random.ts';
import { COUNTY_BOX, METRES, type Terrain } from './terrain.ts';

/** A rectangle of blocks: columns and rows, ends exclusive. */
export interface BlockSpan {
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

/** Position of a running density on 0 to 1: lines stand close together where the density is high (the town). */
function quantiles(centre: number, width: number, weight: number): (t: number) => number {
  const steps = 512;
  const sums = new Float64Array(steps + 1);
  for (let i = 1; i <= steps; i++)
    sums[i] = sums[i - 1]! + 1 + weight * Math.exp(-((((i - 0.5) / steps - centre) / width) ** 2));
  const total = sums[steps]!;
  return t => {
    if (t <= 0) return 0;
    if (t >= 1) return 1;
    let low = 0;
    let high = steps;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (sums[middle]! <= t * total) low = middle;
      else high = middle;
    }
    return (low + (t * total - sums[low]!) / (sums[high]! - sums[low]!)) / steps;
  };
}

/**
 * The street grid from which blocks, lots, roads and every census area are cut: a bent grid whose lines stand close in
 * the town, between the coast and the county line. Areas that share an edge share its vertices exactly.
 */
export class Lattice {
  readonly columns: number;
  readonly rows: number;
  /** Lots along each block's street front, a block column. */
  readonly lots: readonly number[];
  readonly #terrain: Terrain;
  readonly #bendX: (x: number, y: number) => number;
  readonly #bendY: (x: number, y: number) => number;
  readonly #across = quantiles(0.45, 0.14, 6);
  readonly #up = quantiles(0.3, 0.16, 6);

  /** @param cells at least this many lots (two rows a block) are cut. */
  constructor(terrain: Terrain, cells: number) {
    this.#terrain = terrain;
    this.#bendX = smoothNoise(terrain.seed * 7919 + 3);
    this.#bendY = smoothNoise(terrain.seed * 7919 + 4);
    const side = Math.max(8, Math.ceil(Math.sqrt(cells / 12)));
    this.columns = Math.ceil(side / 8) * 8;
    this.lots = Array.from({ length: this.columns }, (_, i) => 4 + (hash(terrain.seed, i, 77) % 5));
    const perRow = 2 * this.lots.reduce((a, b) => a + b, 0);
    this.rows = Math.max(4, Math.ceil(cells / perRow / 4) * 4);
  }

  /** Lots of the whole grid before any are joined. */
  get cells(): number {
    return 2 * this.rows * this.lots.reduce((a, b) => a + b, 0);
  }

  /**
   * The place of a grid coordinate.
   * @param x 0 (west county line) to `columns`, fractions inside a block
   * @param y 0 (coast) to `rows` (north county line)
   */
  at(x: number, y: number): Position {
    const s = x / this.columns;
    const t = y / this.rows;
    // The bend fades to nothing at the county line and the coast, and is too gentle to fold the grid.
    const fade = Math.sin(Math.PI * s) * Math.sin(Math.PI * t);
    const u = this.#across(s + 0.03 * fade * this.#bendX(s * 3, t * 3));
    const v = this.#up(t + 0.03 * fade * this.#bendY(s * 3, t * 3));
    const lng = COUNTY_BOX.west + u * (COUNTY_BOX.east - COUNTY_BOX.west);
    const coast = this.#terrain.coast(lng);
    return [round7(lng), round7(coast + v * (COUNTY_BOX.north - coast))];
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

  /** The sea: everything of the county south of the coast. */
  sea(): Ring {
    const { west, south, east } = COUNTY_BOX;
    return [[west, south], [east, south], ...this.eastward(0).reverse(), [west, south]];
  }

  /** The county: sea and land, through every vertex of its edge areas. */
  county(): Ring {
    const { west, south, east } = COUNTY_BOX;
    return [
      [west, south],
      [east, south],
      ...this.northward(this.columns),
      ...this.eastward(this.rows).reverse().slice(1),
      ...this.northward(0).reverse().slice(1),
      [west, south],
    ];
  }

  /** How built up a place is, 0 (woods) to 1 (town centre). */
  urban(lng: number, lat: number): number {
    const [x, y] = this.centre();
    return Math.exp(-((((lng - x) * METRES[0]) / 1900) ** 2) - (((lat - y) * METRES[1]) / 1700) ** 2);
  }

  /** The middle of the town. */
  centre(): Position {
    const { west, east, north } = COUNTY_BOX;
    const lng = west + 0.45 * (east - west);
    const coast = this.#terrain.coast(lng);
    return [lng, coast + 0.3 * (north - coast)];
  }

  /** Width and height of a block in metres, along its middle lines. */
  blockSize(column: number, row: number): Position {
    const span = ([ax, ay]: Position, [bx, by]: Position) => Math.hypot((ax - bx) * METRES[0], (ay - by) * METRES[1]);
    return [
      span(this.at(column, row + 0.5), this.at(column + 1, row + 0.5)),
      span(this.at(column + 0.5, row), this.at(column + 0.5, row + 1)),
    ];
  }
}
