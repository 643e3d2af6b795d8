import type { LayerHints } from './hint.ts';

/** Everything else that cities, counties, states and agencies publish. */
export const GROUND: LayerHints = {
  'local_zoning:main': {
    files:
      'zoning zoning_districts zoning_district zones generalized_zoning county_zoning city_zoning zoning_base base_zoning current_zoning land_use_zoning zoning_map',
    size: [2000, 3000000],
    columns: {
      ZONE: [
        'zone',
        `ZONE ZONING ZONE_CODE ZONECODE ZONING_CODE ZONE_CLASS ZONECLASS ZONING_DISTRICT ZONE_DIST ZONEDIST
         BASE_DISTR BASE_DISTRICT BASE_ZONE BASE_ZONING DISTRICT ZONE_ID ZN ZONE_TYPE ZONING_CLASS ZONE_NAME ZONE_CD
         CURRENT_ZONING ZDESC ZONING_TYPE ZONE_ ZONING_ABBREV ZONE_ABBR GEN_ZONE ZONE_DESIG`,
      ],
      CONTRACT: ['text', 'CONTRACT CONDITIONAL CONDITIONS CONTRACT_ZONE ORDINANCE CASE_NUMBER CASE_NO'],
    },
  },
  'fema_nfhl:S_FLD_HAZ_AR': {
    files: `flood_zones flood_hazard floodplain flood_hazard_areas fld_haz_ar sfha floodzones special_flood_hazard_area
      dfirm fema_flood nfhl q3_flood flood_plain 100_year_floodplain`,
    columns: {
      FLD_ZONE: ['flood_zone', `FLD_ZONE FLOOD_ZONE FLOODZONE ZONE ZONE_ FEMA_ZONE FLDZONE FIRM_ZONE ZONE_TYPE FLD_ZN`],
      ZONE_SUBTY: ['text', 'ZONE_SUBTY ZONE_SUBTYPE FLD_SUBTY'],
      SFHA_TF: ['sfha', 'SFHA_TF SFHA IN_SFHA'],
      DFIRM_ID: ['id', 'DFIRM_ID'],
      FLD_AR_ID: ['id', 'FLD_AR_ID'],
      STATIC_BFE: ['number', 'STATIC_BFE BFE'],
    },
  },
  'fema_nfhl:S_FIRM_PAN': {
    files: 'firm_panels firm_pan firm_panel',
    columns: {},
  },
  'usgs_earthquake:qfaults': {
    files: `faults fault quaternary_faults qfaults fault_lines quaternary_faults_and_folds hazardous_quaternary_faults
      active_faults`,
    columns: {
      fault_name: ['name', 'FAULT_NAME FAULTNAME NAME FAULT FLTNAME FAULT_ZONE FAULTZONE'],
      slip_rate: ['text', 'SLIP_RATE SLIPRATE SLIP_RATE_CATEGORY'],
      age: ['text', 'AGE FAULT_AGE FAULTAGE AGE_CATEGORY DEFORMATION_AGE'],
    },
  },
  'usgs_landslides:inventory': {
    files: 'landslides landslide landslide_deposits landslide_inventory legacy_landslides landslide_areas',
    columns: {
      Date: ['text', 'DATE_ DATE EVENT_DATE MOVEDATE'],
      Confidence: ['count', 'CONFIDENCE CONF'],
    },
  },
  'usfws_nwi:main': {
    files: 'wetlands wetland nwi national_wetlands_inventory',
    columns: {
      ATTRIBUTE: [
        'cowardin',
        `ATTRIBUTE WETLAND_ID NWI_CODE COWARDIN COWARDIN_CODE WETLAND_CODE CLASS_CODE WETLAND_CLASS`,
      ],
      WETLAND_TYPE: ['text', 'WETLAND_TYPE WETLAND_TY WETLAND WTLND_TYPE'],
      ACRES: ['acres', 'ACRES ACREAGE'],
    },
  },
  'usda_ssurgo:mapunit': {
    files: 'soils soil soil_map_units mupolygon ssurgo soilmu soilmu_a',
    columns: {
      mukey: ['digits', 'MUKEY'],
      musym: ['code', 'MUSYM MAP_UNIT_SYMBOL'],
      muname: ['text', 'MUNAME MAP_UNIT_NAME'],
    },
  },
  'usda_ssurgo:muaggatt': {
    files: 'muaggatt',
    columns: {},
  },
  'usgs_nhdplus_hr:NHDFlowline': {
    files: `streams stream hydrography_lines rivers creeks hydrography_centerlines flowlines nhdflowline watercourses
      stream_centerlines hydro_line`,
    columns: {
      GNIS_Name: ['name', 'GNIS_NAME NAME STREAM_NAME STREAMNAME RIVER_NAME STREAM FEATURE_NAME'],
      NHDPlusID: ['digits', 'NHDPLUSID'],
    },
  },
  'usgs_nhdplus_hr:NHDWaterbody': {
    files: 'ponds lakes waterbodies water_bodies nhdwaterbody lake pond reservoirs',
    columns: {
      GNIS_Name: ['name', 'GNIS_NAME NAME LAKE_NAME WATERBODY_NAME POND_NAME'],
    },
  },
  'usgs_nhdplus_hr:NHDArea': {
    files: 'nhdarea river_polygons',
    columns: {
      GNIS_Name: ['name', 'GNIS_NAME NAME'],
    },
  },
  'usgs_wbd:WBDHU12': {
    files: 'huc12 subwatersheds wbdhu12 huc12_subwatersheds',
    columns: {
      huc12: ['geoid12', 'HUC12 HUC_12 HUC12_CODE'],
      name: ['name', 'NAME HU_12_NAME HU12_NAME HUC12_NAME'],
      areasqkm: ['number', 'AREASQKM AREA_SQKM'],
    },
  },
  'usgs_padus:main': {
    files: 'parks protected_areas conservation_lands padus open_space conserved_lands preserves',
    columns: {
      Unit_Nm: ['name', 'UNIT_NM UNIT_NAME NAME PARK_NAME PARKNAME SITE_NAME PARK PRESERVE_NAME LABEL'],
      Own_Type: ['owner_type', 'OWN_TYPE OWNER_TYPE OWNERSHIP OWNER OWNERTYPE'],
      Mang_Type: ['text', 'MANG_TYPE MANAGER_TYPE'],
      Mang_Name: ['name', 'MANG_NAME MANAGER MANAGED_BY MANAGINGAG'],
      Pub_Access: ['text', 'PUB_ACCESS PUBLIC_ACCESS'],
    },
  },
  'fema_usa_structures:main': {
    files: 'buildings building_footprints structures footprints building building_outlines bldg',
    size: [8, 4000],
    columns: {
      BUILD_ID: ['id', 'BUILD_ID BUILDING_ID BLDG_ID BLDGID FOOTPRINT_ID'],
      PROP_ADDR: ['address', 'PROP_ADDR PROP_ADDRS ADDRESS SITE_ADDRESS STREET_ADDRESS BLDG_ADDRESS FULL_ADDRESS'],
      OCC_CLS: [
        'text',
        `OCC_CLS OCCUPANCY OCCUPANCY_CLASS BLDG_CLASS BUILDING_USE BLDG_USE TYPE BLDG_TYPE BUILDING_TYPE USE_TYPE`,
      ],
      PRIM_OCC: ['text', 'PRIM_OCC PRIMARY_OCCUPANCY'],
      SQMETERS: ['area_m2', 'SQMETERS SQ_METERS AREA_M2 AREA_SQM BLDG_AREA BUILDING_AREA FOOTPRINT_AREA AREA'],
      HEIGHT: ['height', 'HEIGHT BLDG_HEIGHT BUILDING_HEIGHT HEIGHT_M HGT'],
      IMAGE_DATE: ['date', 'IMAGE_DATE CAPTURE_DATE IMAGEDATE'],
    },
  },
  'usdot_nad:main': {
    files: `address_points addresses address e911_addresses address_point site_addresses situs_address_points
      addresspoints nad e911`,
    columns: {
      UUID: ['id', 'UUID GLOBALID SITE_NGUID NGUID'],
      Add_Number: [
        'house_number',
        `ADD_NUMBER ADDR_NUM ADDRNUM ADDNUM HOUSE_NUM HOUSE_NUMBER HOUSENUM ST_NUM STNUM STREET_NUM STREET_NUMBER
         ADDRESS_NUMBER HSE_NUM ADDNO HOUSENO HNO ST_NUMBER ADDR_NUMBER STREETNUM STNO HSENO STREETNO ADDRNO`,
      ],
      St_Name: ['street_name', 'ST_NAME STREETNAME STREET_NAME STNAME STREET ROAD_NAME ROADNAME STR_NAME'],
      Inc_Muni: ['city', 'INC_MUNI'],
      Post_City: [
        'city',
        `POST_CITY CITY POSTAL_CITY MUNICIPALITY MUNI TOWN COMMUNITY POST_COMM POSTCOMM MSAGCOMM PLACE`,
      ],
      State: ['state', 'STATE ST STATE_ABBR'],
      Zip_Code: ['zip', 'ZIP_CODE ZIP ZIPCODE ZIP5 POST_CODE POSTALCODE'],
      AddNo_Full: ['house_number', 'ADDNO_FULL ADDRNUM_FULL'],
      StNam_Full: [
        'street',
        `STNAM_FULL ST_FULL STREET_FULL FULLNAME FULL_STREET STREETFULL FULL_NAME LSTNAME ST_FULLNAME ROADNAME_FULL
         STREET_FULL_NAME`,
      ],
    },
  },
  'bts_ntad:narn': {
    files: 'railroads rail rail_lines railroad railways narn rail_network',
    columns: {
      FRAARCID: ['id', 'FRAARCID'],
      RROWNER1: ['code', 'RROWNER1 OWNER RR_OWNER RR_ABRV RAILROAD OWNER1 RRABRV'],
      NET: ['text', 'NET TYPE RR_TYPE TRACK_TYPE RAIL_TYPE CLASS'],
    },
  },
  'bts_ntad:aviation_facilities': {
    files: 'airports aviation_facilities airport_facilities',
    columns: {
      ARPT_ID: ['code', 'ARPT_ID LOC_ID IATA FAA_ID LOCID AIRPORT_ID IDENT'],
      ARPT_NAME: ['name', 'ARPT_NAME NAME AIRPORT_NAME FACILITY_NAME AIRPORT'],
    },
  },
  'bts_ntad:transit_stops': {
    files: 'transit_stops bus_stops transit_map_stops stops',
    columns: {
      stop_id: ['id', 'STOP_ID STOPID'],
      stop_name: ['name', 'STOP_NAME STOPNAME NAME'],
    },
  },
  'hifld_archive:hospitals': {
    files: 'hospitals hospital',
    columns: {
      ID: ['id', 'ID HOSP_ID FACILITY_ID FACILITYID GIS_ID'],
      NAME: ['name', 'NAME HOSPITAL FACILITY_NAME HOSP_NAME FACILITY'],
      BEDS: ['count', 'BEDS NUM_BEDS'],
    },
  },
  'nces_edge:public_schools': {
    files: 'schools public_schools school public_school_locations',
    columns: {
      NCESSCH: ['id', 'NCESSCH NCES_ID NCESID'],
      NAME: ['name', 'NAME SCHOOL SCHOOL_NAME SCH_NAME SCHNAME FACILITY_NAME SCHOOLNAME'],
    },
  },
  'nces_edge:postsecondary': {
    files: 'colleges universities postsecondary',
    columns: {
      NAME: ['name', 'NAME INSTNM SCHOOL_NAME'],
    },
  },
  'usgs_structures:main': {
    files: 'fire_stations police_stations fire_station structures_point police_station',
    columns: {
      NAME: ['name', 'NAME STATION STATION_NAME FACILITY_NAME FIRE_STATION'],
    },
  },
  'osm_power:substation': {
    files: 'electric_substations substations power_substation',
    columns: {
      name: ['name', 'NAME SUBSTATION SUB_NAME ELP_NAME'],
    },
  },
  'eia_atlas:transmission_lines': {
    files: 'transmission_lines electric_power_transmission_lines power_lines',
    columns: {},
  },
  'eia_860m:plant': {
    files: 'power_plants plants power_plant',
    columns: {
      'Plant ID': ['id', 'PLANT_ID PLANT_CODE EIA_ID GPPD_IDNR PLANTCODE'],
      'Plant Name': ['name', 'PLANT_NAME NAME FACILITY_NAME'],
      Technology: ['text', 'TECHNOLOGY PRIMARY_FUEL PRIMSOURCE FUEL TECH_DESC'],
      'Nameplate Capacity (MW)': ['number', 'NAMEPLATE_CAPACITY_MW CAPACITY_MW NAMEPLATE_MW TOTAL_MW INSTALL_MW'],
    },
  },
  'epa_npl:main': {
    files: 'superfund npl npl_sites superfund_npl',
    columns: {
      SITE_EPA_ID: ['id', 'SITE_EPA_ID EPA_ID EPAID'],
      SITE_NAME: ['name', 'SITE_NAME NAME'],
    },
  },
  'epa_frs:main': {
    files: 'frs facilities national_single',
    columns: {},
  },
  'nps_nrhp:main': {
    files: 'national_register nrhp',
    columns: {
      RESNAME: ['name', 'RESNAME RESOURCE_NAME PROPERTY_NAME'],
    },
  },
  'census_pep:main': {
    files: 'population_estimates county_population_estimates co_est population',
    columns: {
      county_fips: ['fips5', 'COUNTY_FIPS FIPS GEOID STCOU'],
    },
  },
  'fhfa_hpi:main': {
    files: 'hpi house_price_index hpi_county',
    columns: {},
  },
  'census_acs:county': {
    files: 'county_income unemployment_income median_income',
    columns: {
      GEOID: ['fips5', 'GEOID FIPS COUNTY_FIPS FIPS_CODE'],
      B19013_001E: ['money', 'B19013_001E MEDIAN_HOUSEHOLD_INCOME MEDIAN_INCOME'],
    },
  },
  'fema_nri:county': {
    files: 'nri_counties nri_table_counties national_risk_index_counties',
    columns: {
      STCOFIPS: ['fips5', 'STCOFIPS'],
    },
  },
  'fema_nri:tract': {
    files: 'nri_tracts nri_table_censustracts',
    columns: {},
  },
  'tz_boundaries:main': {
    files: 'time_zones timezones',
    columns: {
      tzid: ['text', 'TZID TZ_NAME1ST TZ_NAME TIMEZONE'],
    },
  },
  'cdfi_opportunity_zones:main': {
    files: 'opportunity_zones opportunity_zone_tracts qualified_opportunity_zones',
    columns: {
      GEOID10: ['geoid11', 'GEOID10 GEOID TRACT CENSUS_TRACT CENSUSTRAC CENSUS_TRACT_NUMBER'],
    },
  },
  'usace_nid:main': {
    files: 'dams nid',
    columns: {
      'Dam Name': ['name', 'DAM_NAME NAME'],
    },
  },
  'fcc_asr:main': {
    files: 'antennas towers antenna_structures',
    columns: {},
  },
  'usgs_karst:main': {
    files: 'karst',
    columns: {},
  },
  'nifc_perimeters:main': {
    files: 'fire_perimeters wildfire_perimeters',
    columns: {},
  },
  'usgs_3dep:main': {
    files: 'dem dtm elevation terrain bare_earth 3dep usgs_1 usgs_13',
    columns: {},
  },
  'mrlc_nlcd:land_cover': {
    files: 'nlcd land_cover lndcov nlcd_landcover',
    columns: {},
  },
  'mrlc_nlcd:impervious': {
    files: 'impervious fctimp',
    columns: {},
  },
  'mrlc_nlcd:tree_canopy': {
    files: 'tree_canopy tcc',
    columns: {},
  },
};
