import { normalColumns } from '../../codes/climate-normals.ts';
import type { Join, PlaceLayer } from '../../place/place.ts';
import { byState, fromGeodatabase, REGION, raster, synthetic, tableIn } from './layer.ts';

/** A soil layer: the polygons of a state joined to its tables, one after the other. */
function soil(
  layer: string,
  columns: Readonly<Record<string, readonly string[]>>,
  joins: (table: (name: string, rest: Parameters<typeof tableIn>[3]) => Join) => readonly Join[],
) {
  return byState(({ code }) => {
    const file = `usda/gSSURGO_${code}.zip`;
    const joined = Object.entries(columns).flatMap(([table, names]) => names.map(name => [name, `${table}.${name}`]));
    return fromGeodatabase(
      'usda_ssurgo',
      layer,
      file,
      'MUPOLYGON',
      { mukey: 'MUKEY', ...Object.fromEntries(joined) },
      { join: joins((name, rest) => tableIn(file, name, name, rest)) },
    );
  });
}

const MAP_UNIT = { key: 'mukey', to: 'MUKEY', required: true } as const;
/** The component that a map unit is mostly made of. */
const DOMINANT = { ...MAP_UNIT, greatest: { of: 'comppct_r', ties: 'cokey' } } as const;
/** Its top metre. */
const TOP_METRE = {
  key: 'cokey',
  to: 'component.cokey',
  mean: { value: 'lep_r', top: 'hzdept_r', bottom: 'hzdepb_r', within: [0, 100] },
} as const;

/** Hydrography of the four-digit unit that the area lies in. */
const HYDROGRAPHY = 'usgs/NHDPLUS_H_0106_HU4_GDB.zip';
const hydrography = (layer: string, columns: Parameters<typeof synthetic>[3], rest: Partial<PlaceLayer> = {}) =>
  fromGeodatabase('usgs_nhdplus_hr', layer, HYDROGRAPHY, layer, columns, rest);
const ofFlowline = { key: 'NHDPlusID', to: 'NHDPlusID' } as const;

const HAZARDS = 'IFLD CFLD HRCN TRND SWND HAIL LTNG WFIR ERQK LNDS DRGT HWAV CWAV WNTW ISTM AVLN TSUN VLCN'.split(' ');

