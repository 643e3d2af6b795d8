import { type Feature, type Position, polygonal, type Ring, rectangle, round7 } from './feature.ts';
import type { BlockSpan, Lattice } from './lattice.ts';
import { hash, type Random } from './random.ts';
import { COUNTY_BOX, METRES } from './terrain.ts';

/** FIPS code of a county that does not exist: 23 is Maine, 999 is unassigned. */
export const COUNTY = { state: '23', fips: '23999', name: 'Synthetic', title: 'Synthetic County' } as const;

/** Tracts and block groups across and up; the sea is a tract of its own (9900, block group 0), as in TIGER. */
const TRACTS = { columns: 4, rows: 2 } as const;

/** A census area of the 2020 vintage that is a span of blocks, or the sea. */
export interface CensusArea {
  readonly geoid: string;
  readonly span: BlockSpan | null;
  readonly ring: Ring;
  readonly population: number;
}

/** The census areas of the county: blocks nest in block groups, those in tracts, those in the county, edge for edge. */
export class Census {
  readonly #lattice: Lattice;
  readonly #seed: number;

  constructor(lattice: Lattice, seed: number) {
    this.#lattice = lattice;
    this.#seed = seed;
  }

  /** Tracts: eight on land from the south-west, row by row, and the sea. */
  tracts(): CensusArea[] {
    const { columns, rows } = this.#lattice;
    const width = columns / TRACTS.columns;
    const height = rows / TRACTS.rows;
    const land = Array.from({ length: TRACTS.columns * TRACTS.rows }, (_, i) =>
      this.#area(`${COUNTY.fips}${String(100 * (i + 1)).padStart(6, '0')}`, {
        column: (i % TRACTS.columns) * width,
        row: Math.floor(i / TRACTS.columns) * height,
        columns: width,
        rows: height,
      }),
    );
    return [...land, this.#sea(`${COUNTY.fips}990000`)];
  }

  /** Block groups: four a tract, and group 0 of the sea. */
  blockGroups(): CensusArea[] {
    return this.tracts().flatMap(({ geoid, span }) => {
      if (!span) return [this.#sea(`${geoid}0`)];
      const columns = span.columns / 2;
      const rows = span.rows / 2;
      return [0, 1, 2, 3].map(i =>
        this.#area(`${geoid}${i + 1}`, {
          column: span.column + (i % 2) * columns,
          row: span.row + Math.floor(i / 2) * rows,
          columns,
          rows,
        }),
      );
    });
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
    return { geoid, span: null, ring: this.#lattice.sea(), population: 0 };
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
    if (!area.span) return [round7((COUNTY_BOX.west + COUNTY_BOX.east) / 2), round7(COUNTY_BOX.south + 0.002)];
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
          [name('STATEFP')]: COUNTY.state,
          [name('COUNTYFP')]: COUNTY.fips.slice(2),
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

  /** Spans of blocks of the other areas of the county: town, ZIP areas, county subdivisions. */
  span(west: number, south: number, east: number, north: number): BlockSpan {
    const { columns, rows } = this.#lattice;
    const column = Math.round(west * columns);
    const row = Math.round(south * rows);
    return { column, row, columns: Math.round(east * columns) - column, rows: Math.round(north * rows) - row };
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

/** The state: a rectangle around the county. */
export function stateRing(): Ring {
  const { west, south, east, north } = COUNTY_BOX;
  return rectangle(round7(west - 0.05), round7(south - 0.05), round7(east + 0.05), round7(north + 0.05));
}

/** A made-up name for people, streets and places, from the seed. */
export function surname(random: Random): string {
  const first = ['Ash', 'Birch', 'Cole', 'Dun', 'Elm', 'Fal', 'Gar', 'Hol', 'Ives', 'Jor', 'Kel', 'Lin', 'Mar', 'Nor'];
  const last = ['by', 'croft', 'den', 'field', 'ford', 'gate', 'ham', 'land', 'ley', 'man', 'mere', 'ton', 'well'];
  return random.pick(first) + random.pick(last);
}
