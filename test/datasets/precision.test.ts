import { describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { inParcelSteps } from '../../datasets/parcel/parcel-steps.ts';
import { distanceInSteps, inSteps } from '../../datasets/precision.ts';

const stepOf = (name: string) => catalog.fields.get(name)!.precision;

/** Remedy of a number without a step, or of a step of what is no number. */
const remedyOf = (name: string) =>
  `${name}: say \`precision\` in its dataset, the step of the publisher's numbers as a power of ten, such as 0.1; only numbers have one`;

describe('the step that a field declares', () => {
  it('is that of heights, of distances by the accuracy of the layer, and of shares', () => {
    expect(stepOf('elevation')).toBe(0.1);
    // 12 m and 7.6 m are stated; of substations nobody states any.
    expect(stepOf('nearest_wetland_distance_m')).toBe(1);
    expect(stepOf('nearest_road_distance_m')).toBe(0.1);
    expect(stepOf('nearest_substation_distance_m')).toBe(0.1);
    expect(stepOf('wetland_fraction_within_500m')).toBe(0.0001);
    expect(stepOf('base_flood_elevation_m')).toBe(0.01);
    expect(stepOf('parcel_area_m2')).toBe(0.1);
    expect(stepOf('parcel_match_distance_m')).toBe(0.1);
  });

  it('is that of what is published, where a number is passed on', () => {
    expect(stepOf('nri_risk_score')).toBe(0.01);
    expect(stepOf('nri_wildfire_eal_usd')).toBe(0.01);
    expect(stepOf('parcel_assessed_value_usd')).toBe(0.01);
    expect(stepOf('building_height_m')).toBe(0.1);
    expect(stepOf('electricity_rate_residential_usd_per_kwh')).toBe(0.0001);
  });

  it('stands for every number, is a power of ten, and is none of what is no number or a whole one', () => {
    for (const { name, type, precision } of catalog.fields.values()) {
      if (precision !== null) expect([name, Math.abs(Math.log10(precision) % 1) < 1e-9]).toEqual([name, true]);
      expect(precision !== null, remedyOf(name)).toBe(type === 'number');
    }
  });
});

describe('a distance in steps', () => {
  it.each([
    [0, 1, 0],
    [1e-9, 1, 0],
    [0.001, 0.1, 0.1],
    [0.4, 1, 1],
    [1.4, 1, 1],
    [1.6, 1, 2],
    [4, 10, 10],
  ])('of %s m in steps of %s is %s', (metres, step, said) => expect(distanceInSteps(metres, step)).toBe(said));
});

describe('stored attributes of parcels', () => {
  it('declare a step where they are numbers, as calculations of enrichment do', () => {
    for (const { name, type, precision } of enrichCatalogOf(catalog).fields.values()) {
      if (precision !== null) expect([name, Math.abs(Math.log10(precision) % 1) < 1e-9]).toEqual([name, true]);
      expect(precision !== null, remedyOf(name)).toBe(type === 'number');
    }
  });

  it('are stored in their steps; what Plat computes stays as it was computed', () => {
    const published = {
      parval: 1234.5678,
      gisacre: 0.123449,
      bldg_area_sqft: 1800.4,
      numbathrooms: 2.5,
      lot: '1.2345',
    };
    const computed = { centroid_lat: 44.123456789, acreage: 0.123456789, yearbuilt: 1950, deeded_acres: null };
    expect(inParcelSteps({ ...published, ...computed })).toEqual({
      ...{ parval: 1234.57, gisacre: 0.1234, bldg_area_sqft: 1800, numbathrooms: 2.5, lot: '1.2345' },
      ...computed,
    });
  });
});

describe('inSteps', () => {
  it.each([
    [2114.998172359693, 0.1, 2115],
    [17.476943, 0.01, 17.48],
    [-0.00004, 0.0001, 0],
    [1234.5, 10, 1230],
    [0.30000001192092896, 0.0001, 0.3],
    [12.4, 1, 12],
  ])('%d in steps of %d is %d', (value, step, expected) => {
    expect(inSteps(value, step)).toBe(expected);
  });
});
