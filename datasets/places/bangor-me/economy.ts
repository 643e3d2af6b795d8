import type { PlaceLayer } from '../../place/place.ts';

const population: PlaceLayer = {
  dataset: 'census_pep',
  layer: 'main',
  file: 'national/county_population_estimates_2010_2019.csv.gz',
  expectRows: 3_193,
  // 40 is a state's row, 50 a county's.
  where: 'SUMLEV = 50',
  national: true,
  columns: {
    county_fips: {
      from: [
        { from: 'STATE', type: 'string', pad: 2 },
        { from: 'COUNTY', type: 'string', pad: 3 },
      ],
      join: '',
    },
    POPESTIMATE2025: 'POPESTIMATE2019',
    POPESTIMATE2024: 'POPESTIMATE2018',
    DOMESTICMIG2025: 'DOMESTICMIG2019',
  },
  provenance: {
    source: 'census_pep_2019',
    title: 'County population estimates and components of change, 2010 to 2019',
    publisher: 'US Census Bureau',
    url: 'https://github.com/durbank/covid-19',
    licence: 'US public domain',
    vintage: '2019',
    note: 'Stands in for the 2025 estimates: 2019 and 2018 are read as the latest two years.',
  },
};

const housePrices: PlaceLayer = {
  dataset: 'fhfa_hpi',
  layer: 'main',
  file: 'national/fhfa_hpi_county.csv.gz',
  expectRows: 82_560,
  national: true,
  columns: {
    'FIPS code': 'FIPS code',
    Year: 'Year',
    HPI: { from: 'HPI', null: ['.'] },
    'Annual Change (%)': { from: 'Annual Change (%)', null: ['.'] },
  },
  provenance: {
    source: 'fhfa_hpi',
    title: 'House Price Index, county annual (developmental)',
    publisher: 'Federal Housing Finance Agency',
    url: 'https://github.com/bingyil/HPI_Visualization',
    licence: 'US public domain',
    vintage: '2017',
    note: null,
    notes: [
      {
        columns: ['HPI', 'Annual Change (%)', 'Year'],
        text: 'The edition ends in 2017: the latest change is of that year.',
      },
    ],
  },
};

const income: PlaceLayer = {
  dataset: 'census_acs',
  layer: 'county',
  file: 'national/county_unemployment_income_2007_2018.csv.gz',
  options: { skipLines: 4 },
  expectRows: 3_275,
  // Only counties have a rural-urban code; the nation, the states and three dissolved areas have none.
  where: 'Rural_urban_continuum_code_2013 is not null',
  national: true,
  columns: { GEOID: 'FIPS', B19013_001E: 'Median_Household_Income_2018' },
  unpublished: ['B19013_001M'],
  provenance: {
    source: 'census_saipe_2018',
    title: 'Median household income by county, Small Area Income and Poverty Estimates',
    publisher: 'US Census Bureau, as tabulated by USDA Economic Research Service',
    url: 'https://github.com/JieYingWu/COVID-19_US_County-level_Summaries',
    licence: 'US public domain',
    vintage: '2018',
    note: 'Stands in for the ACS 5-year estimate: SAIPE models one year, 2018. Puerto Rico has no estimate.',
  },
};

/** County tables of the national folder. */
export const economy: readonly PlaceLayer[] = [population, housePrices, income];
