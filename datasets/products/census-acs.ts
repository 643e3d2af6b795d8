import { type Column, defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

/** The API asks for a key on every request since 2026-05-12; the summary file has the same estimates without one. */
const SUMMARY_FILE = 'Pipe-delimited, all geographies; columns are named B19013_E001 where the API says B19013_001E.';

/** Cells of the tables that are joined to that of the population, by table. */
const TRACT_TABLES: Readonly<Record<string, readonly string[]>> = {
  b19013: ['001'],
  b25077: ['001'],
  b25064: ['001'],
  b25002: ['001', '003'],
  b25003: ['001', '002'],
  b23025: ['003', '004', '005'],
};

/** The columns with the margins of error of some cells. */
const margins = (tables: Readonly<Record<string, readonly string[]>>): Record<string, Column> =>
  Object.fromEntries(
    Object.entries(tables).flatMap(([table, cells]) =>
      cells.map(cell => [
        `${table.toUpperCase()}_${cell}M`,
        {
          type: 'number',
          aliases: [`${table.toUpperCase()}_M${cell}`],
          description: `Margin of error of ${table.toUpperCase()}_${cell}E at 90 percent confidence; below 0 where there is none, -555555555 for an estimate that is controlled.`,
        },
      ]),
    ),
  );

export default defineDataset({
  id: 'census_acs',
  title: 'American Community Survey 5-year estimates',
  publisher: 'US Census Bureau',
  url: 'https://api.census.gov/data/{year}/acs/acs5',
  format: 'api json',
  licence: 'US public domain',
  cadence: 'annual (December)',
  vintageRule: 'Last year of the five, from the request path.',
  notes:
    'Layers tract, county. Large negative sentinels mean not published. Margins of error are at 90 percent confidence: the standard error is the margin over 1.645.',
  acquire: {
    files: [
      {
        layers: ['county'],
        url: 'https://www2.census.gov/programs-surveys/acs/summary_file/{year}/table-based-SF/data/5YRData/acsdt5y{year}-b19013.dat',
        vintage: { newest: 'year', back: 3 },
        note: `${SUMMARY_FILE} Counties are the rows whose GEO_ID begins with 0500000US.`,
        form: {
          ending: '.dat',
          where: "GEO_ID like '0500000US%'",
          columns: {
            GEOID: { from: 'GEO_ID', slice: [9, 14] },
            B19013_001E: 'B19013_E001',
            B19013_001M: 'B19013_M001',
          },
        },
        seen: 'public code',
        seenOn: '2026-09',
      },
      {
        layers: ['tract'],
        url: 'https://www2.census.gov/programs-surveys/acs/summary_file/{year}/table-based-SF/data/5YRData/acsdt5y{year}-{table}.dat',
        vintage: { newest: 'year', back: 3 },
        note: `${SUMMARY_FILE} One file a table (b01003, b19013, b25077, b25064, b25002, b25003, b23025), joined by GEO_ID; tracts begin with 1400000US.`,
        form: {
          ending: '.dat',
          with: { table: 'b01003' },
          where: "GEO_ID like '1400000US%'",
          columns: {
            GEOID: { from: 'GEO_ID', slice: [9, 20] },
            B01003_001E: 'B01003_E001',
            B01003_001M: 'B01003_M001',
            ...Object.fromEntries(
              Object.entries(TRACT_TABLES).flatMap(([table, cells]) =>
                cells.flatMap(cell =>
                  ['E', 'M'].map(kind => [
                    `${table.toUpperCase()}_${cell}${kind}`,
                    `${table}.${table.toUpperCase()}_${kind}${cell}`,
                  ]),
                ),
              ),
            ),
          },
          join: Object.keys(TRACT_TABLES).map(table => ({
            at: { dataset: 'census_acs', layer: 'tract', with: { table } },
            prefix: table,
            key: 'GEO_ID',
            to: 'GEO_ID',
          })),
        },
        seen: 'public code',
        seenOn: '2026-09',
      },
    ],
  },
  layers: {
    county: {
      title: 'survey estimates by county',
      kind: 'table',
      key: { column: 'GEOID', is: 'county_fips' },
      partition: 'national',
      columns: {
        GEOID: { type: 'string', description: 'Last five characters of GEO_ID, composed on load.' },
        ...margins({ b19013: ['001'] }),
        B19013_001E: {
          margin: 'B19013_001M',
          aliases: ['B19013_E001'],
          type: 'number',
          unit: 'USD',
          description: 'Median household income; -666666666 means not published.',
        },
      },
    },
    tract: {
      title: 'survey estimates by census tract',
      kind: 'table',
      key: { column: 'GEOID', is: 'tract_geoid' },
      partition: 'national',
      columns: {
        GEOID: { type: 'string', description: 'Last eleven characters of GEO_ID, composed on load.' },
        ...margins({ b01003: ['001'], ...TRACT_TABLES }),
        B01003_001E: {
          margin: 'B01003_001M',
          aliases: ['B01003_E001'],
          type: 'integer',
          unit: 'people',
          description: 'Total population.',
        },
        B19013_001E: {
          margin: 'B19013_001M',
          aliases: ['B19013_E001'],
          type: 'number',
          unit: 'USD',
          description: 'Median household income; -666666666 means not published.',
        },
        B25077_001E: {
          margin: 'B25077_001M',
          aliases: ['B25077_E001'],
          type: 'number',
          unit: 'USD',
          description: 'Median value of owner-occupied homes; -666666666 means not published.',
        },
        B25064_001E: {
          margin: 'B25064_001M',
          aliases: ['B25064_E001'],
          type: 'number',
          unit: 'USD',
          description: 'Median gross rent; -666666666 means not published.',
        },
        B25002_001E: {
          margin: 'B25002_001M',
          aliases: ['B25002_E001'],
          type: 'integer',
          unit: 'homes',
          description: 'Housing units.',
        },
        B25002_003E: {
          margin: 'B25002_003M',
          aliases: ['B25002_E003'],
          type: 'integer',
          unit: 'homes',
          description: 'Vacant housing units.',
        },
        B25003_001E: {
          margin: 'B25003_001M',
          aliases: ['B25003_E001'],
          type: 'integer',
          unit: 'homes',
          description: 'Occupied housing units.',
        },
        B25003_002E: {
          margin: 'B25003_002M',
          aliases: ['B25003_E002'],
          type: 'integer',
          unit: 'homes',
          description: 'Owner-occupied housing units.',
        },
        B23025_003E: {
          margin: 'B23025_003M',
          aliases: ['B23025_E003'],
          type: 'integer',
          unit: 'people',
          description: 'In the civilian labor force, 16 years and over.',
        },
        B23025_004E: {
          margin: 'B23025_004M',
          aliases: ['B23025_E004'],
          type: 'integer',
          unit: 'people',
          description: 'Of these employed.',
        },
        B23025_005E: {
          margin: 'B23025_005M',
          aliases: ['B23025_E005'],
          type: 'integer',
          unit: 'people',
          description: 'Of these unemployed.',
        },
      },
    },
  },
  fields: {
    county_median_household_income_usd: {
      layer: 'parcels',
      type: 'number',
      unit: 'USD',
      title: 'County median household income',
      description: 'Median household income of the county (ACS 5-year).',
      expression: 'area_key_attr(census_acs:county, key=county_fips, B19013_001E, null[-666666666])',
      confidence: 'cv(12;40)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 29 },
      terms: phrases(`
        income, household income in the county, how rich is the county, median income, ingresos, income of the county,
        county income, household earns in the county, county as a whole income, families in the county earn,
        county incomes, county wealthy, rich county, poor county, income in the county, county families,
        county households make, county earnings, median household income of the county
      `),
      hint: "Feeds affordability and area-median tests, though housing programs use HUD's own adjusted figure.",
    },
    tract_population: {
      layer: 'parcels',
      type: 'integer',
      unit: 'people',
      title: 'Tract population',
      description: 'Population of the census tract (ACS 5-year).',
      expression: 'area_key_attr(census_acs:tract, key=tract_geoid, B01003_001E)',
      confidence: 'cv(12;40)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        how many people live here, people in the neighborhood, residents of the tract, population of the area,
        population, people in the tract, how many people, residents, population here, habitantes,
        who lives around here, folks in the neighborhood, population of the tract, people live in the neighborhood,
        neighborhood population, inhabitants, number of residents, people in this tract, population count
      `),
      hint: 'Five-year average with a margin of error of hundreds: fit for densities, not for counting heads.',
    },
    tract_median_household_income_usd: {
      layer: 'parcels',
      type: 'number',
      unit: 'USD',
      title: 'Tract median household income',
      description: 'Median household income of the census tract (ACS 5-year).',
      expression: 'area_key_attr(census_acs:tract, key=tract_geoid, B19013_001E, null[-666666666])',
      confidence: 'cv(12;40)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        neighborhood income, how wealthy is the neighborhood, household income here, income of the area,
        ingresos del barrio, household earns, typical household earns, what do people here earn,
        earn in this neighborhood, affluent, poor or rich, wealthy, income, people make, what do people make,
        make a living, family earns, what a family makes, cuánto gana una familia, household income, rich or poor,
        families earn, neighborhood rich, people earn, earn, earnings of families, poor, poverty, low income,
        rich neighborhood
      `),
      hint: 'Community Reinvestment and low-income tests start here; top-coded at 250,001, where it means at least that.',
    },
    tract_median_home_value_usd: {
      layer: 'parcels',
      type: 'number',
      unit: 'USD',
      title: 'Tract median home value',
      description: 'Median value of owner-occupied homes in the census tract (ACS 5-year).',
      expression: 'area_key_attr(census_acs:tract, key=tract_geoid, B25077_001E, null[-666666666])',
      confidence: 'cv(12;40)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        home values, house prices here, what are homes worth, what houses sell for, going price of houses,
        median home price, what does a house cost, property values nearby, valor de las casas, home value,
        value of homes, typical house costs, going rate for houses, comparable homes, precio de las casas,
        houses going for, homes go for, what do homes sell for, home prices, cuánto cuestan las casas, comps,
        houses worth, homes worth, homes cost, houses cost, home price, house price, cost of a home,
        average house price, median home value
      `),
      hint: "Owners' own guesses over five years, so it trails the market; use it to rank areas, never to price a house.",
    },
    tract_median_gross_rent_usd: {
      layer: 'parcels',
      type: 'number',
      unit: 'USD',
      title: 'Tract median gross rent',
      description: 'Median gross rent in the census tract (ACS 5-year).',
      expression: 'area_key_attr(census_acs:tract, key=tract_geoid, B25064_001E, null[-666666666])',
      confidence: 'cv(12;40)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        rent, what does rent cost, apartment rent, rental prices, renta, alquiler, rents, rent out,
        what would it rent for, rent for, rental income, monthly rent, tenants pay, cuánto cuesta rentar,
        renting an apartment, rental, rent go for, renting, apartments rent, average rent, median rent, cost to rent,
        lease an apartment, landlords charge, charge for rent, rent per month, rental rates, rent a house,
        rentals cost, alquilan
      `),
      hint: 'Includes utilities and long-standing leases, hence below what a vacant flat asks today.',
    },
    tract_housing_vacancy_pct: {
      layer: 'parcels',
      type: 'number',
      unit: 'percent',
      title: 'Tract housing vacancy rate',
      description: 'Share of housing units in the census tract that are vacant (ACS 5-year).',
      expression:
        'derived(expr[100 * v / t], v=area_key_attr(census_acs:tract, key=tract_geoid, B25002_003E), t=area_key_attr(census_acs:tract, key=tract_geoid, B25002_001E))',
      confidence: 'cv(12;40)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        empty homes, vacant houses, vacancy, unoccupied housing, vacation homes, empty houses, vacant homes,
        stand empty, vacancy rate, abandoned houses, casas vacías, boarded up, casas desocupadas, unoccupied,
        sitting empty, homes sitting empty, nobody lives in, vacancies, empty units, houses empty, vacant homes share,
        seasonal homes, second homes, unoccupied homes, empty apartments, abandoned, ghost town,
        houses nobody lives in, empty house
      `),
      hint: 'Seasonal homes count as empty, so lake and ski areas look abandoned; above 15 otherwise hints at distress.',
    },
    tract_owner_occupied_pct: {
      layer: 'parcels',
      type: 'number',
      unit: 'percent',
      title: 'Tract owner-occupied share',
      description: 'Share of occupied housing units in the census tract that are owner-occupied (ACS 5-year).',
      expression:
        'derived(expr[100 * o / t], o=area_key_attr(census_acs:tract, key=tract_geoid, B25003_002E), t=area_key_attr(census_acs:tract, key=tract_geoid, B25003_001E))',
      confidence: 'cv(12;40)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        homeowners, people who own their homes, own or rent, owners or renters, share of renters, homeownership,
        rentals in the neighborhood, owner occupied, lived in by owners, homes owned, renters or owners,
        homeowners or renters, dueños o inquilinos, renters, people mostly rent, owner occupancy, own their homes,
        owned or rented, people rent, do people rent, renting or owning, homeowner share, homeownership rate,
        mostly owners, mostly renters, renter, rentals, owner-occupied
      `),
      hint: 'High shares bring organized neighbors to hearings; low ones mean landlords decide and turnover is quick.',
    },
  },
});
