import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import { IdleThread } from '../../../query/engine/idle-thread.ts';
import { joined, type PartialPage, restOf } from '../../../query/engine/partial-page.ts';
import { ServingThreadSearches } from '../../../query/engine/serving-thread-searches.ts';
import { loadGeos } from '../../../query/geometry/geos.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { textOf, type WrittenPage, type WrittenResult } from '../../../query/search/page/written-page.ts';
import { type AreaTest, areaTest, type Test } from '../../../query/search/request/filter.ts';
import type { SearchRequest } from '../../../query/search/request/request.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import { BUDGET } from '../search/agreement.ts';
import { type ParcelRelease, writeParcelRelease } from '../search/parcel-release.ts';
import { band, slowAreas, squares } from '../search/slow.ts';

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
const box = (west: number, east: number) => areaTest('intersects', fromGeoJSON(band(west, east)), 'x');
const read = (page: WrittenResult) => {
  const { matches, status, reason, next } = page as WrittenPage;
  return { matches: JSON.parse(Buffer.from(textOf(matches)).toString()) as unknown[], status, reason, next };
};
const terms = () => ({ deadline: Date.now() + 60_000 });
const PATIENT = { mostMs: 60_000, mostRest: 0 };
const hand = (patience = PATIENT) => new ServingThreadSearches(catalog, 64, new IdleThread(() => true), patience);
/** A worker's page, with what it used. */
const worked = (request: SearchRequest) =>
  engine.search({ ...request, handOver: true }, terms()) as Promise<WrittenPage>;

it('is answered as a worker answers it, once that has handed over what it takes', async () => {
  const here = hand();
  const request = asked([box(-67.9, -67.8)]);
  expect(await here.page(request, openRelease(release.home), terms())).toBe('unknown');
  const page = await worked(request);
  here.take(structuredClone(page.columnsRead!));
  const alone = (await here.page(request, openRelease(release.home), terms())) as WrittenPage;
  expect(read(alone)).toEqual(read(page));
  expect(read(alone).matches.length).toBeGreaterThan(40);
  // Page after page.
  const first = (await here.page({ ...request, limit: 20 }, openRelease(release.home), terms())) as WrittenPage;
  const next = (await here.page({ ...request, after: first.next }, openRelease(release.home), terms())) as WrittenPage;
  expect([...read(first).matches, ...read(next).matches]).toEqual(read(page).matches);
});

it('is answered beside others where no second core is free', async () => {
  const here = new ServingThreadSearches(catalog, 64, new IdleThread(() => false, 1), PATIENT);
  const requests = [0, 1, 2, 3, 4, 5].map(i => asked([box(-67.9 + i / 50, -67.8 + i / 25)], { limit: 20 + 10 * i }));
  const pages: WrittenPage[] = [];
  for (const request of requests) pages.push(await worked(request));
  here.take(structuredClone(pages[0]!.columnsRead!));
  const answers = await Promise.all(requests.map(each => here.page(each, openRelease(release.home), terms())));
  expect(answers.map(page => read(page as WrittenPage))).toEqual(pages.map(read));
  expect(new Set(pages.map(page => JSON.stringify(read(page)))).size).toBe(requests.length);
});

it('tells what is wrong with an area', async () => {
  const here = hand();
  here.take(structuredClone((await worked(asked([box(-67.9, -67.8)]))).columnsRead!));
  const bow = box(-67.9, -67.8);
  bow.geometry.xy.set([-67.8, 44.1], 2);
  bow.geometry.xy.set([-67.8, 43.9], 4);
  const verdict = await here.page(asked([bow]), openRelease(release.home), terms());
  expect(verdict).toMatchObject({ issues: [{ path: 'x' }] });
});

