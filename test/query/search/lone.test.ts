import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { Engine } from '../../../query/answer.ts';
import { createEngine } from '../../../query/engine.ts';
import { loadGeos } from '../../../query/geos.ts';
import { openRelease } from '../../../query/release.ts';
import type { AreaTest, Test } from '../../../query/search/filter.ts';
import { SearchesHere } from '../../../query/search/here.ts';
import type { SearchRequest } from '../../../query/search/request.ts';
import { textOf, type WrittenPage, type WrittenResult } from '../../../query/search/written-page.ts';
import { Solitude } from '../../../query/solitude.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import { BUDGET } from './agreement.ts';
import { type ParcelRelease, writeParcelRelease } from './parcel-release.ts';
import { slowAreas, squares } from './slow.ts';

let release: ParcelRelease;
let engine: Engine;
beforeAll(async () => {
  await loadGeos();
  release = await writeParcelRelease([
    { state: 'ME', fips: '23009', place: 'p', parcels: squares(4000, -68, 'a', { usecode: '101' }) },
  ]);
  engine = await createEngine({ home: release.home, workers: 1, queue: 8, memoryMb: 64 });
});
afterAll(async () => {
  await engine.close();
  release.remove();
});

const ME: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };
const asked = (areas: readonly AreaTest[], more: Partial<SearchRequest> = {}): SearchRequest => ({
  filters: { tests: [ME], areas },
  outputs: ['apn', 'landval'],
  countyByFips: false,
  limit: 100,
  after: null,
  budget: BUDGET,
  ...more,
});
const box = (west: number, east: number): AreaTest => ({
  op: 'intersects',
  path: 'x',
  geometry: fromGeoJSON({
    type: 'Polygon',
    coordinates: [
      [
        [west, 43.9],
        [east, 43.9],
        [east, 44.1],
        [west, 44.1],
        [west, 43.9],
      ],
    ],
  }),
});
const read = (page: WrittenResult) => {
  const { matches, status, reason, next } = page as WrittenPage;
  return { matches: JSON.parse(Buffer.from(textOf(matches)).toString()) as unknown[], status, reason, next };
};
const terms = () => ({ deadline: Date.now() + 60_000 });
const PATIENT = { mostMs: 60_000 };
const hand = (patience = PATIENT) => new SearchesHere(catalog, 64, new Solitude(() => true), patience);
/** A worker's page, with what it used. */
const worked = (request: SearchRequest) =>
  engine.search({ ...request, handOver: true }, terms()) as Promise<WrittenPage>;

it('is answered as a worker answers it, once that has handed over what it takes', async () => {
  const here = hand();
  const request = asked([box(-67.9, -67.8)]);
  expect(await here.page(request, openRelease(release.home), terms())).toBe('unknown');
  const page = await worked(request);
  here.take(structuredClone(page.handed!));
  const alone = (await here.page(request, openRelease(release.home), terms())) as WrittenPage;
  expect(read(alone)).toEqual(read(page));
  expect(read(alone).matches.length).toBeGreaterThan(40);
  // Page after page.
  const first = (await here.page({ ...request, limit: 20 }, openRelease(release.home), terms())) as WrittenPage;
  const next = (await here.page({ ...request, after: first.next }, openRelease(release.home), terms())) as WrittenPage;
  expect([...read(first).matches, ...read(next).matches]).toEqual(read(page).matches);
});

it('tells what is wrong with an area', async () => {
  const here = hand();
  here.take(structuredClone((await worked(asked([box(-67.9, -67.8)]))).handed!));
  const bow = box(-67.9, -67.8);
  bow.geometry.xy.set([-67.8, 44.1], 2);
  bow.geometry.xy.set([-67.8, 43.9], 4);
  const verdict = await here.page(asked([bow]), openRelease(release.home), terms());
  expect(verdict).toMatchObject({ issues: [{ path: 'x' }] });
});

it('is left to a worker when it takes long, and so are some that come after it', async () => {
  const patience = { ...PATIENT };
  const here = hand(patience);
  const quick = asked([box(-67.9, -67.8)], { limit: 3 });
  here.take(structuredClone((await worked(quick)).handed!));
  const page = async (request: SearchRequest) => {
    const found = await here.page(request, openRelease(release.home), terms());
    return typeof found === 'string' ? found : read(found).matches.length;
  };
  expect(await page(quick)).toBe(3);
  patience.mostMs = 0;
  expect(await page(quick)).toBe('heavy');
  patience.mostMs = PATIENT.mostMs;
  const answers = [await page(quick), await page(quick), await page(quick), await page(quick)];
  expect(answers).toEqual(['heavy', 'heavy', 3, 3]);
});

it('is a worker’s with areas of many vertices, with enrichment and without the index', async () => {
  const here = hand();
  here.take(structuredClone((await worked(asked([box(-67.9, -67.8)]))).handed!));
  const comb: AreaTest = { op: 'within', path: 'x', geometry: fromGeoJSON(slowAreas()[1]!) };
  for (const request of [asked([comb]), asked([], { enrich: true }), asked([], { index: false })])
    expect(await here.page(request, openRelease(release.home), terms())).toBe('heavy');
});
