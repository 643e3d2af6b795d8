import type { LayerHints } from './hint.ts';

/** Layers of the Census Bureau, and what others publish of the same things. */
export const CENSUS: LayerHints = {
  'census_tiger:state': {
    files: 'states us_states state_boundaries',
    columns: {
      GEOID: ['fips2', 'GEOID STATEFP STATE_FIPS FIPS'],
      STATEFP: ['fips2', 'STATEFP STATE_FIPS STATEFP10 FIPS'],
      STUSPS: ['state', 'STUSPS STATE_ABBR ABBR POSTAL CODE ID STATE_CODE'],
      NAME: ['name', 'NAME STATE_NAME STATE'],
    },
  },
  'census_tiger:county': {
    files: 'counties us_counties county county_boundaries',
    columns: {
      GEOID: ['fips5', 'GEOID GEOID10 GEO_ID FIPS COUNTY_FIPS STCNTYFIPS CNTYIDFP FIPS_CODE'],
      STATEFP: ['fips2', 'STATEFP STATEFP10 STATE STATE_FIPS ST_FIPS'],
      COUNTYFP: ['fips3', 'COUNTYFP COUNTYFP10 COUNTY CO_FIPS CNTY_FIPS'],
      NAME: ['name', 'NAME NAME10 COUNTY_NAME CNTYNAME COUNTYNAME'],
      NAMELSAD: ['name', 'NAMELSAD NAMELSAD10'],
    },
  },
  'census_tiger:tract': {
    files: 'tracts census_tracts tract',
    columns: {
      GEOID: ['geoid11', 'GEOID GEOID10 GEOID20 TRACT_GEOID TRACTFIPS GEO_ID CTIDFP00 FIPS TRACT_FIPS'],
      STATEFP: ['fips2', 'STATEFP STATEFP10 STATEFP20 STATE_FIPS ST_FIPS'],
    },
  },
  'census_tiger:bg': {
    files: 'block_groups census_block_groups bg blockgroups',
    columns: {
      GEOID: ['geoid12', 'GEOID GEOID10 GEOID20 BKGPIDFP00 GEO_ID FIPS'],
    },
  },
  'census_tiger:tabblock20': {
    files: 'census_blocks blocks tabblock tabblock20 tabblock10',
    columns: {
      GEOID20: ['geoid15', 'GEOID20 GEOID10 GEOID BLKIDFP BLOCK_GEOID'],
      POP20: ['count', 'POP20 POP10 POPULATION POP TOTAL_POP'],
      ALAND20: ['number', 'ALAND20 ALAND10 ALAND'],
      AWATER20: ['number', 'AWATER20 AWATER10 AWATER'],
    },
  },
  'census_tiger:place': {
    files: `places census_places incorporated_places municipalities municipal_boundaries city_boundaries cities cities_and_towns
      city_limits town_boundaries`,
    columns: {
      GEOID: ['geoid7', 'GEOID GEOID10 GEOID20 PLACE_FIPS STATE_CITY PLACEFIPS'],
      NAMELSAD: ['name', 'NAMELSAD NAMELSAD10 NAME PLACE_NAME CITY_NAME TOWN_NAME CITYNAME MUNINAME MUNICIPALITY'],
    },
  },
  'census_tiger:zcta520': {
    files: 'zcta zcta520 zip_code_tabulation_areas zip_codes zipcodes zip',
    columns: {
      ZCTA5CE20: ['zip', 'ZCTA5CE20 ZCTA5CE10 ZCTA ZIP ZIPCODE ZIP_CODE ZIP5'],
    },
  },
  'census_tiger:roads': {
    files: `roads road_centerlines streets street_centerlines centerlines edges addrfeat road_centerline
      street_centerline`,
    columns: {
      FULLNAME: [
        'road_name',
        `FULLNAME FULL_NAME NAME ROAD_NAME ROADNAME STREET_NAME STREETNAME ST_NAME STREET FULLSTREET LABEL STNAME
         FULL_STREET RD_NAME`,
      ],
      LINEARID: ['id', 'LINEARID'],
      MTFCC: [
        'road_class',
        `MTFCC CLASS ROAD_CLASS RDCLASS FUNC_CLASS FUNCTIONAL_CLASS FCC CFCC ROADCLASS CLASSIFICATION ROAD_TYPE`,
      ],
      RTTYP: ['road_class', 'RTTYP ROUTE_TYPE CLASS ROAD_CLASS RDCLASS ROUTETYPE'],
      LFROMADD: [
        'house_number',
        `LFROMADD L_F_ADD LEFTFROM LEFT_FROM FROMADDR_L FROMLEFT FROM_LEFT LFADDR L_ADD_FROM ADD_L_FROM LFROM L_FROM
         LFROMADDR FROMADDL LF_ADDR LLO_A FROM_ADDR_L LEFT_FROM_ADDRESS`,
      ],
      LTOADD: [
        'house_number',
        `LTOADD L_T_ADD LEFTTO LEFT_TO TOADDR_L TOLEFT TO_LEFT LTADDR L_ADD_TO ADD_L_TO LTO L_TO LTOADDR TOADDL
         LT_ADDR LHI_A TO_ADDR_L LEFT_TO_ADDRESS`,
      ],
      RFROMADD: [
        'house_number',
        `RFROMADD R_F_ADD RIGHTFROM RIGHT_FROM FROMADDR_R FROMRIGHT FROM_RIGHT RFADDR R_ADD_FROM ADD_R_FROM RFROM
         R_FROM RFROMADDR FROMADDR RF_ADDR RLO_A FROM_ADDR_R RIGHT_FROM_ADDRESS`,
      ],
      RTOADD: [
        'house_number',
        `RTOADD R_T_ADD RIGHTTO RIGHT_TO TOADDR_R TORIGHT TO_RIGHT RTADDR R_ADD_TO ADD_R_TO RTO R_TO RTOADDR TOADDR
         RT_ADDR RHI_A TO_ADDR_R RIGHT_TO_ADDRESS`,
      ],
      ZIPL: ['zip', 'ZIPL ZIP_L L_ZIP LZIP ZIPLEFT ZIP_LEFT LEFT_ZIP POSTAL_L'],
      ZIPR: ['zip', 'ZIPR ZIP_R R_ZIP RZIP ZIPRIGHT ZIP_RIGHT RIGHT_ZIP POSTAL_R'],
    },
  },
  'census_tiger:cousub': {
    files: 'county_subdivisions cousub minor_civil_divisions',
    columns: {
      GEOID: ['geoid10', 'GEOID GEOID10 GEOID20'],
      NAMELSAD: ['name', 'NAMELSAD NAMELSAD10 TOWNNAMEMC TOWN_NAME TOWNNAME TOWN TOWNSHIP NAME'],
    },
  },
  'census_tiger:cbsa': {
    files: 'cbsa metropolitan_areas',
    columns: {},
  },
  'census_tiger:cd': {
    files: 'congressional_districts us_house_districts cd congressional',
    columns: {
      GEOID: ['district', 'GEOID DISTRICT DIST CD DISTRICT_NUMBER CONG_DIST DISTRICT_N'],
    },
  },
  'census_tiger:sldu': {
    files: 'state_senate_districts senate_districts sldu upper_house',
    columns: {
      GEOID: ['district', 'GEOID DISTRICT DIST DIST_NO DISTRICT_NUMBER SENATE_DIST DISTRICT_N'],
    },
  },
  'census_tiger:sldl': {
    files: 'legislative_districts state_house_districts house_districts sldl lower_house assembly_districts',
    columns: {
      GEOID: ['district', 'GEOID DISTRICT DIST DIST_NO DISTRICT_NUMBER HOUSE_DIST DISTRICT_N'],
      NAMELSAD: ['name', 'NAMELSAD'],
    },
  },
  'census_tiger:uac20': {
    files: 'urban_areas urbanized_areas urbanized_area uac20',
    columns: {
      NAME20: ['name', 'NAME20 NAME10 NAME'],
    },
  },
  'census_tiger:unsd': {
    files: 'school_districts unsd unified_school_districts',
    columns: {
      NAME: ['name', 'NAME DISTRICT_NAME SCHOOL_DISTRICT'],
    },
  },
  'census_tiger:coastline': {
    files: 'coastline shoreline',
    columns: {},
  },
};
