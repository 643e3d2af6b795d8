import { date, measure, number, ROLL_ACRES, type StateParcels, situs } from '../place/state-template.ts';

/** Counties in the order of the alphabet, which is that of their odd FIPS codes, as the names of the services write them. */
const COUNTIES =
  'Beaver BoxElder Cache Carbon Daggett Davis Duchesne Emery Garfield Grand Iron Juab Kane Millard Morgan Piute Rich SaltLake SanJuan Sanpete Sevier Summit Tooele Uintah Utah Wasatch Washington Wayne Weber'.split(
    ' ',
  );

/** Land information records: a service of each county, without owners. */
const utah: StateParcels = {
  state: 'UT',
  title: 'Utah land information records (LIR) parcels',
  publisher: 'Utah Geospatial Resource Center and the counties of Utah',
  source: 'ut_lir_parcels',
  documentation: [
    'https://gis.utah.gov/products/sgid/cadastre/parcels/',
    'https://services1.arcgis.com/99lidPhWCzftIe9K/ArcGIS/rest/services/Parcels_Cache_LIR/FeatureServer/0',
  ],
  licence: 'CC BY 4.0',
  published: county => ({
    url: `https://services1.arcgis.com/99lidPhWCzftIe9K/arcgis/rest/services/Parcels_${COUNTIES[(Number(county.slice(2)) - 1) / 2]}_LIR/FeatureServer/0`,
    via: 'arcgis',
  }),
  rows: null,
  columns: {
    ...number('PARCEL_ID'),
    account_number: 'SERIAL_NUM',
    tax_district: 'TAX_DISTRICT',
    county: 'COUNTY_NAME',
    ...situs('PARCEL_ADD'),
    city: 'PARCEL_CITY',
    property_class: 'PROP_CLASS',
    exemption_code: 'TAXEXEMPT_TYPE',
    homestead_exemption: 'PRIMARY_RES',
    landval: 'LAND_MKT_VALUE',
    parval: 'TOTAL_MKT_VALUE',
    marketval: 'TOTAL_MKT_VALUE',
    parvaltype: { const: 'market', when: 'TOTAL_MKT_VALUE is not null' },
    deeded_acres: measure('PARCEL_ACRES'),
    subdivision: 'SUBDIV_NAME',
    bldg_area_sqft: measure('BLDG_SQFT'),
    numstories: measure('FLOORS_CNT'),
    yearbuilt: measure('BUILT_YR'),
    yearbuilt_effective: measure('EFFBUILT_YR'),
    construction_type: 'CONST_MATERIAL',
    sourcedate: date('CURRENT_ASOF'),
  },
  notes: ROLL_ACRES,
  unmapped: [
    'HOUSE_CNT',
    'BLDG_SQFT_INFO',
    'FLOORS_INFO',
    'PROP_TYPE',
    'COUNTY_ID',
    'ASSESSOR_SRC',
    'BOUNDARY_SRC',
    'DISCLAIMER',
  ],
};

export default utah;
