import type { PlaceLayer } from '../../place/place.ts';
import { byState, fromGeodatabase, REGION, synthetic } from './layer.ts';

/** The monthly workbook, whose sheets have their header in the third line. */
const GENERATORS = 'eia/september_generator2026.xlsx';
const inventory = (sheet: string) => ({ sheet, skipLines: 2, x: 'Longitude', y: 'Latitude', crs: 'EPSG:4326' });

/** Buildings, transport, services and power. */
export const built: readonly PlaceLayer[] = [
  ...byState(({ code }) =>
    fromGeodatabase('fema_usa_structures', 'main', `fema/Deliverable20240501${code}.zip`, `${code}_Structures`, [
      'BUILD_ID',
      'PROP_ADDR',
      'OCC_CLS',
      'PRIM_OCC',
      'SQMETERS',
      'HEIGHT',
      'IMAGE_DATE',
    ]),
  ),
  // One national file in reality; here each state's rows stand apart.
  ...byState(({ code }) =>
    synthetic(
      'usdot_nad',
      'main',
      `usdot/NAD_${code}.csv`,
      [
        'UUID',
        'Add_Number',
        'St_Name',
        'Inc_Muni',
        'Post_City',
        'State',
        'Zip_Code',
        'AddNo_Full',
        'StNam_Full',
        'Placement',
      ],
      { options: { x: 'Longitude', y: 'Latitude', crs: 'EPSG:4326' } },
    ),
  ),
  synthetic('bts_ntad', 'narn', 'ntad/NTAD_North_American_Rail_Network_Lines.geojson', ['FRAARCID', 'RROWNER1', 'NET']),
  synthetic('bts_ntad', 'aviation_facilities', 'ntad/NTAD_Aviation_Facilities.geojson', [
    'ARPT_ID',
    'ARPT_NAME',
    'SITE_TYPE_CODE',
    'FACILITY_USE_CODE',
    'FAR_139_TYPE_CODE',
  ]),
  synthetic('hifld_archive', 'hospitals', 'hifld/Hospitals.geojson', ['ID', 'NAME', 'STATUS', 'BEDS', 'TRAUMA']),
  fromGeodatabase('usgs_structures', 'main', 'usgs/STRUCT_National_GDB.zip', 'Struct_Point', [
    'PERMANENT_IDENTIFIER',
    'NAME',
    'FTYPE',
    'FCODE',
  ]),
  synthetic('nces_edge', 'public_schools', 'nces/EDGE_GEOCODE_PUBLICSCH_2425.geojson', ['NCESSCH', 'NAME']),
  synthetic('eia_atlas', 'transmission_lines', 'eia/Electric_Power_Transmission_Lines.geojson', [
    'ID',
    'OWNER',
    'STATUS',
    'VOLTAGE',
    'VOLT_CLASS',
    'SUB_1',
    'SUB_2',
  ]),
  synthetic('eia_860m', 'plant', GENERATORS, ['Plant ID', 'Plant Name', 'Technology', 'Nameplate Capacity (MW)'], {
    options: inventory('Operating'),
    group: { sum: 'Nameplate Capacity (MW)', of: 'Technology' },
  }),
  synthetic(
    'eia_860m',
    'operating',
    GENERATORS,
    ['Plant ID', 'Generator ID', 'Technology', 'Nameplate Capacity (MW)'],
    {
      ...REGION,
      options: inventory('Operating'),
    },
  ),
  synthetic('eia_860m', 'planned', GENERATORS, ['Plant ID', 'Nameplate Capacity (MW)'], {
    ...REGION,
    options: inventory('Planned'),
  }),
  synthetic('usgs_eersc', 'uswtdb', 'usgs/uswtdb.geojson', ['case_id', 't_cap'], REGION),
  synthetic('usgs_eersc', 'uspvdb', 'usgs/uspvdb.geojson', ['case_id', 'p_cap_ac'], REGION),
  synthetic('overture_places', 'main', 'overture/places.geojson', [
    'id',
    'names.primary',
    'categories.primary',
    'confidence',
  ]),
  synthetic('bts_ntad', 'transit_stops', 'ntad/NTAD_National_Transit_Map_Stops.geojson', ['stop_id', 'stop_name']),
  synthetic('peeringdb', 'fac', 'peeringdb/fac.geojson', ['id', 'name', 'net_count'], REGION),
  synthetic('osm_power', 'substation', 'osm/power_substation.geojson', ['osm_id', 'name', 'voltage', 'operator']),
  synthetic('epa_npl', 'main', 'epa/npl_sites.geojson', ['SITE_EPA_ID', 'SITE_NAME', 'NPL_STATUS_CODE']),
];
