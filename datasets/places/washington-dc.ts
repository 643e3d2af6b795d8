import type { Place, PlaceLayer, Provenance } from '../place/place.ts';
import { files } from './washington-dc/files.ts';
import { parcels } from './washington-dc/parcels.ts';
import { district } from './washington-dc/provenance.ts';

const COPY = 'copy of August 2016';

/** High-risk zones alone. Three polygons have no attribute at all: whether they are zones too is not known there. */
const floodZones: PlaceLayer = {
  dataset: 'fema_nfhl',
  layer: 'S_FLD_HAZ_AR',
  file: 'washington-dc/flood_sfha.geojson.gz',
  expectRows: 314,
  columns: { FLD_ZONE: 'FLD_ZONE', SFHA_TF: 'SFHA_TF' },
  // FLD_AR_ID is 108, STATIC_BFE -9999 and the rest blank in every row.
  unpublished: ['DFIRM_ID', 'FLD_AR_ID', 'ZONE_SUBTY', 'STATIC_BFE', 'V_DATUM', 'LEN_UNIT', "FLD_ZONE in ('V','VE')"],
  provenance: district(
    'dc_crs_sfha',
    'Special flood hazard areas of the Community Rating System',
    COPY,
    'Stands in for flood hazard areas (fema_nfhl:S_FLD_HAZ_AR) with zone AE alone.',
    [
      {
        columns: ['FLD_ZONE'],
        text: 'Outside the zones of this copy zone X, zone D and ground that is not mapped cannot be told apart.',
      },
    ],
  ),
};

/** Wetlands of the 1997 plan in the codes of the national inventory; its uplands (U) are none and are skipped. */
const wetlands: PlaceLayer = {
  dataset: 'usfws_nwi',
  layer: 'main',
  file: 'washington-dc/wetlands.geojson.gz',
  expectRows: 150,
  where: "WETLAND_ID != 'U'",
  columns: {
    ATTRIBUTE: 'WETLAND_ID',
    // The legend of the NWI mapper by the code's first class; OW is the open water of older maps.
    WETLAND_TYPE: {
      from: 'WETLAND_ID',
      patterns: [
        { match: '^PEM', value: 'Freshwater Emergent Wetland' },
        { match: '^P(FO|SS)', value: 'Freshwater Forested/Shrub Wetland' },
        { match: '^P(UB|AB|OW)', value: 'Freshwater Pond' },
        { match: '^R', value: 'Riverine' },
        { match: '^L', value: 'Lake' },
      ],
    },
  },
  unpublished: ['ACRES'],
  provenance: district(
    'dc_wetlands',
    'Wetlands of the 1997 wetland conservation plan',
    '1997',
    'Stands in for wetlands (usfws_nwi).',
    [{ columns: ['WETLAND_TYPE'], text: 'The type is derived from the code.' }],
  ),
};

const schools: PlaceLayer = {
  dataset: 'nces_edge',
  layer: 'public_schools',
  file: 'washington-dc/public_schools.geojson.gz',
  expectRows: 122,
  where: "STATUS != 'Not Open'",
  columns: { NAME: 'NAME' },
  unpublished: ['NCESSCH'],
  provenance: district(
    'dc_public_schools',
    'District of Columbia public schools',
    COPY,
    'Stands in for public schools (nces_edge:public_schools) within the District. Charter schools are not in the file.',
  ),
};

const hospitals: PlaceLayer = {
  dataset: 'hifld_archive',
  layer: 'hospitals',
  file: 'washington-dc/hospitals.geojson',
  expectRows: 18,
  columns: { ID: 'GIS_ID', NAME: 'NAME', STATUS: { const: 'OPEN' } },
  unpublished: ['BEDS', 'TRAUMA'],
  provenance: district(
    'dc_hospitals',
    'Hospitals',
    COPY,
    'Stands in for hospitals (hifld_archive:hospitals) within the District; the hospitals of 2016 are read as open.',
  ),
};

const fireStations: PlaceLayer = {
  dataset: 'usgs_structures',
  layer: 'main',
  file: 'washington-dc/fire_stations.geojson',
  expectRows: 34,
  columns: { NAME: 'NAME', FTYPE: { const: 740 }, FCODE: { const: 74026 } },
  unpublished: ['PERMANENT_IDENTIFIER', 'FCODE = 74034'],
  provenance: district(
    'dc_fire_stations',
    'Fire stations',
    COPY,
    'Stands in for fire and police stations (usgs_structures) with fire stations within the District; police stations are not in the file.',
  ),
};

function census(title: string, note: string): Provenance {
  return {
    ...district('census_tiger_2010', title, '2010', note),
    publisher: 'US Census Bureau, redistributed by Open Data DC',
  };
}

