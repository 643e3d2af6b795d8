import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { type AreaQuantiles, quantilesOf } from '../../../../query/parcel/quantiles.ts';
import { unsupportedIn } from '../../../../server/ask/check/check.ts';
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
      text: 'steeper than 84 percent of the parcels of the county',
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

  it('may be said as it is, and no other share of it', () => {
    const { title, description, hint } = catalog.fields.get('slope_degrees')!;
    const standing = standingOf(420, 'slope_degrees', area)!;
    const record = { value: 420, unit: 'degrees', source: 'usgs_3dep', source_url: null, confidence: 'high' } as const;
    const more = { fetched_at: '2026-01-02T03:04:05.678Z', dataset_vintage: null, notes: null, status: 'ok' } as const;
    const evidence = [
      { field: 'slope_degrees', title, description, hint, area: [], record: { ...record, ...more }, standing },
    ];
    const faultOf = (text: string) => unsupportedIn({ text, fields: ['slope_degrees'] }, evidence, catalog);
    expect(faultOf(`The slope is ${standing.text}.`)).toBeNull();
    expect(faultOf(`The slope is ${standing.text.replace('84', '48')}.`)).not.toBeNull();
    expect(faultOf(`The slope is ${standing.text.replace('steeper', 'gentler')}.`)).not.toBeNull();
  });
});
