import { date, measure, number, owner, type StateParcels, situs } from '../place/state-template.ts';

const CITY_STATE = '^(.*?),? +([A-Z]{2})$';

/** Parcels with the records of the tax list (MOD-IV) that match them; owners are withheld, so OWNER_NAME is mostly empty. */
const newJersey: StateParcels = {
  state: 'NJ',
  title: 'Parcels and MOD-IV composite of New Jersey',
  publisher: 'NJ Office of GIS and NJ Division of Taxation',
  source: 'nj_parcels_modiv',
  documentation: [
    'https://njdep.maps.arcgis.com/sharing/rest/content/items/852937c223e94fcf8e167a23b500935d/info/metadata/metadata.xml?format=default&output=html',
    'https://njgin.nj.gov/njgin/edata/parcels/',
    'https://sussex.nj.us/cn/webpage.cfm?tpid=2154',
  ],
  licence: 'not stated; public record',
  published: () => ({
    url: 'https://services2.arcgis.com/XVOqAjTOJ5P6ngMu/arcgis/rest/services/Parcels_Composite_NJ_WM/FeatureServer/0',
    via: 'arcgis',
  }),
  // The first two digits of the code of a municipality number the counties in the order of the alphabet, as FIPS does.
  rows: county => `PCL_MUN like '${String((Number(county.slice(2)) + 1) / 2).padStart(2, '0')}%'`,
  columns: {
    ...number('PAMS_PIN'),
    alt_apn1: 'GIS_PIN',
    block: 'PCLBLOCK',
    lot: 'PCLLOT',
    county: 'COUNTY',
    ...situs('PROP_LOC'),
    city: 'MUN_NAME',
    location_name: 'FAC_NAME',
    ...owner('OWNER_NAME'),
    mailadd: 'ST_ADDRESS',
    mail_city: { from: 'CITY_STATE', patterns: [{ match: CITY_STATE, value: '$1' }] },
    mail_state2: { from: 'CITY_STATE', patterns: [{ match: CITY_STATE, value: '$2' }] },
    mail_zip: 'ZIP_CODE',
    property_class: 'PROP_CLASS',
    use_group: {
      from: 'PROP_CLASS',
      lookup: {
        '1': 'vacant',
        '2': 'residential',
        '3A': 'agricultural',
        '3B': 'agricultural',
        '4A': 'commercial',
        '4B': 'industrial',
        '4C': 'residential',
        '5A': 'other',
        '5B': 'other',
        '15A': 'exempt',
        '15B': 'exempt',
        '15C': 'exempt',
        '15D': 'exempt',
        '15E': 'exempt',
        '15F': 'exempt',
      },
    },
    vacant: {
      from: 'PROP_CLASS',
      patterns: [
        { match: '^1$', value: true },
        { match: '^(?:2|3[AB]|4[ABC])$', value: false },
      ],
    },
    usecode: 'PROP_USE',
    landval: 'LAND_VAL',
    improvval: 'IMPRVT_VAL',
    parval: { sum: ['LAND_VAL', 'IMPRVT_VAL'] },
    parvaltype: { const: 'assessed', when: 'LAND_VAL is not null and IMPRVT_VAL is not null' },
    taxable_value: 'NET_VALUE',
    taxamt: 'LAST_YR_TX',
    structstyle: 'BLDG_DESC',
    structure_quality: 'BLDG_CLASS',
    yearbuilt: measure('YR_CONSTR'),
    numunits: measure('DWELL'),
    gisacre: measure('CALC_ACRE'),
    book: 'DEED_BOOK',
    page: 'DEED_PAGE',
    saledate: {
      from: 'DEED_DATE',
      patterns: [{ match: '^(\\d\\d)(0[1-9]|1[0-2])(0[1-9]|1\\d|2[0-8])$', value: '$2/$3/$1' }],
      dateFormat: 'MM/DD/YY',
    },
    saleprice: 'SALE_PRICE',
    sale_qualification: 'SALES_CODE',
    geometry_updated_date: date('PCLLASTUPD'),
    sourcedate: date('PCL_PBDATE'),
  },
  unmapped: [
    ...['PCL_MUN', 'PCLQCODE', 'PIN_NODUP', 'CD_CODE', 'ZIP5', 'ZIP_PLUS4', 'LAND_DESC', 'ADD_LOTS1', 'ADD_LOTS2'],
    ...['COMM_DWELL', 'OLD_PROPID', 'PCL_GUID'],
  ],
};

export default newJersey;
