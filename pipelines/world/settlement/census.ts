import { type Feature, type Position, polygonal, type Ring } from '../format/feature.ts';
import { EXTENT, METRES, vertex } from '../frame.ts';
import type { BlockSpan, Lattice } from '../nature/lattice.ts';
import { hash } from '../random.ts';
import { COUNTIES, type County } from './county.ts';

/** A census area of the 2020 vintage that is a span of blocks, or the sea. */
interface CensusArea {
  readonly geoid: string;
  readonly span: BlockSpan | null;
  readonly ring: Ring;
  readonly population: number;
}

/**
 * The census areas of a county: blocks nest in block groups, those in tracts, those in the
 * county, edge for edge. The sea is a tract of its own (9900, block group 0), as in TIGER.
 */
export class Census {
  readonly county: County;
  readonly #lattice: Lattice;
  readonly #seed: number;

  constructor(lattice: Lattice, seed: number, county: County) {
    this.county = county;
    this.#lattice = lattice;
    this.#seed = seed;
  }

  /** Tracts: on land from the south-west, row by row, and the sea, each made when it is asked for. */
  *tracts(): Generator<CensusArea> {
    const { columns, rows } = this.#lattice.tracts;
    const whole = this.#lattice.half(this.county);
    const width = whole.columns / columns;
    const height = whole.rows / rows;
    for (let i = 0; i < columns * rows; i++)
      yield this.#area(`${this.county.fips}${String(100 * (i + 1)).padStart(6, '0')}`, {
        column: whole.column + (i % columns) * width,
        row: Math.floor(i / columns) * height,
        columns: width,
        rows: height,
      });
    yield this.#sea(`${this.county.fips}990000`);
  }

  /** Block groups: four a tract, and group 0 of the sea. */
  *blockGroups(): Generator<CensusArea> {
    for (const { geoid, span } of this.tracts()) {
      if (!span) {
        yield this.#sea(`${geoid}0`);
        continue;
      }
      const columns = span.columns / 2;
      const rows = span.rows / 2;
      for (let i = 0; i < 4; i++)
        yield this.#area(`${geoid}${i + 1}`, {
          column: span.column + (i % 2) * columns,
          row: span.row + Math.floor(i / 2) * rows,
          columns,
          rows,
        });
    }
  }

  /** Blocks, one a cell of the street grid, and the one block of the sea. */
  *blocks(): Generator<CensusArea> {
    for (const { geoid, span } of this.blockGroups()) {
      if (!span) yield this.#sea(`${geoid}001`);
      else
        for (let i = 0; i < span.columns * span.rows; i++) {
          const column = span.column + (i % span.columns);
          const row = span.row + Math.floor(i / span.columns);
          yield this.#area(geoid + String(i).padStart(3, '0'), { column, row, columns: 1, rows: 1 });
        }
    }
  }

  #sea(geoid: string): CensusArea {
    return { geoid, span: null, ring: this.#lattice.sea(this.county), population: 0 };
  }

  #area(geoid: string, span: BlockSpan): CensusArea {
    let population = 0;
    for (let i = 0; i < span.columns; i++)
      for (let j = 0; j < span.rows; j++) population += this.population(span.column + i, span.row + j);
    return { geoid, span, ring: this.#lattice.ring(span), population };
  }

  /** People of a block in 2020. */
  population(column: number, row: number): number {
    return 2 * this.#lattice.lots[column]! + (hash(this.#seed, column, row, 21) % 23);
  }

  /** A point inside a block: its middle by the grid. */
  internalPoint(area: CensusArea): Position {
    if (!area.span) return vertex((this.county.half - 0.5) * EXTENT.east, EXTENT.sea + 200);
    const { column, row, columns, rows } = area.span;
    return this.#lattice.at(column + columns / 2, row + rows / 2);
  }

  /** Rows of a TIGER area layer; `suffix` is 20 for the layers named by decade. */
  *features(areas: Iterable<CensusArea>, suffix: '' | '20', label: (geoid: string) => string): Generator<Feature> {
    for (const area of areas) {
      const [lng, lat] = this.internalPoint(area);
      const name = (base: string) => base + suffix;
      yield {
        properties: {
          [name('STATEFP')]: this.county.state,
          [name('COUNTYFP')]: this.county.fips.slice(2),
          [name('TRACTCE')]: area.geoid.slice(5, 11),
          [name('GEOID')]: area.geoid,
          [suffix ? 'NAME20' : 'NAMELSAD']: label(area.geoid),
          [name('MTFCC')]: area.geoid.length === 11 ? 'G5020' : area.geoid.length === 12 ? 'G5030' : 'G5040',
          [name('ALAND')]: area.span ? Math.round(squareMetres(area.ring)) : 0,
          [name('AWATER')]: area.span ? 0 : Math.round(squareMetres(area.ring)),
          [name('INTPTLAT')]: `+${lat.toFixed(7)}`,
          [name('INTPTLON')]: lng.toFixed(7),
          POP20: area.population,
        },
        geometry: polygonal([[area.ring]]),
      };
    }
  }

  /** The block span of another area of the county (place, ZIP area), by shares of its width and height. */
  span(west: number, south: number, east: number, north: number): BlockSpan {
    const whole = this.#lattice.half(this.county);
    const [column, row] = [Math.round(west * whole.columns), Math.round(south * whole.rows)];
    return {
      column: whole.column + column,
      row,
      columns: Math.round(east * whole.columns) - column,
      rows: Math.round(north * whole.rows) - row,
    };
  }
}

/** Planar area of a small ring in square metres, for published attributes only. */
export function squareMetres(ring: Ring): number {
  let sum = 0;
  const [x0, y0] = ring[0]!;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1]!;
    const [bx, by] = ring[i]!;
    sum += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
  }
  return Math.abs(sum / 2) * METRES[0] * METRES[1];
}

/** Metres that a state reaches beyond its county. */
const BEYOND = 4000;

/** A state: its county and some land around, through the vertices of the state line. */
function stateRing(lattice: Lattice, { half }: Pick<County, 'half'>): Ring {
  const { sea, inland, west, east } = EXTENT;
  const line = [
    vertex(0, sea - BEYOND),
    vertex(0, sea),
    ...lattice.northward(lattice.columns / 2),
    vertex(0, inland + BEYOND),
  ];
  const end = half ? east + BEYOND : west - BEYOND;
  const far = [vertex(end, inland + BEYOND), vertex(end, sea - BEYOND)];
  // Counter-clockwise: the line runs inland, which is the east side of the western state.
  const ring = half ? [...[...line].reverse(), far[1]!, far[0]!] : [...line, ...far];
  return [...ring, ring[0]!];
}

/** Both states. */
export function stateRings(lattice: Lattice): { county: County; ring: Ring }[] {
  return COUNTIES.map(county => ({ county, ring: stateRing(lattice, county) }));
}
