import { PARCEL_ATTRIBUTES } from '../../parcel/parcel-attributes.ts';
import type { ColumnExpression, PlaceLayer } from '../../place/place.ts';
import { byState, fromGeodatabase, type State } from './layer.ts';

/** The roll's columns onto the parcel store's. */
const columnsOf = (state: State): Readonly<Record<string, ColumnExpression>> => ({
  apn: 'MAP_BK_LOT',
  apn_no_formatting: {
    from: 'MAP_BK_LOT',
    patterns: [{ match: '^(\\d{3})-(\\d{3})-(\\d{3})(?:-(\\d{3}))?$', value: '$1$2$3$4' }],
  },
  state_apn: 'STATE_ID',
  account_number: 'ACCT_NO',
  geoid: { const: state.county },
  state2: { const: state.code },
  county: { const: state.countyName },
  address: 'PROP_LOC',
  original_address: 'PROP_LOC',
  saddno: 'LOC_NUM',
  saddstr: 'LOC_ST',
  saddsttyp: 'LOC_TYPE',
  sunit: 'LOC_UNIT',
  city: { from: 'LOC_CITY', case: 'title' },
  szip: 'LOC_ZIP',
  szip5: 'LOC_ZIP',
  usecode: 'USE_CODE',
  usedesc: 'USE_DESC',
  use_group: {
    from: 'USE_CODE',
    lookup: {
      101: 'residential',
      102: 'residential',
      111: 'residential',
      130: 'vacant',
      300: 'commercial',
      400: 'industrial',
      601: 'agricultural',
      700: 'agricultural',
      900: 'exempt',
    },
  },
  vacant: { from: 'USE_CODE', lookup: { 130: true }, otherwise: false },
  zoning: 'ZONE',
  zoning_description: 'ZONE_DESC',
  yearbuilt: { from: 'YR_BUILT', null: [0] },
  numstories: 'STORIES',
  numunits: 'UNITS',
  numbedrooms: 'BEDROOMS',
  numbathrooms: 'BATHS',
  structstyle: 'STYLE',
  heating_type: 'HEAT',
  bldg_area_sqft: 'BLDG_SQFT',
  landval: 'LAND_VAL',
  improvval: 'BLDG_VAL',
  parval: 'TOT_VAL',
  parvaltype: { const: 'assessed' },
  taxable_value: 'NET_VAL',
  exempt_value: 'EXMT_VAL',
  taxamt: 'TAX_AMT',
  taxyear: 'TAX_YEAR',
  saleprice: 'SALE_PRICE',
  saledate: 'SALE_DATE',
  saleprice2: 'PREV_PRICE',
  saledate2: 'PREV_DATE',
  sale_count: 'SALES',
  owner: 'OWNER1',
  unmodified_owner: 'OWNER1',
  mailadd: 'MAIL_ADDR',
  mail_city: { from: 'MAIL_CITY', case: 'title' },
  mail_state2: 'MAIL_ST',
  mail_zip: 'MAIL_ZIP',
  legaldesc: 'LEGAL',
  subdivision: 'SUBDIV',
  book: 'DEED_BOOK',
  page: 'DEED_PAGE',
  gisacre: 'ACRES',
  recrdareano: 'LOT_SQFT',
  source_agency: { const: 'Plat synthetic data' },
  source_dataset: { const: 'Synthetic parcels with roll' },
  source_license: { const: 'CC0-1.0' },
  geometry_source: { const: 'county' },
});

/** Parcels with their roll, one file a county. */
export const parcels: readonly PlaceLayer[] = byState(state => {
  const columns = columnsOf(state);
  const { code } = state;
  const file = `parcels/${code}_parcels_with_roll.gdb.zip`;
  return fromGeodatabase('parcel_store', 'main', file, `${code}_Parcels`, columns, {
    ground: [{ kind: 'road', where: "MAP_BK_LOT = 'ROAD'" }],
    // Every other column of the store, except those that the ingest computes, is not in the roll.
    unpublished: Object.entries(PARCEL_ATTRIBUTES)
      .filter(([name, column]) => !(name in columns) && !('computed' in column))
      .map(([name]) => name),
  });
});
