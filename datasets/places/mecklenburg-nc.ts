import { onGitHub } from '../place/github.ts';
import { nationalFiles } from '../place/national-files.ts';
import type { Place, PlaceLayer, Provenance } from '../place/place.ts';

/** What the county's planners published, as their public repository has it. */
const county = (source: string, title: string, note: string | null): Provenance => ({
  source,
  title,
  publisher: 'Mecklenburg County GIS, North Carolina',
  url: 'https://github.com/mecklenburg-gis/mecklenburg-gis-opendata',
  licence: 'MIT (repository)',
  vintage: '2013',
  note,
});

/** The three districts that share the county, cut at its border: together they are the county. */
const DISTRICTS = 'mecklenburg-nc/congressional_districts.geojson.gz';

const congressional: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'cd',
  file: DISTRICTS,
  expectRows: 3,
  columns: { GEOID: { from: [{ const: '37' }, { from: 'district', type: 'string', pad: 2 }], join: '' } },
  provenance: county(
    'mecklenburg_congressional_districts_2013',
    'US House districts in Mecklenburg County',
    'Stands in for congressional districts (census_tiger:cd): districts of the 113th Congress, redrawn since.',
  ),
};

/** Counties with their metropolitan area, united. */
const metropolitan: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'cbsa',
  file: 'national/counties_20m.geojson.gz',
  expectRows: 3_221,
  national: true,
  // Cartographic boundaries of 1:20,000,000 (NMAS: 0.02 inch).
  accuracyM: 10_000,
  join: {
    file: 'national/cbsa_county_crosswalk.csv',
    prefix: 'cbsa',
    key: { from: ['fipsstatecode_2', 'fipscountycode_3'], join: '' },
    to: { from: 'GEO_ID', slice: [9, 14] },
  },
  where: 'cbsa.cbsacode is not null',
  columns: { GEOID: 'cbsa.cbsacode', NAME: 'cbsa.cbsatitle' },
  dissolve: 'GEOID',
  provenance: {
    source: 'omb_cbsa_delineation_2020',
    title: 'Metropolitan and micropolitan areas of 2020, made of the counties they list',
    publisher: 'OMB and US Census Bureau, as tabulated by NBER',
    url: 'https://github.com/Data-Design-Dimension/real-estate-stats',
    licence: 'US public domain; counties redistributed under MIT',
    vintage: '2020',
    note: 'Stands in for metropolitan and micropolitan areas (census_tiger:cbsa): the delineation of 2020 over county borders of 2010, generalized by kilometers.',
    generalised: true,
  },
};

const schools: PlaceLayer = {
  dataset: 'nces_edge',
  layer: 'public_schools',
  file: 'mecklenburg-nc/schools.geojson',
  expectRows: 46,
  columns: { NAME: 'name' },
  unpublished: ['NCESSCH'],
  provenance: county(
    'mecklenburg_schools',
    'Schools of Mecklenburg County',
    'Stands in for public schools (nces_edge:public_schools): a selection of the county without federal numbers.',
  ),
};

/** Charlotte and the metropolitan areas of the country. */
const mecklenburg: Place = {
  name: 'mecklenburg-nc',
  title: 'Mecklenburg County, North Carolina',
  state: 'NC',
  county: '37119',
  coverage: { file: DISTRICTS },
  files: {
    ...onGitHub('mecklenburg-gis/mecklenburg-gis-opendata', '30d5a88cbbbd73aaa41510a6490a081112eb103e', {
      'mecklenburg-nc/congressional_districts.geojson.gz': 'data/national_congressional.geojson',
      'mecklenburg-nc/schools.geojson': 'data/schools.geojson',
    }),
    ...nationalFiles('national/counties_20m.geojson.gz', 'national/cbsa_county_crosswalk.csv'),
  },
  layers: [congressional, metropolitan, schools],
};

export default mecklenburg;
