import { describe, expect, it } from 'vitest';
import { standingOf } from '../../web/values/rank.ts';
import { distanceWords, valueWords } from '../../web/values/value-words.ts';

describe('values as they are told', () => {
  it.each([
    // 100 ft are 30.48 m and a mile is 1,609.344 m by definition.
    [30.48, 'm', 'nearest_road_distance_m', '100 ft', '30.5 m'],
    [0.1, 'm', 'nearest_road_distance_m', '0.3 ft', '0.1 m'],
    [16_093.44, 'm', 'coast_distance_m', '10 mi', '16.1 km'],
    // Heights are never told in miles.
    [1609.344, 'm', 'elevation', '5,280 ft', '1,609 m'],
    [40_468.564224, 'm2', 'parcel_area_m2', '10 acres', '40,469 m²'],
    [365.59658, 'acres', 'acreage', '366 acres', '148 hectares'],
    [1, 'acres', 'acreage', '1 acre', '0.405 hectares'],
    [20, 'degC', 'mean_annual_temperature_c', '68 °F', '20 °C'],
    [220.2, 'mm', 'rainfall_100yr_24hr_mm', '8.67 in', '220 mm'],
    [0.1214, 'fraction', 'sfha_fraction_within_500m', '12 %', '12 %'],
    [329_098.4, 'USD/year', 'nri_inland_flooding_eal_usd', '$329,098 a year', '$329,098 a year'],
    [0.1825, 'USD/kWh', 'electricity_rate_residential_usd_per_kwh', '$0.183 a kWh', '$0.183 a kWh'],
    [-70.7067684, 'degrees', 'centroid_lon', '-70.706768°', '-70.706768°'],
    ['AE', null, 'fema_flood_zone', 'AE', 'AE'],
  ])('%j in %s of %s', (value, unit, name, us, metric) => {
    expect(valueWords(value, unit, name, 'us')).toBe(us);
    expect(valueWords(value, unit, name, 'metric')).toBe(metric);
  });

  it.each([
    // 500 m are 1,640 ft, and 1 km is 0.62 mi.
    ['Building coverage within 500 m', 'Building coverage within 1,600 ft'],
    ['Level ground: 4 % of the land within 1 km is flat', 'Level ground: 4 % of the land within 0.62 mi is flat'],
    ['Largest hail within 40 km', 'Largest hail within 25 mi'],
    ['Transit stop count within 800 m', 'Transit stop count within 2,600 ft'],
    ['Wind speed at 80 m', 'Wind speed at 80 m'],
  ])('%s', (text, us) => {
    expect(distanceWords(text, 'us')).toBe(us);
    expect(distanceWords(text, 'metric')).toBe(text);
  });

  it('stand among the parcels of the county where that tells something', () => {
    const probabilities = Array.from({ length: 101 }, (_, i) => i / 100);
    const rows = [{ field: 'slope_percent', of: 'county' as const, values: probabilities.map(share => share * 10) }];
    const words = (value: number, name = 'slope_percent') => standingOf(name, value, { probabilities, rows })?.words;
    expect(words(8.45)).toBe('steeper than 84 % of the county');
    expect(words(1.05)).toBe('flatter than 90 % of the county');
    expect(words(100)).toBe('steeper than 100 % of the county');
    expect(words(5)).toBeUndefined();
    expect(words(8.45, 'elevation')).toBeUndefined();
    const alike = [{ ...rows[0]!, values: probabilities.map(() => 3) }];
    expect(standingOf('slope_percent', 9, { probabilities, rows: alike })).toBeNull();
  });
});
