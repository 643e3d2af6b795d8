import { ANTENNA_RECORDS } from '../../codes/antenna-records.ts';
import { PERMIT_COLUMNS, UNIT_COLUMNS } from '../../codes/permit-columns.ts';
import type { ColumnExpression, PlaceLayer } from '../../place/place.ts';
import { byState, fromGeodatabase, raster, synthetic } from './layer.ts';

const tiger = (layer: string, name: string, columns: readonly string[]) =>
  synthetic('census_tiger', layer, `census/tl_2025_${name}.shp.zip`, columns);

const byCounty = { from: ['FIPS State', 'FIPS County'], join: '' } as const;
/** The two header lines and the blank one below them are replaced by names for every column. */
const PERMITS = { skipLines: 3, header: PERMIT_COLUMNS } as const;

const rates = (file: string) =>
  synthetic('openei_rates_by_zip', 'main', file, {
    zip: { from: 'zip', pad: 5 },
    eiaid: 'eiaid',
    utility_name: 'utility_name',
    service_type: 'service_type',
    ownership: 'ownership',
    ...Object.fromEntries(['res_rate', 'comm_rate', 'ind_rate'].map(name => [name, { from: name, null: [0] }])),
  });

/** A published number, missing where the row is withheld. */
const disclosed = (from: string): ColumnExpression => ({ from, when: 'disclosure_code is null' });

const antennas = (kind: keyof typeof ANTENNA_RECORDS) => ({
  member: `${kind}.dat`,
  delimiter: '|',
  header: ANTENNA_RECORDS[kind],
});

