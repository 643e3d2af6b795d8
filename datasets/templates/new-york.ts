import {
  firstOf,
  measure,
  number,
  owner,
  ROLL_ACRES,
  type StateParcels,
  situs,
  situsZip,
} from '../place/state-template.ts';

/** Counties that are boroughs of New York City, and the first two digits of their SWIS codes. */
const BOROUGHS: Readonly<Record<string, string>> = { '005': '60', '047': '61', '061': '62', '081': '63', '085': '64' };

/** First two digits of the SWIS codes of a county: the others are numbered in the order of the alphabet, as FIPS numbers them. */
function swisCounty(county: string): string {
  const code = county.slice(2);
  if (BOROUGHS[code]) return BOROUGHS[code];
  const before = Object.keys(BOROUGHS).filter(borough => borough < code).length;
  return String((Number(code) + 1) / 2 - before).padStart(2, '0');
}

/** The public layer has the counties that let the state hand on their polygons; in New York City its values are those of PLUTO. */
const newYork: StateParcels = {
  state: 'NY',
  title: 'NYS tax parcels, public',
  publisher: 'New York State ITS Geospatial Services, ORPTS and the counties',
  source: 'nys_tax_parcels_public',
  documentation: [
    'https://data.gis.ny.gov/datasets/sharegisny::nys-tax-parcels-public-1/about',
    'https://gisservices.its.ny.gov/arcgis/rest/services/NYS_Tax_Parcels_Public/MapServer/1',
    'https://www.tax.ny.gov/research/property/assess/manuals/prclas.htm',
  ],
  licence: 'not stated; public record',
  published: () => ({
    url: 'https://services6.arcgis.com/EbVsqZ18sv1kVJ3k/arcgis/rest/services/NYS_Tax_Parcels_Public/FeatureServer/1',
    via: 'arcgis',
  }),
  rows: county => `SWIS like '${swisCounty(county)}%'`,
  columns: {
    // New York City has no print keys.
    ...number(firstOf('PRINT_KEY', 'SBL')),
    alt_apn1: 'SBL',
    state_apn: 'SWIS_SBL_ID',
    tax_id: 'SWIS_PRINT_KEY_ID',
    account_number: 'MUNI_PARCEL_ID',
    county: 'COUNTY_NAME',
    ...situs('PARCEL_ADDR'),
    saddno: 'LOC_ST_NBR',
    saddstr: 'LOC_STREET',
    sunit: 'LOC_UNIT',
    city: 'MUNI_NAME',
    ...situsZip('LOC_ZIP'),
    ...owner('PRIMARY_OWNER'),
    owner2: 'ADD_OWNER',
    mailadd: 'MAIL_ADDR',
    mail_address2: 'PO_BOX',
    mail_city: 'MAIL_CITY',
    mail_state2: 'MAIL_STATE',
    mail_zip: 'MAIL_ZIP',
    property_class: 'PROP_CLASS',
    // Classes of three digits: the hundreds are categories of the assessor's manual.
    use_group: {
      from: 'PROP_CLASS',
      patterns: [
        { match: '^1\\d\\d$', value: 'agricultural' },
        { match: '^2\\d\\d$', value: 'residential' },
        { match: '^3\\d\\d$', value: 'vacant' },
        { match: '^4\\d\\d$', value: 'commercial' },
        { match: '^7\\d\\d$', value: 'industrial' },
        { match: '^[5689]\\d\\d$', value: 'other' },
      ],
    },
    vacant: {
      from: 'PROP_CLASS',
      patterns: [
        { match: '^3\\d\\d$', value: true },
        { match: '^[1-9]\\d\\d$', value: false },
      ],
    },
    usedesc: 'USED_AS_DESC',
    landval: 'LAND_AV',
    parval: 'TOTAL_AV',
    parvaltype: { const: 'assessed', when: 'TOTAL_AV is not null' },
    marketval: 'FULL_MARKET_VAL',
    taxyear: measure('ROLL_YR'),
    // Of acres, square feet and frontage by depth the roll writes 0 in those that it does not use.
    deeded_acres: measure('ACRES'),
    recrdareano: measure('SQ_FT'),
    lot_frontage_ft: measure('FRONT'),
    lot_depth_ft: measure('DEPTH'),
    gisacre: measure('CALC_ACRES'),
    yearbuilt: measure('YR_BLT'),
    living_area_sqft: measure('SQFT_LIVING'),
    bldg_area_sqft: measure('GFA'),
    numbedrooms: measure('NBR_BEDROOMS'),
    structstyle: 'BLDG_STYLE_DESC',
    heating_type: 'HEAT_TYPE_DESC',
    book: measure('BOOK'),
    page: measure('PAGE'),
  },
  notes: ROLL_ACRES,
  unmapped: [
    ...['SWIS', 'CITYTOWN_NAME', 'CITYTOWN_SWIS', 'ROLL_SECTION', 'SCHOOL_CODE', 'SCHOOL_NAME'],
    ...['SEWER_TYPE', 'SEWER_DESC', 'WATER_SUPPLY', 'WATER_DESC', 'UTILITIES', 'UTILITIES_DESC'],
    ...['BLDG_STYLE', 'HEAT_TYPE', 'FUEL_TYPE', 'FUEL_TYPE_DESC', 'NBR_KITCHENS', 'USED_AS_CODE'],
    // Full baths alone are not the number of bathrooms.
    'NBR_FULL_BATHS',
    ...['AG_DIST_CODE', 'AG_DIST_NAME', 'ADD_MAIL_ADDR', 'ADD_MAIL_PO_BOX', 'ADD_MAIL_CITY', 'ADD_MAIL_STATE'],
    ...[
      'ADD_MAIL_ZIP',
      'GRID_EAST',
      'GRID_NORTH',
      'SPATIAL_YR',
      'OWNER_TYPE',
      'NYS_NAME',
      'NYS_NAME_SOURCE',
      'DUP_GEO',
    ],
  ],
};

export default newYork;
