import { expect, it } from 'vitest';
import { countiesOf } from '../../../datasets/codes/county-boxes.ts';
import type { Box } from '../../../datasets/geometry.ts';
import { PROBABILITIES } from '../../../query/parcel/quantiles.ts';
import { coverageMap } from '../../../server/docs/site/coverage-map.ts';
import { histogram, sharesOf } from '../../../server/docs/site/histogram.ts';

it('a histogram has each hundredth of the parcels where its values are', () => {
  const even = sharesOf([...PROBABILITIES], 0.01, 0.99);
  for (const share of even) expect(share).toBeCloseTo(0.98 / even.length, 9);
  // Half of the parcels have one value, which is in one bar.
  const halved = sharesOf(
    PROBABILITIES.map(share => Math.max(0, share - 0.5)),
    0,
    0.49,
  );
  expect(halved[0]).toBeGreaterThanOrEqual(0.49);
  expect(halved.reduce((sum, share) => sum + share, 0)).toBeCloseTo(0.98, 9);
});

it('a histogram says the least, the middle and the greatest value, and is none where all are one', () => {
  const { text } = histogram({ count: 7, values: PROBABILITIES.map(share => share * 2000) }, 'm');
  expect(text).toContain(
    'have 500 m to 1,500 m, and the middle one has 1,000 m. The least value is 0 m, the greatest 2,000 m.',
  );
  expect(text.match(/<rect /g)!.length).toBeGreaterThan(10);
  expect(histogram({ count: 7, values: [5] }, 'm').text).toBe('');
});

/** The path of one kind on a map; empty where it has none. */
const pathOf = (text: string, kind: string) => new RegExp(`class="${kind}" d="([^"]+)"`).exec(text)?.[1] ?? '';
const held = (counties: readonly string[], box: Box | null = null) => new Map(counties.map(county => [county, box]));

it('a map fills the counties that answer, beside those that do not and their neighbors', () => {
  const counties = held(['23019', '23021', '23009']);
  const { text } = coverageMap(counties, new Set(['23019', '23021']));
  expect(text).toContain('answered in 2 of the 3 counties');
  expect(text).not.toContain('NaN');
  for (const kind of ['land', 'held', 'lines']) expect(pathOf(text, kind)).not.toBe('');
  expect(new Set(['land', 'held', 'answered'].map(kind => pathOf(text, kind))).size).toBe(3);
  expect(pathOf(coverageMap(counties, new Set()).text, 'answered')).toBe('');
});

it('a map has islands beyond the meridian of 180 west of Alaska, and a county without a boundary as a rectangle', () => {
  const aleutians = coverageMap(held(['02016']), new Set(['02016'])).text;
  const xs = [...pathOf(aleutians, 'answered').matchAll(/(-?\d+) -?\d+/g)].map(([, x]) => Number(x));
  expect(Math.min(...xs)).toBeGreaterThan(0);
  expect(Math.max(...xs)).toBeLessThanOrEqual(720);
  const made = coverageMap(held(['23999'], [-70.9, 42.9, -70.6, 43.2]), new Set(['23999'])).text;
  expect(pathOf(made, 'answered')).toMatch(/^M(\d+ \d+L?){5}$/);
  expect(coverageMap(new Map(), new Set()).text).toBe('');
});

it('a map of the whole country is small enough for a page', () => {
  const all = countiesOf();
  expect(coverageMap(held(all), new Set(all)).text.length).toBeLessThan(400_000);
});
