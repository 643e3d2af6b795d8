/**
 * Fields that stand for one another, those that decide first, by what they are about. What follows a bar stands for those before it
 * and not the other way: an airport makes noise, and a rail line is no airport.
 */
const FAMILIES: readonly { readonly members: readonly string[]; readonly proxies: readonly string[] }[] = [
  'fema_flood_zone within_floodplain_polygon nearest_sfha_distance_m sfha_fraction_within_500m | nfip_claim_count_tract',
  'wildfire_burn_probability wildfire_hazard_potential_class nri_wildfire_risk_score within_historic_wildfire_perimeter wildfire_perimeter_count_within_10km nearest_wildfire_perimeter_distance_m',
  'landslide_susceptibility_index landslide_count_within_5km nri_landslide_risk_score nri_landslide_eal_usd',
  'seismic_pga_2pct_50yr_g nearest_quaternary_fault_distance_m earthquake_count_m4_within_100km nri_earthquake_risk_score nri_earthquake_eal_usd',
  'hurricane_track_count_within_100km hurricane_max_category_within_100km nri_hurricane_risk_score nri_hurricane_eal_usd',
  'storm_surge_cat3_depth_m storm_surge_cat5_depth_m nri_coastal_flooding_risk_score sea_level_rise_lowest_inundating_ft | coast_distance_m',
  'tornado_track_count_within_40km nri_tornado_risk_score nri_tornado_eal_usd',
  'hail_max_size_in_within_40km hail_report_count_within_40km nri_hail_risk_score nri_hail_eal_usd',
  'drought_category nri_drought_risk_score nri_drought_eal_usd',
  'within_nwi_wetland wetland_fraction_of_parcel nearest_wetland_distance_m wetland_fraction_within_500m land_cover_wetland_fraction_1km',
  'wetland_acres_on_parcel wetland_fraction_of_parcel within_nwi_wetland',
  'slope_percent slope_degrees slope_mean_500m_degrees slope_under_10pct_fraction_1km terrain_ruggedness_index_m',
  'transportation_noise_dba | nearest_road_aadt nearest_primary_road_distance_m nearest_rail_line_distance_m nearest_airport_distance_m',
  'broadband_fiber_available broadband_max_download_mbps broadband_provider_count',
  'solar_ghi_kwh_per_m2_day solar_latitude_tilt_kwh_per_m2_day solar_dni_kwh_per_m2_day',
  'wind_speed_100m_m_per_s wind_speed_80m_m_per_s wind_speed_140m_m_per_s',
  'rainfall_100yr_24hr_mm rainfall_10yr_24hr_mm rainfall_2yr_24hr_mm annual_precipitation_mm',
  'soil_drainage_class soil_hydrologic_group soil_depth_to_water_table_cm',
  'soil_depth_to_water_table_cm nearest_groundwater_well_depth_to_water_m',
  'parcel_last_sale_price_usd parcel_assessed_value_usd tract_median_home_value_usd county_hpi_yoy_pct',
  'nearest_interstate_distance_m nearest_highway_ramp_distance_m nearest_primary_road_distance_m nearest_road_distance_m',
  'nearest_commercial_airport_distance_m nearest_airport_distance_m',
  'nearest_flowline_distance_m nearest_perennial_stream_distance_m nearest_waterbody_distance_m',
  'nearest_substation_distance_m nearest_transmission_line_distance_m',
  'tree_canopy_percent land_cover_forest_fraction_1km',
  'parcel_zoning parcel_land_use land_cover_class',
  'nearest_address parcel_address',
  'place_name county_subdivision_name county_name',
  'tract_median_household_income_usd county_median_household_income_usd',
  'tract_population population_within_5km county_population',
].map(family => {
  const [members = [], proxies = []] = family.split(' | ').map(names => names.split(' '));
  return { members, proxies };
});

/** What a question is about whose deciding fields are looked up together. */
const MATTERS: readonly (readonly [RegExp, string])[] = [[/\b(?:flood\w*|inunda\w*)\b/, 'fema_flood_zone']];

/** Fields that may stand for a field which this release cannot answer, those that decide first. */
export const standInsFor = (field: string): readonly string[] => [
  ...new Set(
    FAMILIES.filter(({ members }) => members.includes(field))
      .flatMap(({ members, proxies }) => [...members, ...proxies])
      .filter(name => name !== field),
  ),
];

