import { normalColumns } from '../../climate-normals.ts';
import type { PlaceLayer } from '../../place.ts';
import { byState, REGION, raster, synthetic } from './layer.ts';

/** A soil layer: the polygons of each survey joined to the legend by map unit key. */
const soil = (layer: string, columns: readonly string[]) =>
  byState(({ code }) =>
    synthetic(
      'usda_ssurgo',
      layer,
      `usda/soilmu_a_${code.toLowerCase()}999.shp.zip`,
      { mukey: 'MUKEY', ...Object.fromEntries(columns.map(name => [name, `legend.${name}`])) },
      {
        join: { file: 'usda/mapunit_legend.csv', prefix: 'legend', key: 'mukey', to: 'MUKEY', required: true },
      },
    ),
  );

const HAZARDS = 'IFLD CFLD HRCN TRND SWND HAIL LTNG WFIR ERQK LNDS DRGT HWAV CWAV WNTW ISTM AVLN TSUN VLCN'.split(' ');

/** Terrain, water, soil, cover, protected land, climate and hazards. */
export const land: readonly PlaceLayer[] = [
  raster('usgs_3dep', 'main', 'usgs/USGS_1_n44w071.tif'),
  synthetic('usgs_nhdplus_hr', 'NHDFlowline', 'usgs/NHDFlowline.shp.zip', [
    'NHDPlusID',
    'GNIS_Name',
    'FType',
    'FCode',
    'LengthKM',
    'StreamOrde',
    'MinElevSmo',
    'QEMA',
  ]),
  synthetic('usgs_nhdplus_hr', 'NHDWaterbody', 'usgs/NHDWaterbody.shp.zip', ['NHDPlusID', 'GNIS_Name', 'FType']),
  synthetic('usgs_nhdplus_hr', 'NHDArea', 'usgs/NHDArea.shp.zip', ['NHDPlusID', 'GNIS_Name', 'FType']),
  synthetic('usgs_wbd', 'WBDHU12', 'usgs/WBDHU12.shp.zip', ['huc12', 'name', 'areasqkm']),
  ...soil('mapunit', ['musym', 'muname', 'farmlndcl']),
  ...soil('muaggatt', ['hydgrpdcd', 'drclassdcd', 'brockdepmin', 'wtdepannmin', 'flodfreqdcd', 'engstafdcd']),
  ...soil('component', ['cokey', 'comppct_r', 'corsteel', 'corcon']),
  ...soil('chorizon', ['cokey', 'lep_r']),
  raster('mrlc_nlcd', 'land_cover', 'mrlc/Annual_NLCD_LndCov_2024.tif'),
  raster('mrlc_nlcd', 'land_cover_2001', 'mrlc/Annual_NLCD_LndCov_2001.tif'),
  raster('mrlc_nlcd', 'impervious', 'mrlc/Annual_NLCD_FctImp_2024.tif'),
  raster('mrlc_nlcd', 'tree_canopy', 'mrlc/nlcd_tcc_conus_2023.tif'),
  ...byState(({ code }) =>
    synthetic('usfws_nwi', 'main', `usfws/${code}_Wetlands.shp.zip`, {
      ATTRIBUTE: 'ATTRIBUTE',
      // The name is cut to the ten characters that a shapefile has room for.
      WETLAND_TYPE: 'WETLAND_TY',
      ACRES: 'ACRES',
    }),
  ),
  ...byState(({ code }) =>
    synthetic('usgs_padus', 'main', `usgs/PADUS4_1Combined_State_${code}.shp.zip`, [
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
  ...byState(({ code }) =>
    synthetic('fema_nfhl', 'S_FLD_HAZ_AR', `fema/${code}_S_FLD_HAZ_AR.shp.zip`, [
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
  ...byState(({ code }) =>
    synthetic('fema_nfhl', 'S_FIRM_PAN', `fema/${code}_S_FIRM_PAN.shp.zip`, ['DFIRM_ID', 'FIRM_PAN', 'EFF_DATE']),
  ),
  synthetic('nifc_perimeters', 'main', 'nifc/InterAgencyFirePerimeterHistory.geojson', [
    'INCIDENT',
    'FIRE_YEAR',
    'FIRE_YEAR_INT',
    'GIS_ACRES',
  ]),
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
  synthetic('usgs_landslides', 'inventory', 'usgs/landslide_inventory.geojson', ['Date', 'Confidence']),
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
