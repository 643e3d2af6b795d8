import type { Position, Ring } from '../format/feature.ts';
import { EXTENT, metresBetween, vertex } from '../frame.ts';
import { hash, smoothNoise } from '../random.ts';
import type { County } from '../settlement/county.ts';
import { Shore } from './shore.ts';
import { traceStreams } from './stream.ts';
import type { Terrain } from './terrain.ts';
import { Town } from './town.ts';

/** A rectangle of blocks: columns and rows, ends exclusive. */
export interface BlockSpan {
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
}

/**
 * The street grid from which blocks, lots, roads and every census area are cut: a bent grid whose lines stand close in
 * the towns and far apart in the country, between the coast and the inland county lines. Its middle column is the state
 * line. Areas that share an edge share its vertices exactly, across the state line too.
 */
export class Lattice {
  /** Block columns of both counties, from the south-west along the coast. */
  readonly columns: number;
  readonly rows: number;
  /** Tracts of a county across and up; their number grows with the blocks, so that block numbers keep three digits. */
  readonly tracts: { readonly columns: number; readonly rows: number };
  /** Lots along each block's street front, a block column. */
  readonly lots: readonly number[];
  /** Grid line of the highway, which runs through both towns. */
  readonly highway: number;
  /** The streams beside which the towns stand, and the ponds. */
  readonly streams: ReturnType<typeof traceStreams>;
  readonly shore: Shore;
  readonly #towns: readonly [Town, Town];
  readonly #bendX: (x: number, y: number) => number;
  readonly #bendY: (x: number, y: number) => number;

  /** @param cells at least this many lots (two rows a block) are cut in each county. */
  constructor(terrain: Terrain, cells: number) {
    this.#bendX = smoothNoise(terrain.seed * 7919 + 3);
    this.#bendY = smoothNoise(terrain.seed * 7919 + 4);
    // Blocks are about twice as long as they are deep.
    const side = Math.max(8, Math.round(Math.sqrt(cells / 12 / 2.2)));
    const split = (blocks: number, least: number) =>
      least * 2 ** Math.max(0, Math.ceil(Math.log2(blocks / least / 16)));
    const across = split(side, 4);
    const half = Math.ceil(side / across / 2) * across * 2;
    this.columns = 2 * half;
    this.lots = Array.from({ length: this.columns }, (_, i) => 4 + (hash(terrain.seed, i, 77) % 5));
    const front = (from: number) => this.lots.slice(from, from + half).reduce((a, b) => a + b, 0);
    // Rows at the coast and at the inland line have one street each, and so one row of lots.
    const rows = 1 + Math.ceil(cells / 2 / Math.min(front(0), front(half)));
    const up = split(rows, 2);
    this.rows = Math.max(8, Math.ceil(rows / up / 2) * up * 2);
    this.tracts = { columns: across, rows: up };
    this.highway = Math.round(this.rows / 2);
    this.streams = traceStreams(terrain);
    const { reaches, ponds } = this.streams;
    this.shore = new Shore(reaches, ponds);
    const town = (county: 0 | 1) => new Town(terrain, reaches, { half: county }, half, this.rows, this.highway);
    this.#towns = [town(0), town(1)];
  }

  /** Every block of a county. */
  half(county: Pick<County, 'half'>): BlockSpan {
    const columns = this.columns / 2;
    return { column: county.half * columns, row: 0, columns, rows: this.rows };
  }

  /** Lots of a county's grid before any are joined. */
  cells(county: Pick<County, 'half'>): number {
    const { column, columns } = this.half(county);
    return 2 * (this.rows - 1) * this.lots.slice(column, column + columns).reduce((a, b) => a + b, 0);
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
    const u = 2 * (s + 0.015 * fade * this.#bendX(s * 6, t * 3));
    const v = t + 0.03 * fade * this.#bendY(s * 6, t * 3);
    const half = s < 0.5 ? 0 : 1;
    return vertex(...this.#towns[half].at(u - half, v));
  }

  /** How far a block lies from the middle of its town: under 1 in the town, greater in the country. */
  outness(column: number, row: number): number {
    const x = (2 * (column + 0.5)) / this.columns;
    const half = x < 1 ? 0 : 1;
    return this.#towns[half].outness(x - half, (row + 0.5) / this.rows);
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
    let nearest = Number.POSITIVE_INFINITY;
    for (const { centre, reach } of this.#towns) nearest = Math.min(nearest, metresBetween(centre, [lng, lat]) / reach);
    return Math.exp(-(nearest ** 2));
  }

  /** The middle of a county's town. */
  centre({ half }: Pick<County, 'half'>): Position {
    return this.#towns[half].centre;
  }

  /** Width and height of a block in metres, along its middle lines. */
  blockSize(column: number, row: number): Position {
    return [
      metresBetween(this.at(column, row + 0.5), this.at(column + 1, row + 0.5)),
      metresBetween(this.at(column + 0.5, row), this.at(column + 0.5, row + 1)),
    ];
  }
}
