import {
  date,
  measure,
  number,
  owner,
  SQ_FT,
  type StateParcels,
  situs,
  situsZip,
  textNumber,
} from '../place/state-template.ts';

/** Level 3 of the standard of MassGIS: the polygons of TaxPar with the rows of Assess. */
const massachusetts: StateParcels = {
  state: 'MA',
  title: 'MassGIS property tax parcels, Level 3',
  publisher: 'MassGIS and the assessors of the towns',
  source: 'massgis_l3_parcels',
  documentation: [
    'https://www.mass.gov/info-details/massgis-data-property-tax-parcels',
    'http://gis.dedham-ma.gov/DataDictionary/M073Assess_FY15.html',
  ],
  licence: 'not stated; public record',
  published: () => ({
    url: 'https://services1.arcgis.com/hGdibHYSPO59RG1h/arcgis/rest/services/Massachusetts_Property_Tax_Parcels/FeatureServer/0',
    via: 'arcgis',
    ground: 0,
  }),
  rows: null,
  columns: {
    ...number('MAP_PAR_ID'),
    state_apn: 'LOC_ID',
    account_number: 'PROP_ID',
    alt_apn1: 'CAMA_ID',
    ...situs('SITE_ADDR'),
    address2: 'LOCATION',
    saddno: 'ADDR_NUM',
    saddstr: 'FULL_STR',
    city: 'CITY',
    ...situsZip('ZIP'),
    ...owner('OWNER1'),
    mailadd: 'OWN_ADDR',
    mail_city: 'OWN_CITY',
    mail_state2: 'OWN_STATE',
    mail_zip: 'OWN_ZIP',
    mail_country: 'OWN_CO',
    usecode: 'USE_CODE',
    zoning: 'ZONING',
    landval: 'LAND_VAL',
    // Buildings, and other structures and yard items: with the land they are the total.
    improvval: { sum: ['BLDG_VAL', 'OTHER_VAL'] },
    parval: 'TOTAL_VAL',
    parvaltype: { const: 'assessed', when: 'TOTAL_VAL is not null' },
    taxyear: measure('FY'),
    // The assessor's size, in acres or square feet.
    recrdareano: {
      from: [
        { from: 'LOT_SIZE', null: [0], when: "LOT_UNITS in ('S', 's')", type: 'number' },
        { from: 'LOT_SIZE', null: [0], when: "LOT_UNITS in ('A', 'a')", type: 'number', scale: SQ_FT },
      ],
      join: '',
    },
    saledate: date('LS_DATE'),
    saleprice: 'LS_PRICE',
    book: 'LS_BOOK',
    page: 'LS_PAGE',
    yearbuilt: measure('YEAR_BUILT'),
    bldg_area_sqft: measure('BLD_AREA'),
    living_area_sqft: measure('RES_AREA'),
    numunits: measure('UNITS'),
    numrooms: measure('NUM_ROOMS'),
    numstories: textNumber('STORIES'),
    structstyle: 'STYLE',
    geometry_updated_date: date('LAST_EDIT'),
  },
  ground: [
    { kind: 'road', where: "POLY_TYPE in ('ROW', 'PRIV_ROW')" },
    { kind: 'railroad', where: "POLY_TYPE = 'RAIL_ROW'" },
    { kind: 'water', where: "POLY_TYPE = 'WATER'" },
  ],
  unmapped: ['MAP_NO', 'SOURCE', 'PLAN_ID', 'BND_CHK', 'NO_MATCH', 'TOWN_ID', 'REG_ID'],
};

export default massachusetts;
