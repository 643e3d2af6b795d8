import { defineDataset } from '../dataset.ts';

export default defineDataset({
  id: 'census_acs',
  title: 'American Community Survey 5-year estimates',
  publisher: 'US Census Bureau',
  url: 'https://api.census.gov/data/{year}/acs/acs5',
  format: 'api json',
  licence: 'US public domain',
  cadence: 'annual (December)',
  vintageRule: 'Last year of the five, from the request path.',
  notes: 'Layer county. Large negative sentinels mean not published.',
  layers: {
    county: {
      kind: 'table',
      key: { column: 'GEOID', is: 'county_fips' },
      partition: 'national',
      columns: {
        GEOID: { type: 'string', description: 'Last five characters of GEO_ID, composed on load.' },
        B19013_001E: {
          type: 'number',
          unit: 'USD',
          description: 'Median household income; -666666666 means not published.',
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
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 29 },
      hint: "Feeds affordability and area-median tests, though housing programmes use HUD's own adjusted figure.",
    },
  },
});
