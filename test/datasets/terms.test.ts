import { describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';

/** Terms that two fields share, because people who say them leave open which is meant. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'air quality': ['within_ozone_nonattainment_area', 'within_pm25_nonattainment_area'],
  'asce 7': ['seismic_s1_g', 'seismic_ss_g'],
  asthma: ['within_ozone_nonattainment_area', 'within_pm25_nonattainment_area'],
  asthmatic: ['within_ozone_nonattainment_area', 'within_pm25_nonattainment_area'],
  breathe: ['within_ozone_nonattainment_area', 'within_pm25_nonattainment_area'],
  'building used for': ['building_occupancy_class', 'building_primary_occupancy'],
  'city limits': ['place_name', 'within_incorporated_place'],
  'clean air': ['within_ozone_nonattainment_area', 'within_pm25_nonattainment_area'],
  climate: ['koppen_class', 'mean_annual_temperature_c'],
  'dam break': ['nearest_dam_distance_m', 'nearest_dam_hazard_potential'],
  duplex: ['building_primary_occupancy', 'parcel_zoning'],
  'energy community': ['energy_community_coal_closure', 'energy_community_statistical_area'],
  floodplain: ['fema_flood_zone', 'within_floodplain_polygon'],
  'grid region': ['egrid_subregion', 'iso_rto'],
  'home value': ['parcel_assessed_value_usd', 'tract_median_home_value_usd'],
  'how steep': ['slope_degrees', 'slope_percent'],
  income: ['county_median_household_income_usd', 'tract_median_household_income_usd'],
  pendiente: ['slope_degrees', 'slope_percent'],
  'public supply': ['huc12_public_supply_withdrawal_m3_per_day', 'public_water_system_name'],
  'seismic design': ['seismic_s1_g', 'seismic_ss_g'],
  'structure used for': ['building_occupancy_class', 'building_primary_occupancy'],
  town: ['county_subdivision_name', 'place_name'],
  viento: ['wind_speed_100m_m_per_s', 'wind_speed_80m_m_per_s'],
  'which grid': ['egrid_subregion', 'iso_rto'],
  'wind resource': ['wind_speed_100m_m_per_s', 'wind_speed_80m_m_per_s'],
};

describe('the everyday words of fields', () => {
  const named = [...catalog.fields.values()].flatMap(({ name, terms }) => terms.map(term => ({ name, term })));

  it('name one field each, except where people leave open which of two is meant', () => {
    const shared = [...Map.groupBy(named, ({ term }) => term)]
      .filter(([, fields]) => fields.length > 1)
      .map(([term, fields]) => [term, fields.map(({ name }) => name).sort()]);
    const more = shared.flatMap(([term, names]) => (Object.hasOwn(SHARED, String(term)) ? [] : [`${term}: ${names}`]));
    expect(more, 'say something more exact in `terms` of one; where people mean either, add it to SHARED here').toEqual(
      [],
    );
    expect(Object.fromEntries(shared)).toEqual(SHARED);
  });

  it('are short, in small letters, and none is said twice of a field', () => {
    for (const { name, term } of named) expect(term, name).toMatch(/^[\p{Ll}0-9][\p{Ll}0-9 .'’/-]*$/u);
    expect(named.filter(({ term }) => term.split(' ').length > 12)).toEqual([]);
    for (const { name, terms } of catalog.fields.values()) expect(new Set(terms).size, name).toBe(terms.length);
  });
});
