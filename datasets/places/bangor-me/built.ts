import type { PlaceLayer } from '../../place/place.ts';
import { city } from './provenance.ts';

/** Footprints from photogrammetry. */
const buildings: PlaceLayer = {
  dataset: 'fema_usa_structures',
  layer: 'main',
  file: 'bangor-me/buildings.shp.zip',
  expectRows: 17_690,
  columns: {
    PROP_ADDR: 'PROP_ADDRS',
    SQMETERS: { from: 'BLDG_AREA', null: [0] },
    // Type has the classes of the national product for some; Lodging, Hospital and Institution name no single one.
    OCC_CLS: {
      from: 'Type',
      lookup: {
        Commercial: 'Commercial',
        Industrial: 'Industrial',
        Government: 'Government',
        Education: 'Education',
        Religious: 'Assembly',
      },
    },
  },
  unpublished: ['BUILD_ID', 'PRIM_OCC', 'HEIGHT', 'IMAGE_DATE', "OCC_CLS = 'Residential'"],
  provenance: city(
    'bangor_buildings',
    'Bangor building footprints',
    '2010 photogrammetry',
    'Stands in for buildings (fema_usa_structures).',
    [
      {
        columns: ['OCC_CLS'],
        text: 'Homes and outbuildings carry no occupancy in it, so no residential building is known as such.',
      },
    ],
  ),
};

/** Road centrelines with address ranges. */
const roads: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'roads',
  file: 'bangor-me/road_centerlines.geojson.gz',
  expectRows: 2_099,
  columns: {
    // NAME is in capitals; route numbers (I-95, US-202, US HWY 2) stay so.
    FULLNAME: {
      from: [
        { from: 'NAME', patterns: [{ match: '^((?:I|US)-\\d.*|US HWY .*)$', value: '$1' }] },
        { from: 'NAME', patterns: [{ match: '^(?!(?:I|US)-\\d|US HWY )(.+)$', value: '$1' }], case: 'title' },
      ],
    },
    // Driveways and private roads are none of the public road classes and stay null.
    MTFCC: {
      from: 'CLASS',
      lookup: {
        INTERSTATE: 'S1100',
        'US HWY': 'S1200',
        'STATE HWY': 'S1200',
        MAJOR: 'S1400',
        MINOR: 'S1400',
        RAMP: 'S1630',
      },
    },
    RTTYP: {
      from: 'CLASS',
      lookup: { INTERSTATE: 'I', 'US HWY': 'U', 'STATE HWY': 'S', MAJOR: 'M', MINOR: 'M' },
    },
    LFROMADD: { from: 'ADD_L_FROM', null: [0] },
    LTOADD: { from: 'ADD_L_TO', null: [0] },
    RFROMADD: { from: 'ADD_R_FROM', null: [0] },
    RTOADD: { from: 'ADD_R_TO', null: [0] },
  },
  unpublished: ['LINEARID', 'ZIPL', 'ZIPR'],
  provenance: city(
    'bangor_roads',
    'Bangor road centerlines',
    'city copy of 2013',
    'Stands in for roads (census_tiger:roads).',
    [
      {
        columns: ['MTFCC', 'RTTYP'],
        text: 'Classes are the city’s, read as those of the Census Bureau; driveways and private roads have none.',
      },
    ],
  ),
};

/** Railroads with the abandoned Dow Field spur. */
const railroads: PlaceLayer = {
  dataset: 'bts_ntad',
  layer: 'narn',
  file: 'bangor-me/railroads.geojson',
  expectRows: 36,
  columns: {
    NET: { from: 'Type', lookup: { MAIN: 'M', BRANCH: 'O', SPUR: 'O', SIDING: 'S', YARD: 'Y', ABANDONED: 'A' } },
    // MMA is the reporting mark of the Montreal, Maine & Atlantic; X marks the abandoned line.
    RROWNER1: { from: 'RR_Abrv', lookup: { MEC: 'MEC', 'MM&A': 'MMA' } },
  },
  unpublished: ['FRAARCID'],
  provenance: city(
    'bangor_railroads',
    'Bangor railroads',
    'city copy of 2013',
    'Stands in for railroad lines (bts_ntad:narn).',
    [
      { columns: ['NET'], text: 'Branches and spurs are read as other track (O).' },
      { columns: ['RROWNER1'], text: 'Owners are those of 2013.' },
    ],
  ),
};

/** What people built: buildings, roads and railroads. */
export const built: readonly PlaceLayer[] = [buildings, roads, railroads];
