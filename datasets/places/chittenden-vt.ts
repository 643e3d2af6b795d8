import { onGitHub } from '../place/github.ts';
import { nationalFiles } from '../place/national-files.ts';
import type { Place, PlaceLayer, Provenance } from '../place/place.ts';

const SQUARE_KILOMETRES_PER_ACRE = 0.004_046_856_422_4;

/** What the county's planners collected, as their public repository has it. */
const county = (
  source: string,
  title: string,
  publisher: string,
  vintage: string,
  note: string | null,
): Provenance => ({
  source,
  title,
  publisher: `${publisher}, redistributed by GeoSprocket/btv-geographic`,
  url: 'https://github.com/GeoSprocket/btv-geographic',
  licence: 'MIT (repository)',
  vintage,
  note,
});

const subwatersheds: PlaceLayer = {
  dataset: 'usgs_wbd',
  layer: 'WBDHU12',
  file: 'chittenden-vt/huc12_subwatersheds.geojson.gz',
  expectRows: 22,
  columns: {
    huc12: 'HUC_12',
    name: 'HU_12_NAME',
    areasqkm: { from: 'ACRES', scale: SQUARE_KILOMETRES_PER_ACRE },
  },
  provenance: county('usgs_wbd', 'HUC12 subwatersheds of Chittenden County', 'USGS and USDA NRCS', '2014', null),
};

const wetlands: PlaceLayer = {
  dataset: 'usfws_nwi',
  layer: 'main',
  file: 'chittenden-vt/wetlands_vswi.geojson.gz',
  expectRows: 2_676,
  // The name is made of the acreage: "Wetland: 1.3 acres".
  columns: { ACRES: { from: 'name', patterns: [{ match: '^Wetland: ([0-9.]+) acres$', value: '$1' }] } },
  unpublished: ['ATTRIBUTE', 'WETLAND_TYPE'],
  provenance: county(
    'vt_vswi',
    'Vermont Significant Wetlands Inventory',
    'Vermont Agency of Natural Resources',
    '2014',
    'Stands in for wetlands (usfws_nwi): significant wetlands of the state, without Cowardin codes or types.',
  ),
};

const towns: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'cousub',
  file: 'chittenden-vt/towns.geojson.gz',
  expectRows: 18,
  expect: { rejected: 0.06, because: 'The outline of Williston crosses itself: one town of eighteen.' },
  columns: { NAMELSAD: 'TOWNNAMEMC' },
  // The state's own six-digit numbers are not the county subdivision codes of the Census Bureau.
  unpublished: ['GEOID'],
  provenance: county(
    'vcgi_towns',
    'Vermont town boundaries',
    'Vermont Center for Geographic Information',
    '2014',
    'Stands in for county subdivisions (census_tiger:cousub): names of towns and cities without their legal suffix.',
  ),
};

const outline: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'county',
  file: 'chittenden-vt/county.geojson',
  expectRows: 1,
  columns: {
    GEOID: { const: '50007' },
    STATEFP: { const: '50' },
    COUNTYFP: { const: '007' },
    NAME: { from: 'CNTYNAME', case: 'title' },
    NAMELSAD: { template: '{CNTYNAME} County', case: 'title' },
  },
  provenance: county(
    'vcgi_county',
    'Vermont county boundary',
    'Vermont Center for Geographic Information',
    '2014',
    'Stands in for counties (census_tiger:county).',
  ),
};

const riskIndex: PlaceLayer = {
  dataset: 'fema_nri',
  layer: 'county',
  file: 'national/fema_nri_counties.csv.gz',
  expectRows: 3_142,
  national: true,
  columns: {
    // Codes of the first nine states lost their zero.
    STCOFIPS: { from: 'STCOFIPS', type: 'string', pad: 5 },
    RISK_SCORE: 'RISK_SCORE',
    RISK_RATNG: 'RISK_RATNG',
    EAL_VALT: 'EAL_VALT',
    SOVI_SCORE: 'SOVI_SCORE',
    RESL_SCORE: 'RESL_SCORE',
  },
  provenance: {
    source: 'fema_nri',
    title: 'National Risk Index, counties, first release',
    publisher: 'FEMA, redistributed by shroffp05/us-county-disaster-clustering',
    url: 'https://github.com/shroffp05/us-county-disaster-clustering',
    licence: 'not stated by the repository; US public domain at its source',
    vintage: '2020 (first release)',
    note: 'Stands in for the latest version of the index: scores of its first release, no losses by hazard.',
  },
};

const timeZones: PlaceLayer = {
  dataset: 'tz_boundaries',
  layer: 'main',
  // The whole world in the file as it is published, the zones about the United States in the copy of the repository.
  file: 'national/time_zones_us.geojson.gz',
  // Zones at sea name no place.
  where: 'tz_name1st is not null and zone >= -11 and zone <= -4',
  national: true,
  // Natural Earth at 1:10,000,000 (NMAS: 0.02 inch).
  accuracyM: 5_000,
  columns: { tzid: 'tz_name1st' },
  provenance: {
    source: 'natural_earth_time_zones',
    title: 'Time zones 1:10,000,000',
    publisher: 'Natural Earth, redistributed by martynafford/natural-earth-geojson',
    url: 'https://github.com/martynafford/natural-earth-geojson',
    licence: 'public domain',
    vintage: 'not stated',
    note: 'Stands in for time zones (tz_boundaries): one name a zone, so that states with rules of their own (Arizona, Indiana) are not told apart.',
    generalised: true,
  },
};

/** Chittenden County, Vermont: water, towns and the county's risk. */
const chittenden: Place = {
  name: 'chittenden-vt',
  title: 'Chittenden County, Vermont',
  state: 'VT',
  county: '50007',
  coverage: { file: 'chittenden-vt/county.geojson' },
  files: {
    ...onGitHub('GeoSprocket/btv-geographic', 'c1606f9e87b1877bc4cd0c01ba0c98a4f0e9dc28', {
      'chittenden-vt/county.geojson': 'geodata/chittenden_county.geojson',
      'chittenden-vt/huc12_subwatersheds.geojson.gz': 'geodata/chittenden_subwatersheds.geojson',
      'chittenden-vt/towns.geojson.gz': 'geodata/chittenden_towns.geojson',
      'chittenden-vt/wetlands_vswi.geojson.gz': 'geodata/chittenden_vswi_wetlands.geojson',
    }),
    ...nationalFiles('national/fema_nri_counties.csv.gz', 'national/time_zones_us.geojson.gz'),
  },
  layers: [outline, towns, subwatersheds, wetlands, riskIndex, timeZones],
};

export default chittenden;
