import type { Feature, Position } from '../format/feature.ts';
import type { Grid } from '../format/geotiff.ts';
import { AREA_BOX } from '../frame.ts';
import type { Lattice } from '../nature/lattice.ts';
import { Random } from '../random.ts';
import type { County } from './county.ts';
import { roads } from './road.ts';

/** A registered mast. */
export interface Mast {
  readonly id: number;
  readonly at: Position;
  readonly metres: number;
  /** C constructed, G granted, D dismantled. */
  readonly status: 'C' | 'G' | 'D';
}

/** What moves people, goods, gas and signals, and a few places that people travel to. */
export class Transport {
  readonly #lattice: Lattice;
  readonly #seed: number;

  constructor(lattice: Lattice, seed: number) {
    this.#lattice = lattice;
    this.#seed = seed;
  }

  #at(x: number, y: number): Position {
    return this.#lattice.at(x * this.#lattice.columns, y * this.#lattice.rows);
  }

  #places(stream: string, count: number): Position[] {
    const random = new Random(this.#seed, stream);
    return Array.from({ length: count }, () => this.#at(random.between(0.05, 0.95), random.between(0.08, 0.95)));
  }

  #points(stream: string, rows: readonly Feature['properties'][]): Feature[] {
    return this.#places(stream, rows.length).map((coordinates, i) => ({
      properties: rows[i]!,
      geometry: { type: 'Point', coordinates },
    }));
  }

  terminals(): Feature[] {
    return this.#points(
      'terminals',
      ['Synthetic Ramp', 'Ledge Yard'].map((TERMINAL, i) => ({ OBJECTID: i + 1, TERMINAL, RR: 'SYNR' })),
    );
  }

  ports(): Feature[] {
    return this.#points('ports', [
      { PORT: 'C9901', PORT_NAME: 'Synthetic Harbor, ME', TOTAL: 1_204_511 },
      { PORT: 'C9902', PORT_NAME: 'Synthetic Ferry, NH', TOTAL: 310_002 },
    ]);
  }

  colleges(): Feature[] {
    return this.#points(
      'colleges',
      ['Synthetic Maritime Academy', 'Ferry Community College'].map((NAME, i) => ({ UNITID: `99990${i}`, NAME })),
    );
  }

  historicPlaces(): Feature[] {
    return this.#points(
      'historic places',
      ['Old Harbor Light', 'Granite Meeting House', 'Ferry Landing'].map(RESNAME => ({ RESNAME })),
    );
  }

  masts(): Mast[] {
    const status = ['C', 'C', 'G', 'C', 'D', 'C'] as const;
    return this.#places('masts', status.length).map(([lng, lat], i) => {
      // The register holds tenths of a second of arc.
      const tenth = (degrees: number) => Math.round(degrees * 36_000) / 36_000;
      return { id: 990_001 + i, at: [tenth(lng), tenth(lat)], metres: 30.5 + 15 * i, status: status[i]! };
    });
  }

  gasPipelines(): Feature[] {
    const lines = [
      [[0, 0.7], [0.5, 0.66], [1, 0.74], 'Interstate', 'Synthetic Gas Transmission', 'Operating'],
      [[0.4, 0.1], [0.42, 0.4], [0.5, 0.66], 'Intrastate', 'Harbor Lateral', 'Operating'],
      [[0.8, 0.1], [0.82, 0.3], [0.85, 0.7], 'Interstate', 'Old Ledge Line', 'Abandoned'],
    ] as const;
    return lines.map(([a, b, c, TYPEPIPE, Operator, Status], i) => ({
      properties: { FID: i + 1, TYPEPIPE, Operator, Status },
      geometry: { type: 'LineString', coordinates: [a, b, c].map(([x, y]) => this.#at(x, y)) },
    }));
  }

  productPipelines(): Feature[] {
    const coordinates = [this.#at(0.05, 0.2), this.#at(0.5, 0.45), this.#at(0.95, 0.3)];
    return [
      {
        properties: { FID: 1, Opername: 'SYNTHETIC PRODUCTS', Pipename: 'HARBOR LINE' },
        geometry: { type: 'LineString', coordinates },
      },
    ];
  }

  /** Counted segments of a county: its highways with traffic, and one street that was never counted. */
  counts(county: County): { route: string; system: number; aadt: number; line: readonly Position[] }[] {
    const list = [...roads(this.#lattice, county)];
    const chosen = [...list.filter(r => r.mtfcc === 'S1100' || r.mtfcc === 'S1200'), list[0]!];
    return chosen.map(road => ({
      route: `${county.state}-${road.linearid}`,
      system: road.mtfcc === 'S1100' ? 1 : road.mtfcc === 'S1200' ? 3 : 7,
      aadt: road.mtfcc === 'S1100' ? 41_200 + 900 * county.half : road.mtfcc === 'S1200' ? 11_350 : 0,
      line: road.line,
    }));
  }

  /** Noise of road, rail and aviation in dBA; under 45 it is not mapped. */
  noise(): Grid {
    const cell = 0.002;
    const column0 = Math.floor((AREA_BOX.west - 0.02) / cell);
    const row0 = Math.ceil((AREA_BOX.north + 0.02) / cell);
    return {
      epsg: 4326,
      sample: 'float32',
      nodata: -9999,
      left: column0 * cell,
      top: row0 * cell,
      cellX: cell,
      cellY: cell,
      columns: Math.ceil((AREA_BOX.east + 0.02) / cell) - column0,
      rows: row0 - Math.floor((AREA_BOX.south - 0.02) / cell),
      value: (column, row) => {
        const level = 35 + 40 * this.#lattice.urban((column0 + column + 0.5) * cell, (row0 - row - 0.5) * cell);
        return level < 45 ? -9999 : Math.fround(level);
      },
    };
  }
}
