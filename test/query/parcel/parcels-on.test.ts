import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VectorLayer } from '../../../datasets/dataset.ts';
import { areaOf } from '../../../query/evaluate/area/area.ts';
import { openArea } from '../../../query/evaluate/evaluate-area.ts';
import { parcelsOn } from '../../../query/parcel/parcels-on.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { createFixture, dataset, type Fixture, rectangle } from '../release-fixture.ts';

const text = { type: 'string' } as const;
const main: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: 'parcel_key',
  partition: 'county',
  columns: { apn: text, address: text, parcel_key: text },
};
/** Lots beside one another, of which the site holds all but one half of the first and a hair of the last. */
const [LOTS, WIDTH, X, Y] = [503, 0.0001, -68.8, 44.8];
const lot = (i: number, height = 0.001) => ({
  geometry: rectangle([X + i * WIDTH, Y, X + (i + 1) * WIDTH, Y + height]),
  apn: `${i}`,
  address: i % 2 ? null : `${i} MAIN ST`,
  parcel_key: `k${i}`,
});

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture([dataset('parcel_store', { main })], {
    parcel_store: {
      main: [
        {
          key: 'ME/23019',
          coverage: [rectangle([-69, 44, -68, 45])],
          features: Array.from({ length: LOTS }, (_, i) => lot(i, i === 250 ? 0.002 : 0.001)),
        },
      ],
    },
  });
});
afterAll(() => fixture.remove());

it('all parcels with ground on a site are counted, and the 500 with most of it named, with their addresses', async () => {
  const release = openRelease(fixture.home);
  const cache = createCache(64);
  const site = rectangle([X + WIDTH / 2, Y - 0.001, X + (LOTS - 1) * WIDTH + 1e-9, Y + 0.003]);
  const asking = openArea(
    await areaOf(site),
    { release, catalog: fixture.catalog, cache, deadline: Date.now() + 60_000 },
    new Layers(release, cache),
  );
  const { status, count, parcels, notes } = await parcelsOn(asking.ctx);
  // What has less than a square metre there only touches it.
  expect([status, count, parcels.length]).toEqual(['ok', LOTS - 1, 500]);
  expect(notes).toContain(`the 500 parcels with most ground on the site are named, of ${LOTS - 1}`);
  expect(parcels[0]).toMatchObject({ apn: '250', address: '250 MAIN ST' });
  expect(parcels[0]!.acres).toBeCloseTo(2 * parcels[1]!.acres, 2);
  // The half lot is among those that are not named.
  expect(parcels.some(({ apn }) => apn === '0')).toBe(false);
  expect(parcels.filter(({ address }) => address !== null).length).toBeGreaterThan(240);
});
