/** The field names in a block of text. */
const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * The fourteen enrich presets in the order of the interface, each with its fields in order. All enrichments answer in
 * this order. A field that is in several presets comes with the first.
 */
export const ENRICH_PRESETS = {
  parcel: names(`
    apn apn_no_formatting alt_apn1 state_apn account_number tax_id tax_district geoid state2 county centroid_lat
    centroid_lon address address2 saddno saddpref saddstr saddsttyp saddstsuf sunit city original_address szip
    szip5 urbanization location_name address_count neighborhood neighborhood_code owner unmodified_owner owner2
    ownfrst ownlast owntype previous_owner owner_occupied owner_public mailadd mail_address2 careof mail_addno
    mail_addpref mail_addstr mail_addsttyp mail_addstsuf mail_unit mail_city mail_state2 mail_zip mail_country
    parcel_apn parcel_address parcel_area_m2 acreage gisacre parcel_owner parcel_land_use parcel_match_type
    parcel_match_distance_m state_name county_name county_fips place_name tract_geoid block_group_geoid
    block_geoid zcta timezone source_agency source_dataset source_url sourcedate source_license geometry_source
    geometry_updated_date reviseddate record_status stack_count last_refresh_at updated_at owner_assemblage
  `),
  zoning: names(`
    zoning zoning_description zoning_type zoning_subtype zoning_overlay zoning_jurisdiction zoning_code_link
    zoning_source_date future_land_use parcel_zoning usecode usedesc property_class use_group vacant
    ag_use_program lbcs_activity lbcs_activity_desc lbcs_function lbcs_function_desc lbcs_structure
    lbcs_structure_desc lbcs_site lbcs_site_desc lbcs_ownership lbcs_ownership_desc within_incorporated_place
  `),
  buildings: names(`
    struct structno yearbuilt yearbuilt_effective numstories numunits numrooms numbedrooms numbathrooms
    structstyle bldg_area_sqft living_area_sqft construction_type exterior_wall roof_cover foundation_type
    basement_type heating_type cooling_type structure_quality structure_condition pool bldg_count
    bldg_footprint_sqft building_at_point building_footprint_area_m2 building_height_m building_occupancy_class
    building_primary_occupancy nearest_building_distance_m nearest_residential_building_distance_m
    building_count_within_100m building_count_within_1km building_coverage_fraction_500m nearest_address
    nearest_address_distance_m
  `),
  valuation: names(`
    landval improvval parval parvaltype agval marketval taxable_value exempt_value exemption_code
    homestead_exemption taxamt taxyear assessment_year prior_parval saleprice saledate sale_qualification
    sale_deed_type sale_document_number sale_multi_parcel seller_name saleprice2 saledate2 sale_count
    last_ownership_transfer_date parcel_assessed_value_usd parcel_last_sale_date parcel_last_sale_price_usd
    parcel_transaction_count qoz qoz_tract in_opportunity_zone opportunity_zone_tract_geoid
  `),
  legal: names(`
    legaldesc subdivision plat plat_book plat_page book page block lot plss_township plss_range plss_section
    acreage gisacre deeded_acres recrdareano lot_frontage_ft lot_depth_ft census_tract census_blockgroup
    census_block census_zcta census_place census_subdivision census_unified_school_district
    census_elementary_school_district census_secondary_school_district apn apn_no_formatting owner
    unmodified_owner last_ownership_transfer_date state_fips cbsa_name cbsa_code congressional_district
    state_senate_district state_house_district county_subdivision_name unified_school_district_name
    urban_area_name within_tribal_land tribal_land_name
  `),
  power: names(`
    nearest_transmission_line_distance_m nearest_transmission_line_voltage_kv nearest_transmission_line_owner
    nearest_transmission_line_115kv_plus_distance_m nearest_transmission_line_230kv_plus_distance_m
    nearest_transmission_line_345kv_plus_distance_m transmission_line_max_voltage_kv_within_10km
    nearest_substation_distance_m nearest_substation_name nearest_substation_voltage_kv
    nearest_substation_operator nearest_substation_115kv_plus_distance_m
    nearest_substation_230kv_plus_distance_m substation_count_within_10km nearest_power_plant_distance_m
    nearest_power_plant_name nearest_power_plant_technology nearest_power_plant_capacity_mw
    generation_capacity_within_50km_mw planned_generation_capacity_within_50km_mw solar_capacity_within_50km_mw
    wind_capacity_within_50km_mw battery_capacity_within_50km_mw nearest_nuclear_plant_distance_m
    nearest_utility_solar_distance_m nearest_wind_turbine_distance_m wind_turbine_count_within_10km
    electric_utility_name electric_utility_id electric_utility_type balancing_authority iso_rto
    electricity_rate_residential_usd_per_kwh electricity_rate_commercial_usd_per_kwh
    electricity_rate_industrial_usd_per_kwh electric_utility_saidi_minutes egrid_subregion
    grid_co2e_rate_kg_per_mwh county_queue_active_mw county_queue_active_project_count county_queue_solar_mw
    county_queue_storage_mw energy_community_coal_closure energy_community_statistical_area
    onsite_solar_potential_mwac_fixed_tilt onsite_solar_potential_mwac_single_axis_tracking gas_utility_name
    nearest_natural_gas_pipeline_distance_m nearest_natural_gas_pipeline_operator
    nearest_petroleum_pipeline_distance_m
  `),
  access: names(`
    nearest_road_distance_m nearest_road_name nearest_road_class nearest_primary_road_distance_m
    nearest_interstate_distance_m nearest_interstate_name nearest_highway_ramp_distance_m nearest_road_aadt
    nearest_rail_line_distance_m nearest_rail_line_owner nearest_intermodal_terminal_distance_m
    nearest_transit_stop_distance_m transit_stop_count_within_800m nearest_airport_distance_m
    nearest_airport_name nearest_commercial_airport_distance_m nearest_commercial_airport_name
    nearest_port_distance_m nearest_port_name nearest_military_installation_distance_m
    nearest_fire_station_distance_m nearest_fire_station_name nearest_police_station_distance_m
    nearest_hospital_distance_m nearest_hospital_name nearest_public_school_distance_m
    nearest_public_school_name nearest_college_distance_m nearest_grocery_store_distance_m
    nearest_grocery_store_name nearest_pharmacy_distance_m nearest_park_distance_m nearest_ev_charger_distance_m
    restaurant_count_within_1km poi_count_within_1km broadband_max_download_mbps broadband_max_upload_mbps
    broadband_fiber_available broadband_provider_count nearest_antenna_structure_distance_m
    nearest_interconnection_facility_distance_m nearest_interconnection_facility_name
    interconnection_facility_count_within_50km
  `),
  water: names(`
    public_water_system_name public_water_system_id nearest_wastewater_plant_distance_m
    huc12_public_supply_withdrawal_m3_per_day nearest_groundwater_well_distance_m huc_12 huc_8
    nearest_flowline_distance_m nearest_flowline_stream_order nearest_flowline_mean_flow_m3_per_s
    nearest_perennial_stream_distance_m height_above_nearest_stream_m nearest_waterbody_distance_m
    within_nhd_waterbody coast_distance_m great_lakes_shore_distance_m soil_septic_limitation
  `),
  terrain: names(`
    elevation slope_degrees slope_percent aspect_degrees aspect_cardinal terrain_ruggedness_index_m
    topographic_position_index_m local_relief_1km_m slope_mean_500m_degrees slope_under_5pct_fraction_1km
    slope_under_10pct_fraction_1km highest_parcel_elevation lowest_parcel_elevation mean_parcel_slope_percent
    soil_map_unit_name soil_hydrologic_group soil_drainage_class soil_depth_to_bedrock_cm
    soil_depth_to_water_table_cm soil_flooding_frequency soil_farmland_class soil_steel_corrosion_risk
    soil_concrete_corrosion_risk soil_linear_extensibility_percent
  `),
  environment: names(`
    land_cover_class land_cover_dominant_class_1km land_cover_developed_fraction_1km
    land_cover_forest_fraction_1km land_cover_shrub_fraction_1km land_cover_grassland_fraction_1km
    land_cover_pasture_fraction_1km land_cover_cropland_fraction_1km land_cover_wetland_fraction_1km
    land_cover_water_fraction_1km land_cover_barren_fraction_1km developed_fraction_change_since_2001_1km
    impervious_percent tree_canopy_percent tree_canopy_percent_mean_100m crop_type cdl_majority_category
    cdl_majority_percent cdl_date within_nwi_wetland nwi_wetland_type nwi_wetland_code
    nearest_wetland_distance_m wetland_fraction_within_500m within_protected_area protected_area_name
    protected_area_manager protected_area_gap_status padus_public_access nearest_protected_area_distance_m
    nearest_protected_area_name within_conservation_easement within_federal_land within_critical_habitat
    critical_habitat_species nearest_critical_habitat_distance_m nearest_historic_place_distance_m
    transportation_noise_dba nearest_superfund_site_distance_m nearest_superfund_site_name
    superfund_site_count_within_5km nearest_brownfield_distance_m nearest_tri_facility_distance_m
    within_ozone_nonattainment_area within_pm25_nonattainment_area
  `),
  climate: names(`
    mean_annual_temperature_c summer_mean_max_temperature_c winter_mean_min_temperature_c
    annual_precipitation_mm annual_snowfall_cm heating_degree_days_f cooling_degree_days_f days_above_90f
    days_below_32f climate_station_distance_m solar_ghi_kwh_per_m2_day solar_dni_kwh_per_m2_day
    solar_latitude_tilt_kwh_per_m2_day wind_speed_80m_m_per_s wind_speed_100m_m_per_s wind_speed_140m_m_per_s
    wind_shear_exponent koppen_code koppen_class plant_hardiness_zone rainfall_2yr_24hr_mm rainfall_10yr_24hr_mm
    rainfall_100yr_24hr_mm rainfall_100yr_1hr_mm historic_days_above_95f projected_days_above_95f_midcentury
    projected_cooling_degree_days_f_midcentury projected_max_consecutive_dry_days_midcentury drought_category
  `),
  hazards: names(`
    parcel_flood_sfha_fraction parcel_fema_flood_zone parcel_fema_flood_zone_raw parcel_fema_flood_zone_date
    parcel_fema_nri_risk_rating fema_flood_zone fema_flood_zone_subtype within_floodplain_polygon
    within_regulatory_floodway coastal_high_hazard within_500yr_floodplain within_levee_protected_area
    base_flood_elevation_m elevation_above_base_flood_m nearest_sfha_distance_m sfha_fraction_within_500m
    flood_map_panel_id flood_map_effective_date nfip_claim_count_tract nearest_dam_distance_m
    nearest_dam_hazard_potential high_hazard_dam_count_within_25km sea_level_rise_lowest_inundating_ft
    storm_surge_cat3_depth_m storm_surge_cat5_depth_m wildfire_hazard_potential_class wildfire_burn_probability
    wildfire_conditional_flame_length_m wildfire_risk_to_potential_structures wildfire_exposure_type
    fuel_model_fbfm40 wui_class within_historic_wildfire_perimeter nearest_wildfire_perimeter_distance_m
    nearest_wildfire_year wildfire_perimeter_count_within_10km seismic_pga_2pct_50yr_g seismic_ss_g seismic_s1_g
    nearest_quaternary_fault_distance_m nearest_quaternary_fault_name earthquake_count_m4_within_100km
    landslide_susceptibility_index landslide_count_within_5km within_karst_area radon_zone
    tornado_track_count_within_40km hail_report_count_within_40km hail_max_size_in_within_40km
    hurricane_track_count_within_100km hurricane_max_category_within_100km drought_category
    disaster_declaration_count_county_10yr nearest_superfund_site_distance_m nearest_superfund_site_name
    superfund_site_count_within_5km nearest_brownfield_distance_m nearest_tri_facility_distance_m
    within_ozone_nonattainment_area within_pm25_nonattainment_area nri_risk_score nri_risk_rating
    nri_expected_annual_loss_usd nri_social_vulnerability_score nri_community_resilience_score
    nri_inland_flooding_risk_score nri_coastal_flooding_risk_score nri_hurricane_risk_score
    nri_tornado_risk_score nri_strong_wind_risk_score nri_hail_risk_score nri_lightning_risk_score
    nri_wildfire_risk_score nri_earthquake_risk_score nri_landslide_risk_score nri_drought_risk_score
    nri_heat_wave_risk_score nri_cold_wave_risk_score nri_winter_weather_risk_score nri_ice_storm_risk_score
    nri_avalanche_risk_score nri_tsunami_risk_score nri_volcanic_activity_risk_score nri_inland_flooding_eal_usd
    nri_coastal_flooding_eal_usd nri_hurricane_eal_usd nri_tornado_eal_usd nri_strong_wind_eal_usd
    nri_hail_eal_usd nri_lightning_eal_usd nri_wildfire_eal_usd nri_earthquake_eal_usd nri_landslide_eal_usd
    nri_drought_eal_usd nri_heat_wave_eal_usd nri_cold_wave_eal_usd nri_winter_weather_eal_usd
    nri_ice_storm_eal_usd nri_avalanche_eal_usd nri_tsunami_eal_usd nri_volcanic_activity_eal_usd
  `),
  market: names(`
    county_population county_population_growth_1yr_pct county_net_domestic_migration
    county_building_permits_total_annual county_building_permits_sf_annual county_building_permits_yoy_pct
    county_hpi_yoy_pct county_employment_total county_employment_yoy_pct county_median_household_income_usd
    county_average_weekly_wage_usd tract_population tract_median_household_income_usd
    tract_median_home_value_usd tract_median_gross_rent_usd tract_housing_vacancy_pct tract_owner_occupied_pct
    population_within_5km jobs_within_5km
  `),
  constraints: names(`
    parcel_constraint_zones wetland_fraction_of_parcel wetland_acres_on_parcel developable_acres_proxy
    parcel_flood_sfha_fraction fema_flood_zone within_floodplain_polygon within_regulatory_floodway
    within_nwi_wetland within_protected_area within_conservation_easement within_federal_land
    within_critical_habitat within_tribal_land within_karst_area slope_percent soil_farmland_class
    nearest_historic_place_distance_m nearest_military_installation_distance_m
    nearest_residential_building_distance_m
  `),
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type EnrichPreset = keyof typeof ENRICH_PRESETS;
