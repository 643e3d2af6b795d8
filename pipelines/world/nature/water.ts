import type { Value } from '../../../datasets/dataset.ts';
import type { Feature, Position } from '../format/feature.ts';
import { area } from '../format/file.ts';
import { Random } from '../random.ts';
import { COUNTIES } from '../settlement/county.ts';
import type { Table } from '../settlement/statistic.ts';
import type { Lattice } from './lattice.ts';
import type { Terrain } from './terrain.ts';
import { blob } from './wetland.ts';

/** Subwatersheds of the area; the last has no modelled water use. */
const HUC12 = Array.from({ length: 6 }, (_, i) => `0106999901${String(i + 1).padStart(2, '0')}`);
/** Years of the water-use models, of which the last is whole. */
const YEARS = [2019, 2020] as const;

/** Water systems, observation wells and modelled water use. */
export class Water {
  readonly #terrain: Terrain;
  readonly #lattice: Lattice;
  readonly #seed: number;

  constructor(terrain: Terrain, lattice: Lattice, seed: number) {
    this.#terrain = terrain;
    this.#lattice = lattice;
    this.#seed = seed;
  }

  /** EPA: service areas of the two towns, and a small system inside each, which therefore answers there. */
  systems(): Feature[] {
    const random = new Random(this.#seed, 'water systems');
    return COUNTIES.flatMap((county, i) => {
      const [lng, lat] = this.#lattice.centre(county);
      const system = (n: number, PWS_Name: string, people: number, Method: string) => ({
        PWSID: `${county.code}999000${n}`,
        PWS_Name,
        Population_Served_Count: people,
        Service_Connections_Count: Math.round(people / 2.6),
        Method,
      });
      return [
        area(system(1, `${county.town} WATER DISTRICT`, 8_200 + 900 * i, 'State'), blob(random, [lng, lat], 2600)),
        area(system(2, `${county.town} PINES MHP`, 140, 'Decision Tree'), blob(random, [lng + 0.008, lat], 300)),
      ];
    });
  }

  /**
   * USGS field measurements, several a well in the order of their times; the last well was read long ago only.
   * Depths are feet below land surface.
   */
  measurements(): Feature[] {
    const random = new Random(this.#seed, 'well measurements');
    return Array.from({ length: 9 }, (_, i) => {
      const { columns, rows } = this.#lattice;
      const at = this.#lattice.at(columns * random.between(0.1, 0.9), rows * random.between(0.15, 0.9));
      const depth = 4 + 0.25 * this.#terrain.elevation(...at) + random.between(0, 6);
      const years = i === 8 ? [1996] : [2011, 2022, 2025];
      return years.map((year, k) => ({
        properties: {
          id: `${i}-${k}`,
          monitoring_location_id: `USGS-4399${String(9000 + i)}`,
          parameter_code: '72019',
          time: `${year}-05-${String(4 + i).padStart(2, '0')}T15:30:00+00:00`,
          value: (depth + 0.4 * k).toFixed(2),
          unit_of_measure: 'ft',
        },
        geometry: { type: 'Point', coordinates: at } as const,
      }));
    }).flat();
  }

  /** USGS water availability: one row a subwatershed and month, million gallons a day (a share for the index). */
  use(column: 'tecuftot_mgd' | 'pswdtot_mgd' | 'sui_frac'): Table {
    const random = new Random(this.#seed, 'water availability', column.length);
    const rows: Record<string, Value>[] = [];
    for (const [i, huc12_id] of HUC12.slice(0, -1).entries())
      for (const year of YEARS)
        for (let month = 1; month <= 12; month++) {
          const season = 1 + 0.4 * Math.sin(((month - 4) * Math.PI) / 6);
          const size =
            column === 'sui_frac' ? 0.08 + 0.1 * i : column === 'pswdtot_mgd' ? 0.3 + 0.5 * i : i === 1 ? 0.9 : 0;
          const value = size * season * random.between(0.9, 1.1) * (year === 2020 ? 1 : 0.8);
          rows.push({
            huc12_id,
            year_month: `${year}-${String(month).padStart(2, '0')}`,
            [column]: Math.round(value * 1e5) / 1e5,
          });
        }
    return { columns: ['huc12_id', 'year_month', column], rows };
  }

  /** Where a well of the last decade stands, for tests. */
  wells(): { readonly at: Position; readonly feet: number; readonly id: string }[] {
    return this.measurements()
      .filter(({ properties }) => String(properties.time).startsWith('2025'))
      .map(({ properties, geometry }) => ({
        id: String(properties.monitoring_location_id),
        feet: Number(properties.value),
        at: geometry.coordinates as Position,
      }));
  }
}
