import type { PlaceLayer, Provenance } from '../../../datasets/place/place.ts';

/** A real file that no place of this build maps, as a layer whose fields it says something of. */
export interface MoreLayer {
  readonly place: string;
  readonly layer: PlaceLayer;
  /** Fields that are checked by it: others of the layer ask for what the file does not tell apart. */
  readonly fields: readonly string[];
}

const provenance = (source: string, title: string, vintage: string): Provenance => ({
  ...{ source, title, vintage, url: null, note: null },
  ...{ publisher: 'as published beside the project', licence: 'US public record' },
});

const district = (
  file: string,
  dataset: string,
  layer: string,
  columns: PlaceLayer['columns'],
  fields: readonly string[],
  more: Partial<PlaceLayer> = {},
): MoreLayer => ({
  place: 'washington-dc',
  fields,
  layer: {
    ...{ dataset, layer, file: `washington-dc/${file}`, columns, unpublished: [] },
    provenance: provenance(`dc_${dataset}_${layer.toLowerCase()}`, file, '2016'),
    ...more,
  },
});

const national = (
  file: string,
  dataset: string,
  layer: string,
  columns: PlaceLayer['columns'],
  fields: readonly string[],
  more: Partial<PlaceLayer> = {},
): MoreLayer => ({
  place: 'bangor-me',
  fields,
  layer: {
    ...{ dataset, layer, file: `national/${file}`, columns, unpublished: [], national: true },
    provenance: provenance(`nation_${dataset}_${layer.toLowerCase()}`, file, '2019'),
    ...more,
  },
});

/** They stand in for what the catalog's own products say, as files of a place do; only tests read them so. */
export const MORE_LAYERS: readonly MoreLayer[] = [
  district('zip_codes.geojson.gz', 'census_tiger', 'zcta520', { ZCTA5CE20: 'ZIP_CODE_TEXT' }, ['zcta']),
  district(
    'census_tracts_2010.geojson.gz',
    'census_acs',
    'tract',
    { GEOID: 'GEOID', B01003_001E: 'P0010001', B25002_001E: 'H0010001', B25002_003E: 'H0010003' },
    ['tract_population', 'tract_housing_vacancy_pct'],
    { provenance: provenance('census_2010', 'Census of 2010 by tract', '2010') },
  ),
  district('metro_stations.geojson', 'bts_ntad', 'transit_stops', { stop_id: 'GIS_ID', stop_name: 'NAME' }, [
    'nearest_transit_stop_distance_m',
    'transit_stop_count_within_800m',
  ]),
  district(
    'towers_land_mobile.geojson.gz',
    'fcc_asr',
    'main',
    { 'Unique System Identifier': 'LIC_ID', 'Status Code': { const: 'C' } },
    ['nearest_antenna_structure_distance_m'],
  ),
  district(
    'historic_districts.geojson.gz',
    'nps_nrhp',
    'main',
    { RESNAME: 'NAME' },
    ['nearest_historic_place_distance_m'],
    { geometry: 'polygon' },
  ),
  district(
    'national_parks.geojson.gz',
    'usgs_padus',
    'main',
    {
      Unit_Nm: 'NAME',
      FeatClass: { const: 'Fee' },
      Category: { const: 'Fee' },
      Own_Type: { const: 'FED' },
      Mang_Name: { const: 'NPS' },
    },
    ['within_protected_area', 'protected_area_name', 'protected_area_manager', 'within_federal_land'],
  ),
  {
    place: 'bangor-me',
    fields: ['intersects_nhd_area'],
    layer: {
      ...{ dataset: 'usgs_nhdplus_hr', layer: 'NHDArea', file: 'bangor-me/streams.geojson.gz', unpublished: [] },
      columns: { FType: { const: 460 } },
      provenance: provenance('bangor_stream_areas', 'Streams between their banks', '2013'),
    },
  },
  {
    place: 'mecklenburg-nc',
    fields: ['nearest_park_distance_m', 'poi_count_within_1km'],
    layer: {
      ...{ dataset: 'overture_places', layer: 'main', file: 'mecklenburg-nc/parks.geojson', unpublished: [] },
      columns: {
        id: 'name',
        'names.primary': 'name',
        'categories.primary': {
          from: 'type',
          lookup: { 'NEIGHBORHOOD PARK': 'park', 'COMMUNITY PARK': 'park', 'REGIONAL PARK': 'park' },
          otherwise: 'recreation',
        },
        confidence: { const: 1 },
      },
      provenance: provenance('mecklenburg_parks', 'Parks and recreation', '2013'),
    },
  },
  {
    place: 'bangor-me',
    fields: ['state_senate_district'],
    layer: {
      ...{ dataset: 'census_tiger', layer: 'sldu', file: 'bangor-me/census_blocks_2010.geojson.gz', unpublished: [] },
      columns: {
        GEOID: { from: [{ const: '23' }, { from: 'SNDSTRCT03', type: 'string', pad: 3 }], join: '' },
        NAMELSAD: { template: 'State Senate District {SNDSTRCT03}' },
      },
      dissolve: 'GEOID',
      provenance: provenance('census_2010', 'Districts of the 2010 blocks', '2010'),
    },
  },
  national(
    'power_plants_usa.csv.gz',
    'eia_860m',
    'operating',
    {
      'Plant ID': { from: 'gppd_idnr', patterns: [{ match: '^USA0*(\\d+)$', value: '$1' }] },
      'Generator ID': { const: '1' },
      Technology: {
        from: 'primary_fuel',
        lookup: { Solar: 'Solar Photovoltaic', Wind: 'Onshore Wind Turbine', Storage: 'Batteries' },
        otherwise: 'Other Natural Gas',
      },
      'Nameplate Capacity (MW)': 'capacity_mw',
    },
    [
      'generation_capacity_within_50km_mw',
      'solar_capacity_within_50km_mw',
      'wind_capacity_within_50km_mw',
      'battery_capacity_within_50km_mw',
    ],
    { options: { crs: 'EPSG:4326', x: 'longitude', y: 'latitude' }, where: 'primary_fuel is not null' },
  ),
  national(
    'earthquakes_week.geojson.gz',
    'usgs_earthquake',
    'comcat',
    { id: 'id', mag: 'mag', time: { from: 'time', dateFormat: 'epoch ms' }, type: 'type' },
    ['earthquake_count_m4_within_100km'],
  ),
];