const tracts: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'tract',
  file: 'washington-dc/census_tracts_2010.geojson.gz',
  expectRows: 179,
  columns: { GEOID: 'GEOID', STATEFP: { const: '11' } },
  provenance: census(
    '2010 census tracts of the District of Columbia',
    'Stands in for census tracts (census_tiger:tract). Numbers of the 2010 census, not of 2020; the same number can name other ground.',
  ),
};

const blockGroups: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'bg',
  file: 'washington-dc/census_block_groups_2010.geojson.gz',
  expectRows: 450,
  columns: { GEOID: 'GEOID' },
  provenance: census(
    '2010 census block groups of the District of Columbia',
    'Stands in for census block groups (census_tiger:bg). Numbers of the 2010 census, not of 2020; the same number can name other ground.',
  ),
};

const BOUNDARY = 'washington-dc/dc_boundary.geojson.gz';

/** The District as the census place it is: no other lies in it. */
const place: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'place',
  file: BOUNDARY,
  expectRows: 1,
  // C7: incorporated place that is independent of any county.
  columns: { GEOID: 'STATE_CITY', NAMELSAD: { const: 'Washington city' }, CLASSFP: { const: 'C7' } },
  provenance: district(
    'dc_boundary',
    'District boundary',
    COPY,
    'Stands in for cities and towns (census_tiger:place) with the census name and class of the city.',
  ),
};

/** The District among the states: the national file of states leaves it out. */
const state: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'state',
  file: BOUNDARY,
  expectRows: 1,
  columns: {
    GEOID: { const: '11' },
    STATEFP: { const: '11' },
    STUSPS: { const: 'DC' },
    NAME: { const: 'District of Columbia' },
  },
  provenance: district(
    'dc_boundary',
    'District boundary',
    COPY,
    'Stands in for states (census_tiger:state) within the District of Columbia.',
  ),
};

/** Tracks of railroads, not of the Metro and the streetcar. */
const railroads: PlaceLayer = {
  dataset: 'bts_ntad',
  layer: 'narn',
  file: 'washington-dc/railroads.geojson.gz',
  expectRows: 963,
  where: "DESCRIPTION in ('Railroad Centerline', 'Hidden Railroad')",
  columns: {},
  // Drawn from aerial images: whether trains run on a track, and whose it is, is not said.
  unpublished: ['FRAARCID', 'RROWNER1', 'NET'],
  provenance: district(
    'dc_railroads',
    'Railroad centerlines',
    'photogrammetry of 2015',
    'Stands in for railroad lines (bts_ntad:narn) with lines alone: neither their class nor their owner is published.',
  ),
};

const substations: PlaceLayer = {
  dataset: 'osm_power',
  layer: 'substation',
  file: 'washington-dc/electric_substations.geojson',
  expectRows: 19,
  columns: {},
  // ELP_NAME is blank in every row.
  unpublished: ['osm_id', 'name', 'voltage', 'operator'],
  provenance: district(
    'dc_substations',
    'Electric substations',
    COPY,
    'Stands in for substations (osm_power:substation) within the District with outlines alone: no names, voltages or operators.',
  ),
};

/** Streams and canals; what runs hidden under ground has no type of the national product and is skipped. */
const streams: PlaceLayer = {
  dataset: 'usgs_nhdplus_hr',
  layer: 'NHDFlowline',
  file: 'washington-dc/hydrography_centerlines.geojson.gz',
  expectRows: 1_273,
  where: "DESCRIPTION != 'Hidden Hydrography Centerline'",
  columns: {
    GNIS_Name: 'NAME',
    FType: { from: 'DESCRIPTION', lookup: { 'Hydrography Centerline': 460, 'Hydrography Connector': 334 } },
  },
  unpublished: ['NHDPlusID', 'FCode', 'LengthKM', 'StreamOrde', 'MinElevSmo', 'QEMA'],
  provenance: district(
    'dc_hydrography',
    'Hydrography centerlines',
    '2005',
    'Stands in for streams (usgs_nhdplus_hr:NHDFlowline). Canals are read as streams; hidden reaches are left out.',
  ),
};

/**
 * Washington, District of Columbia. Zoning is not among its layers: the published planned unit developments lie in the
 * Atlantic and the overlays name no districts. Nor are protected areas: the land of the National Park Service alone would
 * make every city park and other federal ground answer that it is none.
 */
const washington: Place = {
  name: 'washington-dc',
  title: 'Washington, District of Columbia',
  state: 'DC',
  county: '11001',
  coverage: { file: BOUNDARY },
  files,
  layers: [
    ...parcels,
    floodZones,
    wetlands,
    schools,
    hospitals,
    fireStations,
    tracts,
    blockGroups,
    place,
    state,
    railroads,
    substations,
    streams,
  ],
};

export default washington;
