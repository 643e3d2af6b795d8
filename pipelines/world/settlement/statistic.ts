import type { Value } from '../../../datasets/dataset.ts';
import { Random } from '../random.ts';
import type { Census } from './census.ts';

/** A table of the area: column names as published, and its rows. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, Value>>[];
}

const table = (rows: readonly Readonly<Record<string, Value>>[]): Table => ({ columns: Object.keys(rows[0]!), rows });

/** National Risk Index hazards: prefix of their columns, and the counties (by their half) that are rated for them. */
const HAZARDS: readonly (readonly [string, readonly number[]])[] = [
  ['IFLD', [0, 1]],
  ['CFLD', [0, 1]],
  ['HRCN', [0, 1]],
  ['TRND', [0, 1]],
  ['SWND', [0, 1]],
  ['HAIL', [0, 1]],
  ['LTNG', [0, 1]],
  ['WFIR', [0, 1]],
  ['ERQK', [0, 1]],
  ['LNDS', [0, 1]],
  ['DRGT', [0, 1]],
  ['HWAV', [0, 1]],
  ['CWAV', [0, 1]],
  ['WNTW', [0, 1]],
  ['ISTM', [0, 1]],
  ['AVLN', [1]],
  ['TSUN', [0, 1]],
  ['VLCN', [0]],
];
const RATINGS = ['Very Low', 'Relatively Low', 'Relatively Moderate', 'Relatively High', 'Very High'] as const;

/** Margins of error as shares of an estimate: tracts have small ones, fair ones and ones too large to go by. */
const MARGIN_SHARES = [0.12, 0.3, 0.5, 0.75];
/** Margin of an estimate that is not published (Census Bureau, notes on annotation values). */
const NO_MARGIN = -222_222_222;
const marginOf = (estimate: number, i: number): number =>
  estimate < 0 ? NO_MARGIN : Math.round(estimate * MARGIN_SHARES[i % MARGIN_SHARES.length]!);

/** Statistics of the counties and their tracts, each under its publisher's column names. */
export class Statistics {
  readonly #censuses: readonly Census[];
  readonly #seed: number;

  constructor(censuses: readonly Census[], seed: number) {
    this.#censuses = censuses;
    this.#seed = seed;
  }

  /** One row a county. */
  #counties(row: (census: Census, index: number) => Readonly<Record<string, Value>>): Table {
    return table(this.#censuses.map(row));
  }

