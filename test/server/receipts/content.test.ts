import { expect, it } from 'vitest';
import { contentDigest } from '../../../server/receipts/content.ts';
import { differencesFrom } from '../../../server/verification/differences.ts';

const answer = (value: unknown, fetched_at = '2026-11-20T00:00:00.000Z') => ({
  lat: 44,
  fields: { elevation: { value, unit: 'm', fetched_at }, slope: { value: 3, unit: 'degrees', fetched_at } },
  partial_failures: [],
});

it('differs in what was said, and not in when, nor in the order of names', () => {
  const digest = contentDigest(answer(12));
  expect(differencesFrom(digest, answer(12, '2027-01-01T00:00:00.000Z'))).toEqual([]);
  expect(differencesFrom(digest, Object.fromEntries(Object.entries(answer(12)).reverse()))).toEqual([]);
  expect(differencesFrom(digest, answer(13))).toEqual([{ path: 'fields.elevation.value', is: 13 }]);
  expect(differencesFrom(digest, answer(13), answer(12))).toEqual([
    { path: 'fields.elevation.value', was: 12, is: 13 },
  ]);
  const { slope, ...rest } = answer(12).fields;
  expect(differencesFrom(digest, { ...answer(12), fields: rest }).map(({ path }) => path)).toEqual([
    'fields.slope.value',
    'fields.slope.unit',
  ]);
});

it('tells as many parts apart as may be, and still notices what lies deeper', () => {
  const matches = (at: number, apn: string) =>
    Array.from({ length: 400 }, (_, i) => ({ apn: i === at ? apn : `a${i}`, acreage: i, county: 'Penobscot' }));
  const digest = contentDigest({ matches: matches(0, 'a0') });
  expect(digest.depth).toBe(2);
  expect(differencesFrom(digest, { matches: matches(7, 'b') }).map(({ path }) => path)).toEqual(['matches[7]']);
  const many = (last: number) => ({
    numbers: Array.from({ length: 5_000 }, (_, i) => ({ i: i === 4_999 ? last : i })),
  });
  const coarse = contentDigest(many(4_999));
  expect(coarse.depth).toBe(1);
  expect(differencesFrom(coarse, many(0)).map(({ path }) => path)).toEqual(['numbers']);
  const wide = (last: number) =>
    Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`k${i}`, i === 1_999 ? last : i]));
  expect(Object.keys(contentDigest(wide(1_999)).parts)).toHaveLength(1_024);
  expect(differencesFrom(contentDigest(wide(1_999)), wide(0))).toHaveLength(1);
});

it('takes positions as one part', () => {
  const ring = {
    coordinates: [
      [
        [0, 1],
        [2, 3],
      ],
    ],
  };
  expect(Object.keys(contentDigest(ring).parts)).toEqual(['coordinates[0][0]', 'coordinates[0][1]']);
});
