import type { PlaceLayer } from '../../place/place.ts';
import { fromGeodatabase, REGION, raster, synthetic } from './layer.ts';

/** Million gallons a day in cubic metres a day (NIST SP 811: 1 US gallon is 3.785411784 litres). */
const MGD = 3785.411_784;

/** Model outputs by subwatershed and month, of their last whole year. */
const waterUse = (layer: string, file: string, column: string, published: string, scale?: number) =>
  synthetic(
    'usgs_nwaa',
    layer,
    `usgs/${file}.csv`,
    {
      huc12_id: 'huc12_id',
      [column]: scale === undefined ? published : { from: published, scale },
    },
    { where: "year_month like '2020-%'" },
  );

const rainfall = (storm: string): PlaceLayer => ({
  ...raster('noaa_atlas14', storm, `noaa/ne${storm}.asc.zip`),
  // The grids come without a projection file; their documentation says NAD83 degrees.
  options: { crs: 'EPSG:4269' },
});

const airAreas = (layer: string, file: string) =>
  synthetic('epa_greenbook', layer, `epa/${file}.shp.zip`, {
    area_name: 'area_name',
    // Cut to the ten characters that a shapefile has room for.
    current_status: 'current_st',
  });

/** Habitat, water supply and use, energy resources, storms, sea, fire, ground, drought and air. */
export const exposure: readonly PlaceLayer[] = [
  raster('usda_cdl', 'main', 'usda/2025_30m_cdls.tif', 2025),
  raster('landfire', 'fbfm40', 'landfire/LC24_F40_250.tif'),
  synthetic(
    'usfws_critical_habitat',
    'CRITHAB_POLY',
    'usfws/crithab_poly.shp.zip',
    ['sciname', 'comname', 'listing_st'],
    REGION,
  ),
  synthetic('epa_cws', 'main', 'epa/CWS_Boundaries_v3.gpkg', [
    'PWSID',
    'PWS_Name',
    'Population_Served_Count',
    'Service_Connections_Count',
    'Method',
  ]),
  synthetic(
    'epa_frs',
    'main',
    'epa/national_single.csv.zip',
    ['REGISTRY_ID', 'PRIMARY_NAME', 'INTEREST_TYPES', 'LATITUDE83', 'LONGITUDE83', 'PGM_SYS_ACRNMS', 'NAICS_CODES'],
    { ...REGION, options: { x: 'LONGITUDE83', y: 'LATITUDE83', crs: 'EPSG:4269' } },
  ),
  synthetic(
    'usgs_nwis',
    'gwlevels',
    'usgs/field_measurements.geojson',
    {
      site_no: { from: 'monitoring_location_id', strip: '^USGS-' },
      lev_dt: { from: 'time', slice: [0, 10] },
      lev_va: 'value',
    },
    { ...REGION, where: "parameter_code = '72019' and time >= @today-10y", latest: 'lev_dt' },
  ),
  waterUse('thermoelectric', 'wu-thermoelectric-cu', 'consumptive_use', 'tecuftot_mgd', MGD),
  waterUse('public_supply', 'wu-public-supply-wd', 'total_withdrawal', 'pswdtot_mgd', MGD),
  waterUse('sui', 'iwa-assessment-outputs-conus', 'sui', 'sui_frac'),
  ...[80, 100, 140].map(height =>
    raster('nrel_wtk', `wind_speed_${height}m`, `nrel/wtk_conus_${height}m_mean_masked.tif`),
  ),
  raster('nrel_nsrdb', 'latilt', 'nrel/us9809_latilt.tif'),
  ...['2yr24ha', '10yr24ha', '100yr24ha', '100yr60ma'].map(rainfall),
  synthetic(
    'openfema',
    'DisasterDeclarationsSummaries',
    'fema/DisasterDeclarationsSummaries.csv',
    {
      county_fips: { from: ['fipsStateCode', 'fipsCountyCode'], join: '' },
      disasterNumber: 'disasterNumber',
      declarationDate: { from: 'declarationDate', slice: [0, 10] },
      incidentType: 'incidentType',
      designatedArea: 'designatedArea',
    },
    {
      repeat: {
        when: "fipsCountyCode = '000' and designatedArea = 'Statewide'",
        by: 'fipsStateCode',
        column: 'fipsCountyCode',
        codes: { 23: ['999'], 33: ['999'] },
      },
      // What is left of code 000 is tribal land, which is no county.
      where: "fipsCountyCode != '000'",
    },
  ),
  synthetic(
    'openfema',
    'FimaNfipClaims',
    'fema/FimaNfipClaims.csv',
    { censusTract: 'censusTract', id: 'id', dateOfLoss: { from: 'dateOfLoss', slice: [0, 10] } },
    { where: 'censusTract is not null' },
  ),
  // A layer a level, and the level in its name alone.
  ...Array.from({ length: 11 }, (_, feet) =>
    fromGeodatabase('noaa_slr', 'main', 'noaa/ME_NH_slr_data_dist.zip', `ME_NH_slr_${feet}ft`, {
      level_ft: { const: feet },
    }),
  ),
  raster('nhc_surge', 'cat3', 'noaa/US_SLOSH_MOM_cat3.tif'),
  raster('nhc_surge', 'cat5', 'noaa/US_SLOSH_MOM_cat5.tif'),
  ...['whp_cls', 'BP', 'CFL', 'RPS', 'Exposure'].map(name => raster('usfs_wrc', name, `usfs/${name}_CONUS.tif`)),
  fromGeodatabase(
    'silvis_wui',
    'main',
    'silvis/CONUS_WUI_block_1990_2020_change_gdb.zip',
    'CONUS_WUI_block_1990_2020_change',
    ['WUICLASS2020', 'WUIFLAG2020', 'HUDEN2020'],
  ),
  synthetic('usgs_karst', 'main', 'usgs/karst.shp.zip', ['ROCKTYPE1']),
  synthetic('usdm', 'main', 'usdm/USDM_20261117_M.shp.zip', ['DM'], REGION),
  airAreas('ozone_8hr_2015', '8hr_ozone_2015'),
  // Each annual standard has a file of its own.
  airAreas('pm25_annual', 'pm25_1997'),
  airAreas('pm25_annual', 'pm25_2012'),
];
