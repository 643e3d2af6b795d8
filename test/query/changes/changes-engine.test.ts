import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import { parcelId } from '../../../query/parcel/parcel-match.ts';
import { takeLock } from '../../../query/release/home/lock.ts';
import { prune } from '../../../query/release/home/prune.ts';
import { Store } from '../../../query/release/home/store.ts';
import { type Published, Town } from './town.ts';

const town = new Town();
const FIRST: Published = { lots: [{ no: '1', column: 0, row: 0 }], wet: [3], zone: 'R1', population: 5 };
let [first, second] = ['', ''];
let engine: Engine;

beforeAll(async () => {
  first = await town.publish(FIRST);
  second = await town.publish({ ...FIRST, population: 6 });
  engine = await createEngine({ home: town.home, workers: 1, queue: 4, memoryMb: 64 });
}, 120_000);
afterAll(async () => {
  await engine.close();
  town.remove();
});

const QUESTION = { state: null, fields: ['county_population'], from: null, limit: 9, rows: 1000, softMs: 5000 };
const soon = () => ({ deadline: Date.now() + 20_000 });

it('workers compare two releases of those that are kept', async () => {
  expect(engine.keptReleases()).toEqual([first, second]);
  expect(await engine.changes({ ...QUESTION, since: first, to: second }, soon())).toEqual({
    layers: [{ dataset: 'census_pep', layer: 'main', added: 0, removed: 0, changed: 1 }],
    parcels: [
      {
        parcel_key: '23019:1',
        parcel_id: parcelId('23019:1'),
        state: 'ME',
        county_fips: '23019',
        change: 'changed',
        fields: { county_population: { before: { value: 5, status: 'ok' }, after: { value: 6, status: 'ok' } } },
      },
    ],
    gaps: [],
    next: null,
  });
});

it('stops when nobody waits, and when the time is up', async () => {
  const gone = new AbortController();
  const asked = engine.changes({ ...QUESTION, since: first, to: second }, { ...soon(), signal: gone.signal });
  gone.abort();
  await expect(asked).rejects.toThrow('aborted');
  expect(await engine.changes({ ...QUESTION, since: first, to: second }, { deadline: Date.now() })).toEqual({
    failed: 'the time for this request was up',
    late: true,
  });
});

it('a release that was pruned is kept no more, and asking for it names no path', async () => {
  const store = new Store(town.home);
  const lock = takeLock(store.releases, 'prune');
  await prune(store, 0, false);
  lock.release();
  expect(engine.keptReleases()).toEqual([second]);
  // A worker that never opened it.
  await engine.close();
  engine = await createEngine({ home: town.home, workers: 1, queue: 4, memoryMb: 64 });
  expect(await engine.changes({ ...QUESTION, since: first, to: second }, soon())).toEqual({
    failed: `release ${first} cannot be opened`,
    late: false,
  });
});
