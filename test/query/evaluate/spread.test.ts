import { describe, expect, it } from 'vitest';
import type { RasterLayer, TableLayer, VectorLayer } from '../../../datasets/dataset.ts';
import { createFixture, dataset, field, rectangle } from '../release-fixture.ts';
import { bothForms } from './operators/forms.ts';

const polygon = (more: Partial<VectorLayer> = {}): VectorLayer => ({
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'GEOID',
  partition: 'national',
  columns: { GEOID: { type: 'string' }, height: { type: 'number' } },
  ...more,
});
const grid = (more: Partial<RasterLayer> = {}): RasterLayer => ({
  kind: 'raster',
  bands: 1,
  unit: 'm',
  sampling: 'nearest',
  partition: 'national',
  ...more,
});
const assessed = [{ figure: 0.82, unit: 'm', means: 'is the error', page: 'https://example.org' }];
const survey: TableLayer = {
  kind: 'table',
  key: { column: 'GEOID', is: 'county_fips' },
  partition: 'national',
  columns: {
    GEOID: { type: 'string' },
    rent: { type: 'number', margin: 'rent_m' },
    homes: { type: 'number', margin: 'homes_m' },
    rent_m: { type: 'number' },
    homes_m: { type: 'number' },
  },
};
const cv = { confidence: 'cv(12;40)', unit: 'USD' };
const tiger = dataset('census_tiger', { county: polygon() });
const stats = dataset(
  'stats',
  { main: survey },
  {
    rent: field('area_key_attr(stats, key=county_fips, rent, null[-666666666])', cv),
    share: field(
      'derived(expr[100 * r / h], r=area_key_attr(stats, key=county_fips, rent), h=area_key_attr(stats, key=county_fips, homes))',
      { ...cv, unit: 'percent' },
    ),
  },
);
const ground = dataset(
  'ground',
  {
    main: grid({ assessed, rmse: 0.82 }),
    plain: grid(),
    flood: polygon({ accuracyM: 1 }),
    marsh: polygon({ accuracyM: 1, omission: 'a third is missed' }),
  },
  {
    height: field('raster_sample(ground, 1)', { unit: 'm' }),
    noise: field('raster_sample(ground:plain, 1)', { unit: 'm' }),
    of_noise: field('derived(expr[2 * n], n=@noise)', { unit: 'm' }),
    flood: field('polygon_attr(ground:flood, height)', { unit: 'm' }),
    above: field('derived(expr[e - f], e=@height, f=@flood)', { confidence: 'sign(2)', unit: 'm' }),
    wet: field('polygon_within(ground:marsh)', { type: 'boolean' }),
    wet_share: field('overlap_fraction(ground:marsh, over=radius:100)', { unit: 'fraction' }),
  },
);

/** Counties a degree wide, with their rents and margins. */
const COUNTIES = [
  ['00001', 1000, 100, 5000, 10],
  ['00003', 1000, 500, 5000, 10],
  ['00005', 1000, 900, 5000, 10],
  ['00007', 1000, null, 5000, null],
  ['00009', 1000, -555_555_555, 5000, -555_555_555],
] as const;

const open = () =>
  createFixture([tiger, stats, ground], {
    census_tiger: {
      county: [
        { features: COUNTIES.map(([GEOID], i) => ({ geometry: rectangle([i, 0, i + 1, 1]), GEOID, height: 0 })) },
      ],
    },
    stats: {
      main: [
        {
          rows: COUNTIES.map(([GEOID, rent, rent_m, homes, homes_m]) => ({ GEOID, rent, rent_m, homes, homes_m })),
        },
      ],
    },
    ground: {
      main: [{ raster: { width: 5, height: 1, west: 0, north: 1, cell: 1, values: [10, 11.5, 12, 13, 14] } }],
      plain: [{ raster: { width: 5, height: 1, west: 0, north: 1, cell: 1, values: [1, 2, 3, 4, 5] } }],
      flood: [{ features: [{ geometry: rectangle([-1, -1, 6, 2]), GEOID: 'f', height: 10 }] }],
      marsh: [{ features: [{ geometry: rectangle([4.2, 0.2, 4.8, 0.8]), GEOID: 'm', height: 0 }] }],
    },
  });

describe('figures of publishers', () => {
  it('make a surveyed number as sure as its coefficient of variation, and say its margin', async () => {
    const fixture = await open();
    try {
      const points = COUNTIES.map((_, i) => ({ lng: i + 0.5, lat: 0.5 }));
      await bothForms(fixture, [...fixture.catalog.fields.keys()], points);
      const rents = await Promise.all(points.map(at => fixture.ask(['rent', 'share'], at)));
      // 90 percent margins of 100, 500 and 900: 6, 30 and 55 percent; none; none because it is controlled.
      expect(rents.map(({ rent }) => rent!.confidence)).toEqual(['high', 'medium', 'low', 'medium', 'high']);
      expect(rents[0]!.rent!.notes).toBe(
        '± 100 USD at 90 percent confidence, a coefficient of variation of 6.08 percent',
      );
      expect(rents[3]!.rent!.notes).toBeNull();
      expect(rents.map(({ share }) => share!.confidence)).toEqual(['high', 'medium', 'low', 'medium', 'high']);
      // 20 percent of 5000 ± 10: the slope of the ratio.
      expect(rents[0]!.share!.notes).toContain('± 2 percent at 90 percent confidence');
    } finally {
      fixture.remove();
    }
  });

  it('tell the error of a height, and doubt a sign within two of it', async () => {
    const fixture = await open();
    try {
      const [low, at, far] = await Promise.all(
        [0.5, 1.5, 2.5].map(lng => fixture.ask(['height', 'above'], { lng, lat: 0.5 })),
      );
      expect(low!.height).toMatchObject({ value: 10, confidence: 'high' });
      expect(low!.height!.notes).toBe('± 0.82 m, the root mean square error that the publisher found');
      expect(at!.above).toMatchObject({ value: 1.5, confidence: 'low' });
      expect(at!.above!.notes).toContain('Within 2 standard errors of 0 (0.82 m each), so the other sign may be true');
      expect(far!.above).toMatchObject({ value: 2, confidence: 'medium' });
    } finally {
      fixture.remove();
    }
  });

  it('leave a grid that nobody assessed, and nothing of what mapping misses, at medium', async () => {
    const fixture = await open();
    try {
      const here = await fixture.ask(['noise', 'of_noise', 'wet', 'wet_share'], { lng: 0.5, lat: 0.5 });
      expect(here.noise).toMatchObject({ value: 1, confidence: 'medium' });
      expect(here.of_noise).toMatchObject({ value: 2, confidence: 'medium' });
      expect(here.wet).toMatchObject({ value: false, confidence: 'medium' });
      expect(here.wet!.notes).toContain('that none is mapped is no proof: a third is missed');
      expect(here.wet_share).toMatchObject({ value: 0, confidence: 'medium' });
      const inside = await fixture.ask(['wet', 'wet_share'], { lng: 4.5, lat: 0.5 });
      expect(inside.wet).toMatchObject({ value: true, confidence: 'high', notes: null });
      expect(inside.wet_share).toMatchObject({ value: 1, confidence: 'high' });
    } finally {
      fixture.remove();
    }
  });
});