it('is gone on with by a worker when it takes long', async () => {
  const patience = { ...PATIENT };
  const here = hand(patience);
  const request = asked([box(-67.9, -67.8)], { limit: 30 });
  const page = await worked(request);
  here.take(structuredClone(page.columnsRead!));
  patience.mostMs = 0;
  const nothing = (await here.page(request, openRelease(release.home), terms())) as PartialPage;
  expect(nothing).toMatchObject({ matches: 0, failures: 0 });
  expect(read(joined(nothing, await engine.search(restOf(request, nothing), terms())))).toEqual(read(page));
  // As if time had run out after each number of matches, of the full page too.
  patience.mostMs = PATIENT.mostMs;
  for (const matches of [1, 7, 29, 30]) {
    const short = (await here.page({ ...request, limit: matches }, openRelease(release.home), terms())) as WrittenPage;
    const begun: PartialPage = { start: short, matches, failures: 0 };
    const rest = await engine.search(restOf(request, begun), terms());
    expect(read(joined(begun, rest))).toEqual(read(page));
    // A value that could not be computed in the first part makes the whole page partial.
    const failed = joined({ ...begun, failures: 1 }, rest);
    expect(read(failed)).toEqual({ ...read(page), status: 'partial', reason: 'field_data_unavailable' });
    const late: WrittenResult = { ...(rest as WrittenPage), status: 'partial', reason: 'timeout' };
    expect(read(joined({ ...begun, failures: 1 }, late))).toMatchObject({ status: 'partial', reason: 'timeout' });
  }
});

it('is begun less often where that did not suffice', async () => {
  const patience = { ...PATIENT, mostRest: 3 };
  const here = hand(patience);
  const request = asked([box(-67.9, -67.8)], { limit: 3 });
  here.take(structuredClone((await worked(request)).columnsRead!));
  const kinds = async (count: number) => {
    const said: string[] = [];
    for (let i = 0; i < count; i++) {
      const page = await here.page(request, openRelease(release.home), terms());
      said.push(typeof page === 'string' ? page : 'start' in page ? 'begun' : 'whole');
    }
    return said.join(' ');
  };
  patience.mostMs = 0;
  expect(await kinds(10)).toBe('begun heavy begun heavy heavy begun heavy heavy heavy begun');
  patience.mostMs = PATIENT.mostMs;
  expect(await kinds(5)).toBe('heavy heavy heavy whole whole');
});

it('is a worker’s with areas of many vertices, with enrichment, without the index and with ceilings', async () => {
  const here = hand();
  here.take(structuredClone((await worked(asked([box(-67.9, -67.8)]))).columnsRead!));
  const comb = areaTest('within', fromGeoJSON(slowAreas()[1]!), 'x');
  for (const request of [
    asked([comb]),
    asked([], { enrich: true }),
    asked([], { index: false }),
    asked([], { budget: { ...BUDGET, maxCandidates: 9 } }),
  ])
    expect(await here.page(request, openRelease(release.home), terms())).toBe('heavy');
});

it('is a worker’s with more filters or operands than are prepared in no time', async () => {
  const here = hand();
  const above = (count: number): Test[] =>
    Array.from({ length: count }, (_, i) => ({ name: 'landval', kind: 'number', op: 'gte', operands: [i] }));
  const among = (count: number): Test => ({
    name: 'landval',
    kind: 'number',
    op: 'in',
    operands: Array.from({ length: count }, (_, i) => i),
  });
  // With the filter on the state: 32 filters, and 1,024 operands.
  const whole = [above(31), [among(1023)]];
  const heavy = [above(32), [among(1024)]];
  const searched = async (tests: readonly Test[]) => {
    const request = asked([], { filters: { tests: [ME, ...tests], areas: [] } });
    const page = await worked(request);
    here.take(structuredClone(page.columnsRead!));
    return [await here.page(request, openRelease(release.home), terms()), page] as const;
  };
  for (const tests of whole) {
    const [page, expected] = await searched(tests);
    expect(read(page as WrittenPage)).toEqual(read(expected));
    expect(read(expected).matches).toHaveLength(100);
  }
  for (const tests of heavy) expect((await searched(tests))[0]).toBe('heavy');
});