/** Fields that say one thing in two ways: where one is planned, the other is. */
const TWINS: readonly (readonly [string, string])[] = [
  ['slope_degrees', 'slope_percent'],
  ['koppen_code', 'koppen_class'],
  ['aspect_degrees', 'aspect_cardinal'],
  ['huc_12', 'huc_12_name'],
  ['hail_max_size_in_within_40km', 'hail_report_count_within_40km'],
  ['within_ozone_nonattainment_area', 'within_pm25_nonattainment_area'],
  ['energy_community_coal_closure', 'energy_community_statistical_area'],
  ['parcel_last_sale_price_usd', 'parcel_last_sale_date'],
  ['nri_community_resilience_score', 'nri_social_vulnerability_score'],
  ['nearest_wind_turbine_distance_m', 'wind_turbine_count_within_10km'],
];

/**
 * What leaves a question open → what closes it: a dam asks for its danger, a plant for what it burns, a hazard area for its zone. The
 * second is told with the first.
 */
const CLOSED_BY: ReadonlyMap<string, string> = new Map([
  ['nearest_dam_distance_m', 'nearest_dam_hazard_potential'],
  ['nearest_power_plant_distance_m', 'nearest_power_plant_technology'],
  ['within_critical_habitat', 'critical_habitat_species'],
  ['within_tribal_land', 'tribal_land_name'],
  ['within_nwi_wetland', 'nwi_wetland_type'],
  ['within_floodplain_polygon', 'fema_flood_zone'],
  ['coastal_high_hazard', 'fema_flood_zone'],
  ['opportunity_zone_tract_geoid', 'in_opportunity_zone'],
  ['base_flood_elevation_m', 'elevation_above_base_flood_m'],
  ['nri_risk_rating', 'nri_risk_score'],
  ['nri_risk_score', 'nri_risk_rating'],
  ['nearest_dam_hazard_potential', 'nearest_dam_distance_m'],
  ['critical_habitat_species', 'within_critical_habitat'],
  ['tribal_land_name', 'within_tribal_land'],
  ['projected_days_above_95f_midcentury', 'historic_days_above_95f'],
  ['solar_latitude_tilt_kwh_per_m2_day', 'solar_ghi_kwh_per_m2_day'],
  ['landslide_count_within_5km', 'landslide_susceptibility_index'],
  ['nearest_natural_gas_pipeline_operator', 'nearest_natural_gas_pipeline_distance_m'],
  ['county_queue_active_project_count', 'county_queue_active_mw'],
  ['tornado_track_count_within_40km', 'nri_tornado_risk_score'],
  ['nearest_superfund_site_distance_m', 'nearest_superfund_site_name'],
  ['nearest_natural_gas_pipeline_distance_m', 'nearest_natural_gas_pipeline_operator'],
]);

/** Asks for a yes or no about the place itself, which closes the question of what it lies in. */
const YES_OR_NO = /^(?:is|are|am|does|esta|queda)\b(?! there\b)/;

/** The field that closes what another leaves open; null for none. @param clause folded. */
export function closedBy(field: string, clause: string): string | null {
  const next = CLOSED_BY.get(field) ?? null;
  return next !== null && field.startsWith('within_') && YES_OR_NO.test(clause) && !/ (?:or|o) /.test(clause)
    ? null
    : next;
}

/** Asks which thing is nearest, and leaves open whether its name or its distance is meant. */
const NEAREST =
  /\b(?:closest|nearest|mas cerca(?:n[oa])?|mas proxim[oa])\b|^(?:\p{L}+ )?(?:where|which|what|donde|cual)\b/u;
const HOW_FAR =
  /\b(?:how (?:far|close|near|long|many)|distance|miles?|km|kilometers|meters|feet|away|within|lejos|distancia|millas|kilometros|metros)\b/;
const NAMED = /\b(?:name[ds]?|called|who|whose|operat\w+|owns?|owner|llama|nombre|quien)\b/;

/**
 * The other of name and distance of the nearest thing, where a clause asks for it without saying which of them; null otherwise.
 * @param clause folded.
 */
export function nearestTwinOf(field: string, clause: string): string | null {
  const [, thing, part] = /^(nearest_.+)_(name|distance_m)$/.exec(field) ?? [];
  if (thing === undefined || !NEAREST.test(clause) || HOW_FAR.test(clause) || NAMED.test(clause)) return null;
  return `${thing}_${part === 'name' ? 'distance_m' : 'name'}`;
}

/** The family that a matter is about, in its order; empty for none. @param matter folded. */
export function familyOf(matter: string): readonly string[] {
  const head = MATTERS.find(([pattern]) => pattern.test(matter))?.[1];
  const family = FAMILIES.find(({ members }) => head !== undefined && members.includes(head));
  return family === undefined ? [] : [...family.members, ...family.proxies];
}

/** The field that says the same in another way; null for none. */
export function twinOf(field: string): string | null {
  const pair = TWINS.find(names => names.includes(field));
  return pair?.find(name => name !== field) ?? null;
}