  /** Every tract of both counties. */
  #tracts() {
    return this.#censuses.flatMap(census => [...census.tracts()].map(tract => ({ county: census.county, ...tract })));
  }

  /** Census PEP: one row a county. */
  population(): Table {
    return this.#counties((census, i) => {
      const { county } = census;
      let people = 0;
      for (const tract of census.tracts()) people += tract.population;
      return {
        SUMLEV: '050',
        REGION: '1',
        DIVISION: '1',
        STATE: county.state,
        COUNTY: county.fips.slice(2),
        STNAME: county.stateName,
        CTYNAME: county.title,
        ESTIMATESBASE2020: people,
        POPESTIMATE2024: people + 140,
        POPESTIMATE2025: people + 231 - 300 * i,
        DOMESTICMIG2025: 57 - 120 * i,
      };
    });
  }

  /** FHFA: eleven years a county; the first has no change. */
  housePrices(): Table {
    const random = new Random(this.#seed, 'house prices');
    return table(
      this.#censuses.flatMap(({ county }) => {
        let index = 100;
        return Array.from({ length: 11 }, (_, i) => {
          const change = Math.round(random.between(-2, 9) * 100) / 100;
          if (i) index *= 1 + change / 100;
          return {
            State: county.code,
            County: county.name,
            'FIPS code': county.fips,
            Year: 2015 + i,
            'Annual Change (%)': i ? change.toFixed(2) : '.',
            HPI: index.toFixed(2),
            'HPI with 1990 base': '.',
            'HPI with 2000 base': '.',
          };
        });
      }),
    );
  }

  /** ACS 5-year: the county rows of one table group. */
  acsCounty(): Table {
    return this.#counties(({ county }, i) => ({
      GEO_ID: `0500000US${county.fips}`,
      NAME: `${county.title}, ${county.stateName}`,
      B19013_001E: 61_842 + 9_300 * i,
      B19013_001M: 2_400,
      B01003_001E: 11_000,
    }));
  }

  /** ACS 5-year by tract; the sea publishes no medians. */
  acsTracts(): Table {
    return table(
      this.#tracts().map(({ geoid, population, span }, i) => {
        const homes = Math.round(population / 2.1);
        const labor = Math.round(population * 0.52);
        const unemployed = Math.round(labor * (0.03 + 0.005 * (i % 7)));
        const estimates = {
          B01003_001E: population,
          B19013_001E: span ? 48_000 + 3_150 * (i % 17) : -666666666,
          B25077_001E: span ? 180_000 + 21_000 * (i % 17) : -666666666,
          B25064_001E: span ? 800 + 45 * (i % 17) : -666666666,
          B25002_001E: homes,
          B25002_003E: Math.round(homes * 0.14),
          B25003_001E: Math.round(homes * 0.86),
          B25003_002E: Math.round(homes * 0.6),
          B23025_003E: labor,
          B23025_004E: labor - unemployed,
          B23025_005E: unemployed,
        };
        return {
          GEO_ID: `1400000US${geoid}`,
          NAME: `Census Tract ${geoid.slice(5)}`,
          ...estimates,
          ...Object.fromEntries(
            Object.entries(estimates).map(([name, value]) => [name.replace('E', 'M'), marginOf(value, i)]),
          ),
        };
      }),
    );
  }

  /** NOAA CMRA: one row a county. */
  climate(): Table {
    return this.#counties(({ county }, i) => ({
      GEOID: county.fips,
      HISTORIC_MEAN_TMAX95F: 0.4 + 0.2 * i,
      RCP85MID_MEAN_TMAX95F: 4.7 + i,
      RCP85MID_MEAN_CDD: 612.5 + 40 * i,
      RCP85MID_MEAN_CONSECDD: 13.2,
    }));
  }

  /** EPA radon zones, by county name. */
  radon(): Table {
    return this.#counties(({ county }, i) => ({ state: county.code, county: county.name.toUpperCase(), zone: 2 - i }));
  }

  /** FEMA NRI by tract; two hazards are not applicable in most tracts and the sea is not rated. */
  risk(): Table {
    return table(
      this.#tracts()
        .filter(t => t.span)
        .map(({ county, geoid, population }) => {
          const random = new Random(this.#seed, county.half, Number(geoid.slice(5)), 'tract statistics');
          const score = () => Math.round(random.between(1, 99) * 1e4) / 1e4;
          const rating = (n: number) => RATINGS[Math.min(4, Math.floor(n / 20))]!;
          const risk = score();
          return {
            NRI_ID: `T${geoid}`,
            STATEABBRV: county.code,
            STCOFIPS: county.fips,
            TRACTFIPS: geoid,
            POPULATION: population,
            RISK_SCORE: risk,
            RISK_RATNG: rating(risk),
            EAL_VALT: Math.round(random.between(2e5, 3e6)),
            SOVI_SCORE: score(),
            RESL_SCORE: score(),
            ...Object.fromEntries(
              HAZARDS.flatMap(([prefix, counties]) => {
                const rated = counties.includes(county.half);
                const n = rated ? score() : null;
                return [
                  [`${prefix}_EALT`, rated ? Math.round(random.between(100, 4e5)) : null],
                  [`${prefix}_RISKS`, n],
                  [`${prefix}_RISKR`, n === null ? 'Not Applicable' : rating(n)],
                ];
              }),
            ),
            NRI_VER: 'December 2025',
          };
        }),
    );
  }
}
