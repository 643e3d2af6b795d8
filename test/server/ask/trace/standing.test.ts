import { describe, expect, it } from 'vitest';
import { type AreaQuantiles, quantilesOf } from '../../../../query/parcel/quantiles.ts';
import { standingOf } from '../../../../server/ask/standing.ts';

const each = (values: readonly number[]) => values.map(value => ({ value, weight: 1 }));

describe('where a value stands', () => {
  const quantiles: AreaQuantiles = {
    parcels: 500,
    fields: {
      slope_degrees: quantilesOf(each(Array.from({ length: 500 }, (_, i) => i)))!,
      nearest_hospital_distance_m: quantilesOf(each(Array.from({ length: 500 }, (_, i) => i)))!,
      elevation: quantilesOf(each([1, 2, 3]))!,
      county_population: quantilesOf(each(Array<number>(500).fill(938)))!,
    },
  };
  const area = { of: 'county', place: '23019', release: 'r', quantiles } as const;

  it('is said with the larger share, in the words of the field, with its source', () => {
    expect(standingOf(420, 'slope_degrees', area)).toEqual({
      share: 0.84,
      above: expect.closeTo(0.15, 2),
      of: 'county',
      place: '23019',
      count: 500,
      citation: {
        source: 'parcel_quantiles',
        source_url: '/v1/meta/quantiles?fields=slope_degrees&county_fips=23019',
        release: 'r',
      },
      text: 'steeper than 84 percent of the 500 parcels of the county',
    });
    expect(standingOf(24.5, 'nearest_hospital_distance_m', area)!.text).toMatch(/^nearer than 94 percent of/);
    expect(standingOf(420, 'slope_degrees', { ...area, of: 'release', place: null })!.text).toMatch(/than about 84/);
  });

  it('is not said of texts, of few parcels, or where nearly all are alike', () => {
    expect(standingOf('X', 'slope_degrees', area)).toBeNull();
    expect(standingOf(2, 'elevation', area)).toBeNull();
    expect(standingOf(938, 'county_population', area)).toBeNull();
    expect(standingOf(1, 'no_such_field', area)).toBeNull();
  });
});
