import type { PlaceLayer, Provenance } from '../../place/place.ts';
import { city } from './provenance.ts';

const FILE = 'bangor-me/census_blocks_2010.geojson.gz';
const ROWS = 714;

function census(title: string, note: string): Provenance {
  return {
    source: 'census_tiger_2010',
    title,
    publisher: 'US Census Bureau',
    url: 'https://github.com/mainehackerclub/bangor',
    licence: 'US public domain; redistributed under MIT',
    vintage: '2010',
    note,
  };
}

const STANDS_IN = 'Numbers of the 2010 census, not of 2020; the same number can name other ground.';

const blocks: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'tabblock20',
  file: FILE,
  expectRows: ROWS,
  columns: { GEOID20: 'GEOID10', POP20: 'POP10', ALAND20: 'ALAND10', AWATER20: 'AWATER10' },
  provenance: census(
    '2010 census blocks, City of Bangor',
    `Stands in for census blocks (census_tiger:tabblock20). ${STANDS_IN}`,
  ),
};

const blockGroups: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'bg',
  file: FILE,
  expectRows: ROWS,
  columns: { GEOID: { from: 'GEOID10', slice: [0, 12] } },
  dissolve: 'GEOID',
  provenance: census(
    '2010 census block groups, dissolved from blocks of the City of Bangor',
    `Stands in for census block groups (census_tiger:bg). ${STANDS_IN}`,
  ),
};

const tracts: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'tract',
  file: FILE,
  expectRows: ROWS,
  columns: { GEOID: { from: 'GEOID10', slice: [0, 11] }, STATEFP: 'STATEFP10' },
  dissolve: 'GEOID',
  provenance: census(
    '2010 census tracts, dissolved from blocks of the City of Bangor',
    `Stands in for census tracts (census_tiger:tract). ${STANDS_IN}`,
  ),
};

const houseDistricts: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'sldl',
  file: 'bangor-me/legislative_districts.geojson',
  expectRows: 4,
  columns: {
    GEOID: { from: [{ const: '23' }, { from: 'District', type: 'string', pad: 3 }], join: '' },
    NAMELSAD: { template: 'State House District {District}' },
  },
  provenance: city(
    'bangor_legislative_districts',
    'State legislative districts of Bangor',
    '2013 publication',
    'Stands in for state house districts (census_tiger:sldl): districts of the Maine House before 2014, redrawn twice since.',
  ),
};

/** The file has the outline alone; the name is the Census Bureau's for the urbanized area around the city. */
const urbanArea: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'uac20',
  file: 'bangor-me/urbanized_area.geojson',
  expectRows: 1,
  columns: { NAME20: { const: 'Bangor, ME' } },
  unpublished: ['GEOID20'],
  provenance: city(
    'bangor_urbanized_area',
    'Census urbanized area',
    '2013 publication',
    'Stands in for urban areas (census_tiger:uac20): an urbanized area before 2020, as the city drew it.',
  ),
};

/**
 * Designated tracts only. The list says nothing on tract 23019000300: the required join rejects its blocks, and the
 * coverage leaves them out.
 */
const opportunityZones: PlaceLayer = {
  dataset: 'cdfi_opportunity_zones',
  layer: 'main',
  file: FILE,
  expectRows: ROWS,
  join: {
    file: 'national/opportunity_zone_tracts.csv.gz',
    prefix: 'list',
    key: 'geoid',
    to: { from: 'GEOID10', slice: [0, 11] },
    required: true,
  },
  where: 'list.oz = 1',
  columns: { GEOID10: { from: 'GEOID10', slice: [0, 11] } },
  dissolve: 'GEOID10',
  coverage: { file: FILE, where: "TRACT10 != '000300'" },
  expect: {
    rejected: 1,
    because: 'The list does not name tract 23019000300: its 68 blocks join nothing, and the where skips all others.',
  },
  provenance: {
    source: 'cdfi_opportunity_zones',
    title: 'Opportunity Zone tracts joined to 2010 census tracts of the City of Bangor',
    publisher: 'US Treasury CDFI Fund, as compiled by a third party',
    url: 'https://github.com/paxtonhyde/opportunity-zones',
    licence: 'not stated',
    vintage: '2018 designations',
    note: null,
  },
};

/** The city as the census place it is: the city's boundary with the census's name and code. */
const place: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'place',
  file: 'bangor-me/city_boundary.geojson',
  expectRows: 1,
  // C5: incorporated place that is its own county subdivision, as the cities of Maine are (02795 in both codes).
  columns: { GEOID: { const: '2302795' }, NAMELSAD: { const: 'Bangor city' }, CLASSFP: { const: 'C5' } },
  provenance: city(
    'bangor_boundary',
    'Bangor city boundary',
    'city copy of 2013',
    'Stands in for cities and towns (census_tiger:place) with the census name and class of the city.',
  ),
};

/** Census areas of the city. */
export const census2010: readonly PlaceLayer[] = [
  houseDistricts,
  urbanArea,
  blocks,
  blockGroups,
  tracts,
  opportunityZones,
  place,
];
