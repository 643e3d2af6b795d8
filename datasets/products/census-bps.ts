import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

/**
 * The published file has no column Total Units (Census Bureau, Building Permits Survey, county file documentation,
 * https://www2.census.gov/econ/bps/Documentation/cntyasc.pdf): buildings, units and value of each of four sizes of structure,
 * then the same as reported. It is summed on load.
 */
export default defineDataset({
  id: 'census_bps',
  title: 'Building Permits Survey annual county file',
  publisher: 'US Census Bureau',
  url: 'https://www2.census.gov/econ/bps/County/co{year}a.txt',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'annual (May)',
  vintageRule: 'Year in the file name.',
  notes:
    'Two-row header; columns are written as group plus Units. prior_year is the file of the year before; its Total Units is the sum of the four unit columns, made on load.',
  acquire: {
    files: [
      {
        url: 'https://www2.census.gov/econ/bps/County/co{year}a.txt',
        layers: ['main'],
        vintage: { newest: 'year', back: 3 },
        seen: 'public code',
      },
      {
        url: 'https://www2.census.gov/econ/bps/County/co{year-1}a.txt',
        layers: ['prior_year'],
        vintage: { newest: 'year', back: 3, probe: 'https://www2.census.gov/econ/bps/County/co{year}a.txt' },
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'building permits by county',
      kind: 'table',
      key: { column: 'county_fips', is: 'county_fips' },
      partition: 'national',
      columns: {
        county_fips: { type: 'string', description: 'FIPS State and FIPS County, composed on load.' },
        'Survey Date': { type: 'string' },
        '1-unit Units': { type: 'integer', unit: 'units' },
        '2-units Units': { type: 'integer', unit: 'units' },
        '3-4 units Units': { type: 'integer', unit: 'units' },
        '5+ units Units': { type: 'integer', unit: 'units' },
      },
    },
    prior_year: {
      title: 'building permits by county of the year before',
      kind: 'table',
      key: { column: 'county_fips', is: 'county_fips' },
      partition: 'national',
      columns: {
        county_fips: { type: 'string', description: 'FIPS State and FIPS County, composed on load.' },
        'Total Units': { type: 'integer', unit: 'units', description: 'Sum of the four unit columns.' },
      },
    },
  },
  fields: {
    county_building_permits_total_annual: {
      layer: 'parcels',
      type: 'integer',
      unit: 'units',
      title: 'County building permits total annual',
      description: 'Housing units authorized by building permits in the county in the latest full year.',
      expression:
        'derived(expr[a + b + c + d], a=area_key_attr(census_bps, key=county_fips, `1-unit Units`), b=area_key_attr(census_bps, key=county_fips, `2-units Units`), c=area_key_attr(census_bps, key=county_fips, `3-4 units Units`), d=area_key_attr(census_bps, key=county_fips, `5+ units Units`))',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        building permits, new homes built, housing construction, how much is being built, permisos de construcción,
        housing permits, permitted housing units, new housing, units permitted, construction in the county,
        viviendas nuevas, how much building is going on, housing starts, building houses, houses going up,
        new construction, housing built, permits, homes being built, building activity, construction activity,
        houses being built, new units, construction, permits a year, apartments being built, development activity,
        number of permits, units built, homebuilding in the county
      `),
      hint: 'Supply coming in a year or so; reported and imputed towns are mixed, and permits are not completions.',
    },
    county_building_permits_sf_annual: {
      layer: 'parcels',
      type: 'integer',
      unit: 'units',
      title: 'County building permits single-family annual',
      description: 'Single-family housing units authorized by building permits in the county in the latest full year.',
      expression: 'area_key_attr(census_bps, key=county_fips, `1-unit Units`)',
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        new single family houses, single-family permits, new houses built, homebuilding, single family permits,
        permits for houses, single family homes, single-family homes, houses permitted, single family construction,
        new single-family, detached houses, single family units, home construction, one-family
      `),
      hint: 'Compare with households: a tenth of a percent is stagnation, over two percent a boom in detached homes.',
    },
    county_building_permits_yoy_pct: {
      layer: 'parcels',
      type: 'number',
      unit: 'percent',
      title: 'County building permits, year-over-year change',
      description: 'Year-over-year change in county housing units authorized by permits.',
      expression:
        'derived(expr[100 * (t1 / t0 - 1)], t1=@county_building_permits_total_annual, t0=area_key_attr(census_bps:prior_year, key=county_fips, `Total Units`))',
      confidence: 'min_inputs',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        is construction rising, permits change, building boom, construction slowdown, change in building permits,
        permits compared with the year before, building picking up, construction slowing,
        building more than last year, construction growing, construction slowing down, building booming,
        permits rising, permits falling, housing construction trend, construction boom, building slowed
      `),
      hint: 'One apartment tower swings small counties by hundreds of percent; look at three years before calling a trend.',
    },
  },
});
