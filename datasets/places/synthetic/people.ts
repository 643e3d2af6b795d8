import { LODES_SECTORS } from '../../codes/lodes-sectors.ts';
import type { PlaceLayer } from '../../place/place.ts';
import { byState, synthetic } from './layer.ts';

const tiger = (layer: string, name: string, columns: Parameters<typeof synthetic>[3]) =>
  synthetic('census_tiger', layer, `census/tl_2025_${name}.shp.zip`, columns);

/** Census areas, roads and the statistics of county and tracts. */
export const people: readonly PlaceLayer[] = [
  tiger('state', 'us_state', ['GEOID', 'STATEFP', 'STUSPS', 'NAME']),
  tiger('county', 'us_county', ['GEOID', 'STATEFP', 'COUNTYFP', 'NAME', 'NAMELSAD']),
  ...byState(({ fips }) => tiger('tract', `${fips}_tract`, ['GEOID', 'STATEFP'])),
  ...byState(({ fips }) => tiger('bg', `${fips}_bg`, ['GEOID'])),
  ...byState(({ fips }) => tiger('tabblock20', `${fips}_tabblock20`, ['GEOID20', 'POP20', 'ALAND20', 'AWATER20'])),
  ...byState(({ fips }) => tiger('place', `${fips}_place`, ['GEOID', 'NAMELSAD', 'CLASSFP'])),
  tiger('zcta520', 'us_zcta520', ['ZCTA5CE20']),
  tiger('coastline', 'us_coastline', ['NAME']),
  ...byState(({ county }) =>
    synthetic(
      'census_tiger',
      'roads',
      `census/tl_2025_${county}_roads.shp.zip`,
      ['LINEARID', 'FULLNAME', 'MTFCC', 'RTTYP'],
      // Address ranges stand in the edges files, which the area does not publish.
      { unpublished: ['LFROMADD', 'LTOADD', 'RFROMADD', 'RTOADD', 'ZIPL', 'ZIPR'] },
    ),
  ),
  // Roads that meet across the state line are one network: both files make one graph.
  ...['23999', '33999'].map(county =>
    synthetic('census_tiger', 'road_graph', `census/tl_2025_${county}_roads.shp.zip`, ['LINEARID', 'MTFCC']),
  ),
  ...byState(({ fips }) =>
    tiger('tabblock20_internal_points', `${fips}_tabblock20_internal_points`, ['GEOID20', 'POP20']),
  ),
  ...byState(({ code, fips }) =>
    synthetic(
      'census_lodes',
      'main',
      `census/tl_2025_${fips}_tabblock20_internal_points.shp.zip`,
      {
        w_geocode: 'GEOID20',
        ...Object.fromEntries(['C000', ...Object.keys(LODES_SECTORS)].map(name => [name, `wac.${name}`])),
      },
      {
        join: {
          file: `census/${code.toLowerCase()}_wac_S000_JT00_2023.csv.gz`,
          prefix: 'wac',
          key: 'w_geocode',
          to: 'GEOID20',
        },
        where: 'wac.C000 is not null',
      },
    ),
  ),
  synthetic('cdfi_opportunity_zones', 'main', 'cdfi/opportunity_zones.geojson', ['GEOID10']),
  synthetic('census_pep', 'main', 'census/co-est2025-alldata.csv', {
    county_fips: {
      from: [
        { from: 'STATE', type: 'string', pad: 2 },
        { from: 'COUNTY', type: 'string', pad: 3 },
      ],
      join: '',
    },
    POPESTIMATE2024: 'POPESTIMATE2024',
    POPESTIMATE2025: 'POPESTIMATE2025',
    DOMESTICMIG2025: 'DOMESTICMIG2025',
  }),
  synthetic('census_acs', 'county', 'census/acs2024_5yr_county.table.json', {
    GEOID: { from: 'GEO_ID', slice: [9, 14] },
    B19013_001E: 'B19013_001E',
    B19013_001M: 'B19013_001M',
  }),
  synthetic('fhfa_hpi', 'main', 'fhfa/hpi_at_county.csv', {
    'FIPS code': 'FIPS code',
    Year: 'Year',
    HPI: { from: 'HPI', null: ['.'] },
    'Annual Change (%)': { from: 'Annual Change (%)', null: ['.'] },
  }),
];