/** Terrain, water, soil, cover, protected land, climate and hazards. */
export const land: readonly PlaceLayer[] = [
  raster('usgs_3dep', 'main', 'usgs/USGS_1_n44w071.tif'),
  hydrography(
    'NHDFlowline',
    {
      ...Object.fromEntries(['NHDPlusID', 'GNIS_Name', 'FType', 'FCode', 'LengthKM'].map(name => [name, name])),
      StreamOrde: 'vaa.StreamOrde',
      MinElevSmo: 'vaa.MinElevSmo',
      QEMA: 'eromma.QEMA',
    },
    {
      join: [
        tableIn(HYDROGRAPHY, 'NHDPlusFlowlineVAA', 'vaa', ofFlowline),
        tableIn(HYDROGRAPHY, 'NHDPlusEROMMA', 'eromma', ofFlowline),
      ],
    },
  ),
  hydrography('NHDWaterbody', ['NHDPlusID', 'GNIS_Name', 'FType']),
  hydrography('NHDArea', ['NHDPlusID', 'GNIS_Name', 'FType']),
  fromGeodatabase('usgs_wbd', 'WBDHU12', 'usgs/WBD_National_GDB.zip', 'WBDHU12', ['huc12', 'name', 'areasqkm']),
  ...soil('mapunit', { mapunit: ['musym', 'muname', 'farmlndcl'] }, table => [table('mapunit', MAP_UNIT)]),
  ...soil(
    'muaggatt',
    { muaggatt: ['hydgrpdcd', 'drclassdcd', 'brockdepmin', 'wtdepannmin', 'flodfreqdcd', 'engstafdcd'] },
    table => [table('muaggatt', MAP_UNIT)],
  ),
  ...soil('component', { component: ['cokey', 'comppct_r', 'corsteel', 'corcon'] }, table => [
    table('component', DOMINANT),
  ]),
  ...soil('chorizon', { component: ['cokey'], chorizon: ['lep_r'] }, table => [
    table('component', DOMINANT),
    table('chorizon', TOP_METRE),
  ]),
  raster('mrlc_nlcd', 'land_cover', 'mrlc/Annual_NLCD_LndCov_2024.tif'),
  raster('mrlc_nlcd', 'land_cover_2001', 'mrlc/Annual_NLCD_LndCov_2001.tif'),
  raster('mrlc_nlcd', 'impervious', 'mrlc/Annual_NLCD_FctImp_2024.tif'),
  raster('mrlc_nlcd', 'tree_canopy', 'mrlc/nlcd_tcc_conus_2023.tif'),
  ...byState(({ code }) =>
    fromGeodatabase('usfws_nwi', 'main', `usfws/${code}_geodatabase_wetlands.zip`, `${code}_Wetlands`, [
      'ATTRIBUTE',
      'WETLAND_TYPE',
      'ACRES',
    ]),
  ),
  ...byState(({ code }) =>
    fromGeodatabase('usgs_padus', 'main', `usgs/PADUS4_1_State_${code}_GDB.zip`, `PADUS4_1Combined_State_${code}`, [
      'Unit_Nm',
      'FeatClass',
      'Category',
      'Own_Type',
      'Mang_Type',
      'Mang_Name',
      'Des_Tp',
      'Pub_Access',
      'GAP_Sts',
    ]),
  ),
  raster('nrel_nsrdb', 'ghi', 'nrel/nsrdb_v4_ghi.tif'),
  raster('nrel_nsrdb', 'dni', 'nrel/nsrdb_v4_dni.tif'),
  raster('koppen', 'main', 'gloh2o/koppen_geiger_1991_2020.tif'),
  synthetic('usda_phzm', 'main', 'prism/phzm_us_zones.shp.zip', ['zone', 'trange']),
  synthetic('tz_boundaries', 'main', 'tz/combined-with-oceans.geojson', ['tzid']),
  synthetic('noaa_cmra', 'main', 'noaa/cmra_screening_counties.csv', [
    'GEOID',
    'HISTORIC_MEAN_TMAX95F',
    'RCP85MID_MEAN_TMAX95F',
    'RCP85MID_MEAN_CDD',
    'RCP85MID_MEAN_CONSECDD',
  ]),
  synthetic('noaa_normals', 'main', 'noaa/normals_annualseasonal_1991_2020.csv', normalColumns(), {
    options: { x: 'LONGITUDE', y: 'LATITUDE', crs: 'EPSG:4326' },
  }),
  ...byState(({ fips }) =>
    fromGeodatabase('fema_nfhl', 'S_FLD_HAZ_AR', `fema/NFHL_${fips}_20260915.zip`, 'S_FLD_HAZ_AR', [
      'DFIRM_ID',
      'FLD_AR_ID',
      'FLD_ZONE',
      'ZONE_SUBTY',
      'SFHA_TF',
      'STATIC_BFE',
      'V_DATUM',
      'LEN_UNIT',
    ]),
  ),
  ...byState(({ fips }) =>
    fromGeodatabase('fema_nfhl', 'S_FIRM_PAN', `fema/NFHL_${fips}_20260915.zip`, 'S_FIRM_PAN', [
      'DFIRM_ID',
      'FIRM_PAN',
      'EFF_DATE',
    ]),
  ),
  fromGeodatabase(
    'nifc_perimeters',
    'main',
    'nifc/InterAgencyFirePerimeterHistory_All_Years_View.gdb.zip',
    'InterAgencyFirePerimeterHistory_All_Years_View',
    ['INCIDENT', 'FIRE_YEAR', 'FIRE_YEAR_INT', 'GIS_ACRES'],
  ),
  synthetic('noaa_spc', 'tornado', 'noaa/1950-2024-torn-aspath.shp.zip', ['om', 'yr'], REGION),
  synthetic('noaa_spc', 'hail', 'noaa/1955-2024-hail.shp.zip', ['om', 'yr', 'mag'], REGION),
  synthetic(
    'noaa_ibtracs',
    'main',
    'noaa/IBTrACS.NA.list.v04r01.lines.shp.zip',
    ['SID', 'NAME', 'SEASON', 'USA_WIND', 'USA_SSHS'],
    REGION,
  ),
  raster('usgs_earthquake', 'nshm_pga_2pct50', 'usgs/nshm_pga_2pct50.tif'),
  raster('usgs_earthquake', 'design_ss', 'usgs/design_ss.tif'),
  raster('usgs_earthquake', 'design_s1', 'usgs/design_s1.tif'),
  synthetic('usgs_earthquake', 'qfaults', 'usgs/qfaults.geojson', ['fault_name', 'slip_rate', 'age'], REGION),
  synthetic('usgs_earthquake', 'comcat', 'usgs/comcat.csv', ['id', 'mag', 'time', 'type'], {
    ...REGION,
    options: { x: 'longitude', y: 'latitude', crs: 'EPSG:4326' },
  }),
  fromGeodatabase('usgs_landslides', 'inventory', 'usgs/US_Landslide_v3_gdb.zip', 'us_landslide_v3_poly', [
    'Date',
    'Confidence',
  ]),
  raster('usgs_landslides', 'susceptibility_n10', 'usgs/landslide_susceptibility_n10.tif'),
  synthetic(
    'usace_nid',
    'main',
    'usace/nation.csv',
    ['NID ID', 'Dam Name', 'Dam Height (Ft)', 'Hazard Potential Classification'],
    { options: { x: 'Longitude', y: 'Latitude', crs: 'EPSG:4326' } },
  ),
  synthetic('fema_nri', 'tract', 'fema/NRI_Table_CensusTracts.csv', [
    'TRACTFIPS',
    'STCOFIPS',
    'NRI_VER',
    'RISK_SCORE',
    'RISK_RATNG',
    'EAL_VALT',
    'SOVI_SCORE',
    'RESL_SCORE',
    ...HAZARDS.flatMap(hazard => [`${hazard}_RISKS`, `${hazard}_EALT`, `${hazard}_RISKR`]),
  ]),
  synthetic('epa_radon', 'main', 'epa/radon_zones.csv', {
    // Names are keyed to FIPS on load, as for the national file.
    county_fips: { from: 'county', lookup: { SYNTHETIC: '23999', 'SYNTHETIC SOUTH': '33999' } },
    state: 'state',
    county: 'county',
    zone: 'zone',
  }),
];
