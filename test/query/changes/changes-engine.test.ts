import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { takeLock } from '../../../query/release/home/lock.ts';
import { prune } from '../../../query/release/home/prune.ts';
import { Store } from '../../../query/release/home/store.ts';
import { publishedIn } from '../../../query/release/published.ts';
import { textOf } from '../search/page-text.ts';
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
const BUDGET = { batch: 1000, maxCandidates: null, maxEvaluated: null, maxSquareKm: 1_000_000 };
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

it('workers answer from a release that is kept as from the current one', async () => {
  const point = { lng: -68.8995, lat: 44.1005 };
  const people = async (release?: string) =>
    (await engine.fetch(['county_population'], point, { ...soon(), release })).county_population!.value;
  expect([await people(), await people(first), await people(second), await people()]).toEqual([6, 5, 6, 6]);
  expect(await engine.parcelColumnsOf(first, soon())).toEqual(engine.parcelColumns());
  const tests = [{ name: 'state', kind: 'state' as const, op: 'eq' as const, operands: ['ME'] }];
  const request = { outputs: ['county_population'], countyByFips: false, limit: 1, budget: BUDGET };
  const found = async (release: string) => {
    const page = await engine.search(
      { ...request, filters: { tests, areas: [] }, enrich: false, after: null },
      { ...soon(), release },
    );
    if ('issues' in page) throw new Error('refused');
    return JSON.parse(Buffer.from(textOf(page.matches)).toString())[0]?.fields.county_population;
  };
  expect([await found(first), await found(second), await found(first)]).toEqual([5, 6, 5]);
});

it('a day stands for what was published last by its end', () => {
  const moments = [...publishedIn(join(town.home, 'releases'))!.values()];
  expect(moments).toHaveLength(2);
  expect(engine.releaseBy(moments[0]!)).toBe(first);
  expect(engine.releaseBy(moments[1]!)).toBe(second);
  expect(engine.releaseBy('2000-01-01T23:59:59.999Z')).toBeNull();
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
  // As long as it runs, it says that it reads the first one.
  expect((await prune(store, 0, false)).served).toEqual([first]);
  await engine.close();
  await prune(store, 0, false);
  lock.release();
  expect(engine.keptReleases()).toEqual([second]);
  // A worker that never opened it.
  engine = await createEngine({ home: town.home, workers: 1, queue: 4, memoryMb: 64 });
  const { county_population: gone } = await engine.fetch(
    ['county_population'],
    { lng: -68.8995, lat: 44.1005 },
    { ...soon(), release: first },
  );
  expect(gone).toMatchObject({ status: 'failed', error: expect.stringContaining(`release ${first} cannot be opened`) });
  expect(await engine.changes({ ...QUESTION, since: first, to: second }, soon())).toEqual({
    failed: `release ${first} cannot be opened`,
    late: false,
  });
});