/** Districts, transport, utilities, broadband and the economy of the counties. */
export const network: readonly PlaceLayer[] = [
  ...byState(({ fips }) => tiger('cousub', `${fips}_cousub`, ['GEOID', 'NAMELSAD'])),
  tiger('cbsa', 'us_cbsa', ['GEOID', 'NAME']),
  ...byState(({ fips }) => tiger('cd', `${fips}_cd119`, ['GEOID'])),
  ...byState(({ fips }) => tiger('sldu', `${fips}_sldu`, ['GEOID', 'NAMELSAD'])),
  ...byState(({ fips }) => tiger('sldl', `${fips}_sldl`, ['GEOID', 'NAMELSAD'])),
  tiger('uac20', 'us_uac20', ['GEOID20', 'NAME20']),
  ...byState(({ fips }) => tiger('unsd', `${fips}_unsd`, ['GEOID', 'NAME'])),
  ...byState(({ fips }) => tiger('elsd', `${fips}_elsd`, ['GEOID', 'NAME'])),
  ...byState(({ fips }) => tiger('scsd', `${fips}_scsd`, ['GEOID', 'NAME'])),
  tiger('aiannh', 'us_aiannh', ['GEOID', 'NAMELSAD']),
  tiger('mil', 'us_mil', ['AREAID', 'FULLNAME']),
  synthetic('bts_ntad', 'intermodal_tofc_cofc', 'ntad/NTAD_Intermodal_Freight_Facilities_Rail_TOFC_COFC.geojson', [
    'TERMINAL',
  ]),
  synthetic('bts_ntad', 'principal_ports', 'ntad/NTAD_Principal_Ports.geojson', ['PORT', 'PORT_NAME', 'TOTAL']),
  raster('bts_ntad', 'noise', 'ntad/CONUS_rail_road_and_aviation_noise_2020.tif'),
  synthetic('nces_edge', 'postsecondary', 'nces/EDGE_GEOCODE_POSTSECONDARYSCH_2425.shp.zip', ['UNITID', 'NAME']),
  fromGeodatabase('nps_nrhp', 'main', 'nps/NRIS_CR_Standards_Public.gdb.zip', 'NRIS_CR_Standards_Public_points', [
    'RESNAME',
  ]),
  synthetic(
    'hifld_archive',
    'electric_retail_service_territories',
    'hifld/Electric_Retail_Service_Territories.geojson',
    {
      ID: 'ID',
      NAME: 'NAME',
      TYPE: 'TYPE',
      CNTRL_AREA: { from: 'CNTRL_AREA', null: ['NOT AVAILABLE'] },
      CUSTOMERS: 'CUSTOMERS',
    },
  ),
  synthetic('hifld_archive', 'independent_system_operators', 'hifld/Independent_System_Operators.geojson', ['NAME']),
  synthetic('hifld_archive', 'natural_gas_service_territories', 'hifld/Natural_Gas_Service_Territories.geojson', [
    'NAME',
  ]),
  rates('nrel/iou_zipcodes_2024.csv'),
  rates('nrel/non_iou_zipcodes_2024.csv'),
  synthetic(
    'eia_861',
    'reliability',
    'eia/Reliability_2024.xlsx',
    {
      'Utility Number': 'Utility Number',
      State: 'State',
      // The first and the fourth of the columns of that name: IEEE standard, else the other one.
      'SAIDI With MED': {
        from: ['SAIDI (minutes per year)', 'SAIDI (minutes per year)_4'],
        null: ['.'],
        join: '|',
        patterns: [{ match: '^([^|]+)', value: '$1' }],
      },
    },
    { options: { sheet: 'Reliability_States', skipLines: 2 } },
  ),
  synthetic('epa_egrid', 'subregion_poly', 'epa/eGRID2023_Subregions.shp.zip', ['SUBRGN']),
  synthetic('epa_egrid', 'srl', 'epa/egrid2023_data.xlsx', ['SUBRGN', 'SRNAME', 'SRC2ERTA'], {
    options: { sheet: 'SRL23', skipLines: 1 },
  }),
  synthetic(
    'lbnl_queues',
    'main',
    'lbnl/LBNL_Ix_Queue_Data_File_thru2025.xlsx',
    {
      county_fips: { from: 'county_fips', pad: 5 },
      ...Object.fromEntries(
        'q_id q_status q_date IA_status_clean county state poi_name region entity type1 type2 mw1 mw2 mw3'
          .split(' ')
          .map(name => [name, name]),
      ),
    },
    { options: { sheet: '03. Complete Queue Data', skipLines: 1 } },
  ),
  synthetic('netl_energy_communities', 'coal_closure_tracts', 'netl/Coal_Closure_Energy_Communities_2024.shp.zip', [
    'GEOID_Tract_2020',
  ]),
  synthetic('netl_energy_communities', 'msa_nonmsa', 'netl/MSA_NMSA_FEE_EC_Status_2024.shp.zip', [
    'geoid_cty_2020',
    'EC_qual_status',
  ]),
  synthetic('eia_atlas', 'natural_gas_pipelines', 'eia/Natural_Gas_Interstate_and_Intrastate_Pipelines.geojson', [
    'FID',
    'TYPEPIPE',
    'Operator',
    'Status',
  ]),
  synthetic('eia_atlas', 'petroleum_product_pipelines', 'eia/Petroleum_Product_Pipelines.geojson', [
    'FID',
    'Opername',
    'Pipename',
  ]),
  ...['Cable', 'FibertothePremises', 'GSOSatellite'].flatMap(technology =>
    byState(({ fips }) =>
      synthetic(
        'fcc_bdc',
        'main',
        `fcc/bdc_${fips}_${technology}_fixed_broadband_J25.zip`,
        [
          'block_geoid',
          'provider_id',
          'brand_name',
          'technology',
          'max_advertised_download_speed',
          'max_advertised_upload_speed',
          'low_latency',
          'business_residential_code',
        ],
        { format: 'zipped_csv', distinct: true },
      ),
    ),
  ),
  synthetic(
    'fcc_asr',
    'main',
    'fcc/r_tower.zip',
    {
      'Unique System Identifier': 'Unique System Identifier',
      'Registration Number': 'Registration Number',
      'Overall Height Above Ground': 'ra.Overall Height Above Ground',
      'Status Code': 'ra.Status Code',
    },
    {
      format: 'zipped_csv',
      options: {
        ...antennas('CO'),
        crs: 'EPSG:4269',
        x: 'Longitude Total Seconds',
        y: 'Latitude Total Seconds',
        arcSeconds: { xDirection: 'Longitude Direction', yDirection: 'Latitude Direction' },
      },
      join: {
        file: 'fcc/r_tower.zip',
        format: 'zipped_csv',
        options: antennas('RA'),
        prefix: 'ra',
        key: 'Unique System Identifier',
        to: 'Unique System Identifier',
        required: true,
      },
    },
  ),
  ...byState(({ code }) =>
    synthetic('fhwa_hpms', 'main', `hpms/${code}_HPMS_2023.shp.zip`, ['route_id', 'f_system', 'aadt']),
  ),
  synthetic('census_acs', 'tract', 'census/acs2024_5yr_tract.table.json', {
    GEOID: { from: 'GEO_ID', slice: [9, 20] },
    ...Object.fromEntries(
      'B01003_001E B19013_001E B25077_001E B25064_001E B25002_001E B25002_003E B25003_001E B25003_002E B23025_003E B23025_004E B23025_005E'
        .split(' ')
        .flatMap(name => [name, name.replace('E', 'M')].map(column => [column, column])),
    ),
  }),
  synthetic(
    'census_bps',
    'main',
    'census/co2025a.txt',
    {
      county_fips: byCounty,
      'Survey Date': 'Survey Date',
      ...Object.fromEntries(UNIT_COLUMNS.map(name => [name, name])),
    },
    { options: PERMITS },
  ),
  synthetic(
    'census_bps',
    'prior_year',
    'census/co2024a.txt',
    { county_fips: byCounty, 'Total Units': { sum: UNIT_COLUMNS } },
    { options: PERMITS },
  ),
  synthetic(
    'bls_qcew',
    'main',
    'bls/2025_annual_singlefile.zip',
    {
      ...Object.fromEntries('area_fips year own_code industry_code agglvl_code'.split(' ').map(name => [name, name])),
      annual_avg_emplvl: disclosed('annual_avg_emplvl'),
      annual_avg_wkly_wage: disclosed('annual_avg_wkly_wage'),
      oty_annual_avg_emplvl_pct_chg: disclosed('oty_annual_avg_emplvl_pct_chg'),
    },
    { format: 'zipped_csv' },
  ),
];
