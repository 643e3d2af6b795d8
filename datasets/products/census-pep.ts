import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'census_pep',
  title: 'Population Estimates Program county totals',
  publisher: 'US Census Bureau',
  url: 'https://www2.census.gov/programs-surveys/popest/datasets/2020-{year}/counties/totals/co-est{year}-alldata.csv',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'annual (March)',
  vintageRule: 'Vintage year of the estimates, from the file name.',
  notes: 'Year suffix rolls with each vintage.',
  acquire: {
    files: [
      {
        url: 'https://www2.census.gov/programs-surveys/popest/datasets/2020-{year}/counties/totals/co-est{year}-alldata.csv',
        vintage: { newest: 'year', back: 3 },
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'population estimates by county',
      kind: 'table',
      key: { column: 'county_fips', is: 'county_fips' },
      partition: 'national',
      columns: {
        county_fips: { type: 'string', description: 'STATE and COUNTY, composed on load.' },
        POPESTIMATE2024: { type: 'integer', unit: 'people' },
        POPESTIMATE2025: { type: 'integer', unit: 'people' },
        DOMESTICMIG2025: { type: 'integer', unit: 'people' },
      },
    },
  },
  fields: {
    county_population: {
      layer: 'parcels',
      type: 'integer',
      unit: 'people',
      title: 'County population',
      description: 'Resident population estimate of the county.',
      expression: 'area_key_attr(census_pep, key=county_fips, POPESTIMATE2025)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 26 },
      terms: phrases(`
        how many people live in the county, county residents, population of the county, población del condado,
        people in the county, county population, inhabitants of the county, how big is the county, county inhabitants,
        residents in the county, population in the county, county size in people,
        how many residents does the county have
      `),
      hint: 'Scale for market size and small-county rules; the newest estimate revises earlier years too, so never mix vintages.',
    },
    county_population_growth_1yr_pct: {
      layer: 'parcels',
      type: 'number',
      unit: 'percent',
      title: 'County population growth, one year',
      description: 'One-year change in the county population estimate.',
      expression:
        'derived(expr[100 * (p1 / p0 - 1)], p1=@county_population, p0=area_key_attr(census_pep, key=county_fips, POPESTIMATE2024))',
      confidence: 'min_inputs',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        is the county growing, population growth, growing or shrinking, population change, population growing,
        county losing people, growth of the county, demographic trend, crecimiento de la población, headcount,
        people leaving the county, dying town, lost people, lost population, county lost people, population trend,
        growing, shrinking, population rising, population falling, county growing, county shrinking, growing county,
        losing people, population decline, dying, leaving, booming, people are leaving, growth rate
      `),
      hint: 'Above one percent housing tends to tighten; in counties of a few thousand one dormitory can swing it.',
    },
    county_net_domestic_migration: {
      layer: 'parcels',
      type: 'integer',
      unit: 'people',
      title: 'County net domestic migration',
      description: 'Net domestic migration of the county in the latest estimate year.',
      expression: 'area_key_attr(census_pep, key=county_fips, DOMESTICMIG2025)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        are people moving in, moving out, migration, newcomers, where people move, people leaving,
        people leaving or moving in, moving away, net migration, migración, se muda la gente, people moving,
        people move, influx, exodus, movers, transplants, people move here, flee, fleeing, domestic migration,
        in-migration, people moving out, relocating, move to this county
      `),
      hint: 'People voting with their feet: a negative sign beside a growing county means births or arrivals from abroad carry it.',
    },
  },
});
