import type { Value } from '../../../datasets/dataset.ts';
import { type Feature, polygonal } from '../format/feature.ts';
import type { Lattice } from '../nature/lattice.ts';
import type { Census } from './census.ts';

type Row = Readonly<Record<string, Value>>;

/** A request to connect to the grid. */
interface QueueRequest {
  readonly id: string;
  readonly status: 'active' | 'withdrawn' | 'operational';
  readonly date: string;
  readonly county: string;
  readonly state: string;
  readonly fips: string;
  readonly types: readonly (string | null)[];
  readonly mw: readonly (number | null)[];
}

/** Permits, jobs, queues and tax credits of the counties. */
export class Economy {
  readonly #lattice: Lattice;
  readonly #censuses: readonly Census[];

  constructor(lattice: Lattice, censuses: readonly Census[]) {
    this.#lattice = lattice;
    this.#censuses = censuses;
  }

  /** Units permitted by size of structure; the second county did not report the year before. */
  permits(year: 2024 | 2025): { county: Census['county']; units: readonly number[] }[] {
    const units =
      year === 2025
        ? [
            [120, 8, 7, 45],
            [33, 0, 0, 12],
          ]
        : [[101, 4, 3, 60]];
    return units.map((list, i) => ({ county: this.#censuses[i]!.county, units: list }));
  }

  /** QCEW rows: totals of both counties, the second's withheld, and one industry beside them. */
  employment(): Row[] {
    const row = (area: string, own: number, industry: string, level: number, disclosure: string | null): Row => ({
      area_fips: area,
      own_code: own,
      industry_code: industry,
      agglvl_code: level,
      size_code: 0,
      year: 2025,
      qtr: 'A',
      disclosure_code: disclosure,
      annual_avg_estabs: 300,
      annual_avg_emplvl: disclosure ? 0 : own === 0 ? 4120 : 3300,
      annual_avg_wkly_wage: disclosure ? 0 : 1014,
      oty_annual_avg_emplvl_pct_chg: disclosure ? 0 : -1.4,
    });
    const [north, south] = this.#censuses.map(census => census.county.fips) as [string, string];
    return [row(north, 0, '10', 70, null), row(north, 5, '10', 71, null), row(south, 0, '10', 70, 'N')];
  }

  /** Requests of the first county; the other has none. */
  queue(): QueueRequest[] {
    const { county } = this.#censuses[0]!;
    const request = (
      n: number,
      status: QueueRequest['status'],
      types: readonly string[],
      mw: readonly number[],
    ): QueueRequest => ({
      id: `SYN-${n}`,
      status,
      date: `202${n % 6}-03-0${1 + (n % 9)}`,
      county: county.name.toLowerCase(),
      state: county.code,
      fips: county.fips,
      types: [types[0] ?? null, types[1] ?? null, types[2] ?? null],
      mw: [mw[0] ?? null, mw[1] ?? null, mw[2] ?? null],
    });
    return [
      request(1, 'active', ['Solar', 'Battery'], [40, 20]),
      request(2, 'active', ['Battery'], [75.5]),
      request(3, 'active', ['Solar'], [4.9]),
      request(4, 'active', ['Wind', 'Solar', 'Battery'], [60, 10, 5]),
      request(5, 'withdrawn', ['Solar'], [200]),
      request(6, 'operational', ['Solar'], [12]),
    ];
  }

  /** Tracts of a closed coal plant and beside it: two of the first county. */
  coalTracts(): Feature[] {
    const [a, b] = [...this.#censuses[0]!.tracts()];
    return [a!, b!].map((tract, i) => ({
      properties: {
        GEOID_Trac: tract.geoid,
        Mine_Closu: 'No',
        Generator_: i ? 'No' : 'Yes',
        Adjacent_t: i ? 'Yes' : 'No',
      },
      geometry: polygonal([[tract.ring]]),
    }));
  }

  /** Counties with their standing by fossil-fuel employment. */
  statisticalAreas(): Feature[] {
    return this.#censuses.map(({ county }, i) => ({
      properties: { geoid_cty_: county.fips, FEE_qual_s: 'Yes', EC_qual_st: i ? 'No' : 'Yes' },
      geometry: polygonal([[this.#lattice.county(county)]]),
    }));
  }
}
