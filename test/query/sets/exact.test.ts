import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { Manifest } from '../../../datasets/release.ts';
import { countParcels } from '../../../query/engine/count-task.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openReleaseById, type Release } from '../../../query/release/open-release.ts';
import type { Test } from '../../../query/search/request/filter.ts';
import { writeAggregate } from '../../../query/sets/aggregate.ts';
import { rankParcels } from '../../../query/sets/rank.ts';
import { rectangle } from '../release-fixture.ts';
import { BUDGET } from '../search/agreement.ts';
import { type ParcelRelease, writeParcelRelease } from '../search/parcel-release.ts';

const parcels = [0, 1, 2].map(i => ({
  geometry: rectangle([-68 + i / 100, 45, -67.995 + i / 100, 45.005]),
  properties: { apn: `${i}`, city: 'Orono' },
}));
let home: ParcelRelease;
let release: Release;
beforeAll(async () => {
  home = await writeParcelRelease([{ state: 'ME', fips: '23009', place: 'p', parcels }]);
  // A row of the county was rejected at ingest, and the file that says so is not there.
  const path = join(home.home, 'releases/r1.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  const { files } = manifest.datasets.parcel_store!.main!.partitions[0]!;
  const rejected = { ...files[0]!, role: 'rejected', path: 'files/00/none.fgb', sha256: '0'.repeat(64) };
  (files as object[]).push(rejected);
  writeFileSync(path, JSON.stringify(manifest));
  release = openReleaseById(home.home, 'r1');
});
afterAll(() => home.remove());

const environment = () => ({
  release,
  catalog,
  cache: createCache(64),
  deadline: Date.now() + 60_000,
  stopped: () => false,
});
const STATE: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };
const SET = { outputs: [], countyByFips: false, budget: BUDGET, filters: [STATE] };
const CITY = { name: 'city', kind: 'city' } as const;

it('answers that must be whole are of every parcel of the release, and none is refused because a row was rejected', async () => {
  expect(release.layer('parcel_store', 'main')!.partitions[0]!.files.some(({ role }) => role === 'rejected')).toBe(
    true,
  );
  expect(await countParcels({ ...SET, bound: 10 }, environment())).toMatchObject({
    count: parcels.length,
    atLeast: false,
    unknown: 0,
    unread: false,
  });
  const criteria = [{ ...CITY, direction: 'asc', weight: 1, prefer: 'high' }] as const;
  const ranked = await rankParcels({ ...SET, criteria, scored: false, limit: 10 }, environment());
  expect(ranked).toMatchObject({ considered: parcels.length, unknown: 0, unread: false });
  const measures = [{ op: 'count', field: null, q: 0 }] as const;
  const grouped = { groupBy: [{ by: 'county' }], measures, minCount: 1, stacked: false, geometry: false } as const;
  expect(await writeAggregate({ ...SET, ...grouped }, environment())).toMatchObject({
    considered: parcels.length,
    unread: false,
  });
});
