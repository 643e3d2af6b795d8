/** Key in the answer → field in the catalog. */
export const VALUES = {
  county_fips: 'county_fips',
  county: 'county_name',
  tract_geoid: 'tract_geoid',
  state_fips: 'state_fips',
  block_group_geoid: 'block_group_geoid',
  block_geoid: 'block_geoid',
  congressional_district: 'congressional_district',
  cbsa_name: 'cbsa_name',
  cbsa_code: 'cbsa_code',
  elevation_m: 'elevation',
  fema_flood_zone: 'fema_flood_zone',
  within_floodplain: 'within_floodplain_polygon',
  coastal_high_hazard: 'coastal_high_hazard',
  in_opportunity_zone: 'in_opportunity_zone',
  opportunity_zone_tract_geoid: 'opportunity_zone_tract_geoid',
  timezone: 'timezone',
} as const;

/** Metric in `county_market` → field in the catalog. */
export const MARKET = {
  population: 'county_population',
  population_growth_1yr_pct: 'county_population_growth_1yr_pct',
  net_domestic_migration: 'county_net_domestic_migration',
  building_permits_total_annual: 'county_building_permits_total_annual',
  building_permits_sf_annual: 'county_building_permits_sf_annual',
  building_permits_yoy_pct: 'county_building_permits_yoy_pct',
  hpi_yoy_pct: 'county_hpi_yoy_pct',
  employment_total: 'county_employment_total',
  employment_yoy_pct: 'county_employment_yoy_pct',
  median_household_income_usd: 'county_median_household_income_usd',
} as const;

/** Key of a parcel in the answer → column of parcels. */
export const COLUMNS = {
  address: 'address',
  owner: 'owner',
  zoning: 'zoning',
  land_use: 'usedesc',
  assessed_value_usd: 'parval',
  last_sale_date: 'saledate',
  last_sale_price_usd: 'saleprice',
  transaction_count: 'sale_count',
} as const;

/** What a lookup tells: fields of the catalog, and columns of parcels. */
export const LOOKUP_NAMES: readonly string[] = [VALUES, MARKET, COLUMNS].flatMap(of => Object.values<string>(of));
