import type { Value } from '../../../datasets/dataset.ts';
import type { Feature, Position } from '../format/feature.ts';
import type { Grid } from '../format/geotiff.ts';
import { AREA_BOX, METRES, vertex } from '../frame.ts';
import { Random } from '../random.ts';
import type { Lattice } from './lattice.ts';
import type { Pond } from './stream.ts';
import type { Terrain } from './terrain.ts';
import { blob } from './wetland.ts';

/** Metres around the mouth of the river within which storms, quakes and faults are made up. */
const REACH = 150_000;

const point = (properties: Readonly<Record<string, Value>>, at: Position): Feature => ({
  properties,
  geometry: { type: 'Point', coordinates: at },
});
const line = (properties: Readonly<Record<string, Value>>, coordinates: readonly Position[]): Feature => ({
  properties,
  geometry: { type: 'LineString', coordinates },
});

/** Storms, earthquakes, landslides and dams of the counties and the region around them. */
export class Hazards {
  readonly #seed: number;
  readonly #terrain: Terrain;
  readonly #lattice: Lattice;
  readonly #ponds: readonly Pond[];

  constructor(terrain: Terrain, lattice: Lattice, ponds: readonly Pond[]) {
    this.#seed = terrain.seed;
    this.#terrain = terrain;
    this.#lattice = lattice;
    this.#ponds = ponds;
  }

