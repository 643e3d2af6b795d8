import { STATE_FIPS } from '../../codes/state-fips.ts';
import type { PlaceLayer } from '../../place/place.ts';

const WGS84 = 'EPSG:4326';

const states: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'state',
  file: 'national/us_states.geojson.gz',
  expectRows: 50,
  expect: { rejected: 0.02, because: 'The generalized outline of Alaska crosses itself: one state of fifty.' },
  national: true,
  // As counties_20m, which it is cut like.
  accuracyM: 10_000,
  columns: {
    GEOID: { from: 'id', lookup: STATE_FIPS },
    STATEFP: { from: 'id', lookup: STATE_FIPS },
    STUSPS: 'id',
    NAME: 'name',
  },
  provenance: {
    source: 'census_cartographic_states',
    title: 'US state boundaries, generalized',
    publisher: 'US Census Bureau, redistributed by opengeos/data',
    url: 'https://github.com/opengeos/data',
    licence: 'MIT (repository); US public domain',
    vintage: 'not stated',
    note: 'Stands in for states (census_tiger:state): generalized by kilometers along borders, without DC, the territories and Alaska, whose ring crosses itself.',
    generalised: true,
  },
};

const counties: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'county',
  file: 'national/counties_20m.geojson.gz',
  expectRows: 3_221,
  national: true,
  // Cartographic boundaries of 1:20,000,000 (NMAS: 0.02 inch).
  accuracyM: 10_000,
  columns: {
    GEOID: { from: 'GEO_ID', slice: [9, 14] },
    STATEFP: 'STATE',
    COUNTYFP: 'COUNTY',
    NAME: 'NAME',
    // The legal suffix as the Census Bureau spells it out; DC and Carson City have none.
    NAMELSAD: {
      from: [
        'NAME',
        {
          from: 'LSAD',
          lookup: {
            County: 'County',
            Parish: 'Parish',
            Borough: 'Borough',
            city: 'city',
            Muno: 'Municipio',
            Muny: 'Municipality',
            CA: 'Census Area',
            'Cty&Bor': 'City and Borough',
          },
        },
      ],
    },
  },
  provenance: {
    source: 'census_cartographic_counties_2010',
    title: 'US counties, cartographic boundaries 1:20,000,000',
    publisher: 'US Census Bureau, redistributed by plotly/datasets',
    url: 'https://github.com/plotly/datasets',
    licence: 'MIT (repository); US public domain',
    vintage: '2010',
    note: 'Stands in for counties (census_tiger:county): counties of 2010, generalized by kilometers along borders.',
    generalised: true,
  },
};

const airports: PlaceLayer = {
  dataset: 'bts_ntad',
  layer: 'aviation_facilities',
  file: 'national/us_airports.csv',
  options: { crs: WGS84, x: 'longitude', y: 'latitude' },
  expectRows: 3_376,
  where: "country = 'USA'",
  national: true,
  columns: { ARPT_ID: 'iata', ARPT_NAME: 'name' },
  // The file mixes public, private and military fields without saying which: who needs the difference gets no answer.
  unpublished: ['SITE_TYPE_CODE', 'FACILITY_USE_CODE', 'FAR_139_TYPE_CODE'],
  provenance: {
    source: 'vega_airports',
    title: 'US airports',
    publisher: 'FAA / US DOT, redistributed by vega/vega-datasets',
    url: 'https://github.com/vega/vega-datasets',
    licence: 'not stated by the repository; US public domain at its source',
    vintage: 'not stated',
    note: 'Stands in for airports (bts_ntad:aviation_facilities) with names and places only.',
  },
};

const powerPlants: PlaceLayer = {
  dataset: 'eia_860m',
  layer: 'plant',
  file: 'national/power_plants_usa.csv.gz',
  options: { crs: WGS84, x: 'longitude', y: 'latitude' },
  expectRows: 11_879,
  // The inventory's own threshold; it also leaves out the plants that are listed without any capacity.
  where: 'capacity_mw >= 1',
  national: true,
  columns: {
    // The database numbers US plants by their EIA code: USA0000566 is plant 566, Millstone.
    'Plant ID': { from: 'gppd_idnr', patterns: [{ match: '^USA0*(\\d+)$', value: '$1' }] },
    'Plant Name': 'name',
    // Other fuels fit several technologies of the form (Solar: photovoltaic or thermal; Gas: four of them).
    Technology: { from: 'primary_fuel', lookup: { Nuclear: 'Nuclear', Geothermal: 'Geothermal' } },
    'Nameplate Capacity (MW)': 'capacity_mw',
  },
  provenance: {
    source: 'wri_global_power_plant_database',
    title: 'Global Power Plant Database 1.3, United States (from EIA-860 and EIA-923)',
    publisher: 'World Resources Institute; US Energy Information Administration',
    url: 'https://github.com/wri/global-power-plant-database',
    licence: 'CC BY 4.0',
    vintage: '2019',
    note: 'Stands in for power plants (eia_860m:plant).',
    notes: [{ columns: ['Technology'], text: 'It is given only where the fuel allows one: nuclear and geothermal.' }],
  },
};

const superfund: PlaceLayer = {
  dataset: 'epa_npl',
  layer: 'main',
  file: 'national/epa_superfund_npl.csv',
  options: { crs: WGS84, x: 'Longitude', y: 'Latitude', skipAfterHeader: 1 },
  // 1,340 sites and a line with their total, below a header of two lines.
  expectRows: 1_341,
  where: '`EPA ID` is not null',
  national: true,
  columns: {
    SITE_EPA_ID: 'EPA ID',
    SITE_NAME: 'Site Name',
    // EPA's report of current sites: each date in it is that of the final rule, so all are final.
    NPL_STATUS_CODE: { const: 'F' },
  },
  provenance: {
    source: 'epa_npl',
    title: 'Current National Priorities List sites',
    publisher: 'US EPA',
    url: 'https://github.com/somaiyahhafeez/superfund',
    licence: 'US public domain',
    vintage: '2024',
    note: null,
    notes: [{ columns: ['NPL_STATUS_CODE'], text: 'Final sites only: proposed ones are not in this report.' }],
  },
};

/** National files of areas and points; the county tables are in economy.ts. */
export const national: readonly PlaceLayer[] = [states, counties, airports, powerPlants, superfund];