  /** Area in which the region's events are complete: a square around the counties. */
  region(): Feature {
    const corners = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
      [-1, -1],
    ].map(([x, y]) => vertex(x! * REACH, y! * REACH));
    return { properties: { synthetic: true }, geometry: { type: 'Polygon', coordinates: [corners] } };
  }

  /** NOAA SPC: tornado paths since 1950. */
  tornadoes(): Feature[] {
    const random = new Random(this.#seed, 'tornadoes');
    return Array.from({ length: 60 }, (_, i) => {
      const [x, y] = [random.between(-REACH, REACH), random.between(0, REACH)];
      const length = random.between(400, 12_000);
      const properties = { om: i + 1, yr: random.integer(1950, 2024), st: 'NH', mag: random.integer(0, 2) };
      return line(properties, [vertex(x, y), vertex(x + length, y + length * random.between(-0.4, 0.4))]);
    });
  }

  /** NOAA SPC: hail reports since 1955, largest stone in inches. */
  hail(): Feature[] {
    const random = new Random(this.#seed, 'hail');
    return Array.from({ length: 300 }, (_, i) =>
      point(
        { om: i + 1, yr: random.integer(1955, 2024), mag: random.integer(3, 11) / 4 },
        vertex(random.between(-REACH, REACH), random.between(0, REACH)),
      ),
    );
  }

  /** IBTrACS: storms up the coast, one row a segment of six hours. */
  *hurricanes(): Generator<Feature> {
    const random = new Random(this.#seed, 'hurricanes');
    for (let storm = 0; storm < 14; storm++) {
      const season = 1869 + storm * 11;
      const off = random.between(-120_000, 60_000);
      let wind = random.integer(60, 110);
      for (let step = 0; step < 6; step++) {
        const at = (k: number) => vertex(-REACH + 50_000 * k, off + 4000 * Math.sin(storm + k));
        const category = wind >= 113 ? 4 : wind >= 96 ? 3 : wind >= 83 ? 2 : wind >= 64 ? 1 : wind >= 34 ? 0 : -1;
        yield line(
          {
            SID: `${season}2${String(storm).padStart(2, '0')}N99999`,
            SEASON: season,
            NAME: `SYNTHETIC ${storm + 1}`,
            USA_WIND: wind,
            USA_SSHS: category,
          },
          [at(step), at(step + 1)],
        );
        wind = Math.max(30, wind - random.integer(2, 9));
      }
    }
  }

  /** ComCat: one row an event, times in UTC. */
  earthquakes(): Readonly<Record<string, Value>>[] {
    const random = new Random(this.#seed, 'earthquakes');
    return Array.from({ length: 120 }, (_, i) => {
      const [longitude, latitude] = vertex(random.between(-REACH, REACH), random.between(-REACH, REACH));
      const day = `${random.integer(1962, 2025)}-${String(random.integer(1, 12)).padStart(2, '0')}-${String(random.integer(1, 28)).padStart(2, '0')}`;
      return {
        time: `${day}T${String(random.integer(0, 23)).padStart(2, '0')}:09:11.342Z`,
        latitude,
        longitude,
        depth: random.integer(2, 15),
        mag: Math.round(random.between(2, 4.9) * 10) / 10,
        magType: 'ml',
        id: `syn${String(i + 1).padStart(8, '0')}`,
        type: i % 9 === 8 ? 'quarry blast' : 'earthquake',
      };
    });
  }

  /** USGS quaternary faults: two, inland. */
  faults(): Feature[] {
    return [40_000, 90_000].map((inland, i) =>
      line(
        { fault_name: `Synthetic fault ${i + 1}`, slip_rate: 'Less than 0.2 mm/yr', age: 'late Quaternary' },
        [-30_000, -10_000, 15_000, 40_000].map((along, k) => vertex(along, inland + 900 * k)),
      ),
    );
  }

  /** USGS landslide inventory: slides with their confidence, 8 certain to 1 possible. */
  landslides(): Feature[] {
    const random = new Random(this.#seed, 'landslides');
    return Array.from({ length: 24 }, (_, i) => {
      const at = this.#lattice.at(
        this.#lattice.columns * random.between(0.05, 0.95),
        this.#lattice.rows * random.between(0.1, 0.95),
      );
      return {
        properties: { Date_: `${random.integer(1980, 2024)}`, Confidence: [8, 5, 3, 2, 1][i % 5]! },
        geometry: { type: 'Polygon', coordinates: [blob(random, at, random.between(12, 50))] },
      };
    });
  }

  /** National Inventory of Dams: one at every third pond. */
  dams(): Readonly<Record<string, Value>>[] {
    return this.#ponds
      .filter((_, i) => i % 3 === 0)
      .map(({ name, centre, radius }, i) => ({
        'NID ID': `SY${String(i + 1).padStart(5, '0')}`,
        'Dam Name': `Synthetic ${name} Dam`,
        Latitude: centre[1] - radius / METRES[1],
        Longitude: centre[0],
        'Dam Height (Ft)': 8 + 3 * i,
        'Hazard Potential Classification': ['High', 'Low', 'Significant'][i % 3]!,
      }));
  }

  /** Grids of shaking (g) and of landslide susceptibility (0 to 81, by how steep the ground falls). */
  grids(): Record<'pga' | 'ss' | 's1' | 'landslide', Grid> {
    const grid = (cell: number, sample: Grid['sample'], value: (at: Position) => number): Grid => {
      const column0 = Math.floor((AREA_BOX.west - 0.05) / cell);
      const row0 = Math.ceil((AREA_BOX.north + 0.05) / cell);
      return {
        epsg: 4326,
        sample,
        nodata: -9999,
        left: column0 * cell,
        top: row0 * cell,
        cellX: cell,
        cellY: cell,
        columns: Math.ceil((AREA_BOX.east + 0.05) / cell) - column0,
        rows: row0 - Math.floor((AREA_BOX.south - 0.05) / cell),
        value: (column, row) => value([(column0 + column + 0.5) * cell, (row0 - row - 0.5) * cell]),
      };
    };
    const shaking = (base: number) =>
      grid(0.05, 'float32', ([lng, lat]) => Math.fround(base * (1 + 0.4 * (lat - 43) - 0.2 * (lng + 70.7))));
    const steep = ([lng, lat]: Position) => {
      const height = this.#terrain.elevation(lng, lat);
      const east = this.#terrain.elevation(lng + 30 / METRES[0], lat) - height;
      const north = this.#terrain.elevation(lng, lat + 30 / METRES[1]) - height;
      return Math.hypot(east, north) / 30;
    };
    return {
      pga: shaking(0.11),
      ss: shaking(0.24),
      s1: shaking(0.08),
      landslide: grid(1 / 1200, 'int16', at => Math.min(81, Math.round(steep(at) * 400))),
    };
  }
}
