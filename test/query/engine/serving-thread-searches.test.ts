import { closeSync, openSync, readdirSync, statSync, truncateSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import { search } from '../../../query/engine/search-task.ts';
import { ServingThreadSearches } from '../../../query/engine/serving-thread-searches.ts';
import { loadGeos } from '../../../query/geometry/geos.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { LOOK_MS } from '../../../query/release/verified-file.ts';
import type { WrittenPage, WrittenResult } from '../../../query/search/page/written-page.ts';
import { type AreaTest, areaTest, type Test } from '../../../query/search/request/filter.ts';
import type { SearchRequest } from '../../../query/search/request/request.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import { BUDGET } from '../search/agreement.ts';
import { textOf } from '../search/page-text.ts';
import { type ParcelRelease, writeParcelRelease } from '../search/parcel-release.ts';
import { band, slowAreas, squares } from '../search/slow.ts';

/** Enough parcels a county that their numbers are held as hashes. */
const PARCELS = 400;
const county = (fips: string, west: number, name: string) => ({
  state: 'ME',
  fips,
  place: `p${fips}`,
  parcels: squares(PARCELS, west, name, { usecode: '101' }),
});

let release: ParcelRelease;
beforeAll(async () => {
  await loadGeos();
  release = await writeParcelRelease([county('23009', -68, 'a'), county('23019', -70, 'b')]);
});
afterAll(() => release.remove());

const ME: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };
const apn = (...operands: string[]): Test => ({ name: 'apn', kind: 'string', op: 'in', operands });
const landval = (op: Test['op'], ...operands: number[]): Test => ({ name: 'landval', kind: 'number', op, operands });
const usecode = (code: string): Test => ({ name: 'usecode', kind: 'string', op: 'eq', operands: [code] });
const asked = (tests: readonly Test[], more: Partial<SearchRequest> = {}, areas: AreaTest[] = []): SearchRequest => ({
  filters: { tests: [ME, ...tests], areas },
  outputs: ['apn', 'landval', 'updated_at'],
  countyByFips: false,
  limit: 10,
  after: null,
  budget: BUDGET,
  ...more,
});
const box = (west: number, east: number) => areaTest('intersects', fromGeoJSON(band(west, east)), 'x');

const PATIENT = 60_000;
const alone = async () => true;
const inCompany = async () => false;
let cache = createCache(64);
let here = new ServingThreadSearches(catalog, 64, alone, PATIENT);
beforeEach(() => {
  cache = createCache(64);
  here = new ServingThreadSearches(catalog, 64, alone, PATIENT);
});

/** As a worker answers it. */
async function worked(request: SearchRequest, home = release.home): Promise<WrittenPage> {
  const terms = { catalog, cache, deadline: Date.now() + 60_000, stopped: () => false };
  return (await search(request, { ...terms, release: openRelease(home) })) as WrittenPage;
}
const read = (page: WrittenResult | string) => {
  if (typeof page === 'string') throw new Error(`The search is ${page}`);
  if ('issues' in page) return page as never;
  const { matches, status, reason, next } = page;
  return { matches: JSON.parse(Buffer.from(textOf(matches)).toString()) as { apn: string }[], status, reason, next };
};
const page = (request: SearchRequest, by = here, home = release.home) =>
  by.page(request, openRelease(home), { deadline: Date.now() + 60_000 });

/** Has a worker answer and hand over what it used, as it would to another thread. */
async function handOver(request: SearchRequest, to = here, home = release.home) {
  to.take(structuredClone((await worked({ ...request, handOver: true }, home)).columnsRead!));
}

describe('a search whose plan is cheap', () => {
  it.each([
    ['a parcel number', asked([apn('a-7')]), 1],
    ['several in two counties', asked([apn('b-2', 'a-399', 'a-0', 'x')]), 3],
    ['more than a page holds', asked([apn('b-2', 'a-399', 'a-0')], { limit: 2 }), 2],
    ['a number of no parcel', asked([apn('c-1')]), 0],
    ['a parcel number and tests that rule it out', asked([apn('a-7'), landval('gt', 7)]), 0],
    ['a parcel number and a code', asked([apn('a-7'), usecode('101')]), 1],
    ['a parcel number and another code', asked([apn('a-7'), usecode('102')]), 0],
    ['numbers beyond every value', asked([landval('gt', PARCELS)]), 0],
    ['a page of a small county', asked([usecode('101')]), 10],
    ['numbers that some have', asked([landval('gt', 395)]), 8],
    ['a state alone', asked([]), 10],
    ['no more of a small county', asked([usecode('102')]), 0],
    ['a test on a column that no county has', asked([apn('a-7'), { ...usecode('1'), name: 'nowhere' }]), 0],
    ['a parcel number in an area', asked([apn('a-7')], {}, [box(-69, -67)]), 1],
  ])('is answered as a worker answers it, whoever waits: %s', async (_, request, count) => {
    const busy = new ServingThreadSearches(catalog, 64, inCompany, PATIENT);
    expect(await page(request, busy)).toBe('unknown');
    await handOver(request, busy);
    const answer = read(await page(request, busy));
    expect(answer).toEqual(read(await worked(request)));
    expect(answer.matches).toHaveLength(count);
  });

  it('goes on after a cursor', async () => {
    const request = asked([apn('a-1', 'a-2', 'b-3')], { limit: 1 });
    await handOver({ ...request, limit: 10 });
    const found: string[] = [];
    for (let after: SearchRequest['after'] = null; ; ) {
      const answer: ReturnType<typeof read> = read(await page({ ...request, after }));
      found.push(...answer.matches.map(match => match.apn));
      after = answer.next;
      if (!after) break;
    }
    expect(found.sort()).toEqual(['a-1', 'a-2', 'b-3']);
  });

  it('is left to a worker where the page is not full before a county that is not known here', async () => {
    const code = asked([usecode('101'), landval('gt', 380)]);
    await handOver({ ...code, limit: 2 });
    // The first county has enough for this page, not for the next.
    expect(read(await page({ ...code, limit: 3 })).matches).toHaveLength(3);
    const more = asked([usecode('101'), landval('gt', 395)]);
    expect(await page(more)).toBe('unknown');
  });

  it('counts the candidates it judges', async () => {
    const request = asked([apn('a-1', 'b-3')]);
    await handOver(request);
    const progress = new Int32Array(new SharedArrayBuffer(4));
    await here.page(request, openRelease(release.home), { deadline: Date.now() + 9999, progress });
    expect(progress[0]).toBe(2);
  });
});

describe('a search whose plan is not', () => {
  const band100 = asked([], { limit: 100 }, [box(-67.99, -67.9)]);

  it('is answered as a worker answers it where it is alone, page after page', async () => {
    await handOver(band100);
    const whole = read(await worked(band100));
    expect(whole.matches.length).toBeGreaterThan(20);
    expect(read(await page(band100))).toEqual(whole);
    const first = read(await page({ ...band100, limit: 20 }));
    const next = read(await page({ ...band100, after: first.next }));
    expect([...first.matches, ...next.matches]).toEqual(whole.matches);
  });

  it('is a worker’s in company', async () => {
    const busy = new ServingThreadSearches(catalog, 64, inCompany, PATIENT);
    const whole = asked([], { limit: 100 });
    await handOver(whole, busy);
    expect(await page(whole, busy)).toBe('heavy');
  });

  it('is begun anew by a worker when it takes longer than it may', async () => {
    const hurried = new ServingThreadSearches(catalog, 64, alone, -1);
    await handOver(band100, hurried);
    const progress = new Int32Array(new SharedArrayBuffer(4));
    const terms = { deadline: Date.now() + 9999, progress };
    expect(await hurried.page(band100, openRelease(release.home), terms)).toBe('heavy');
    expect(progress[0]).toBe(0);
  });

  it('tells what is wrong with an area', async () => {
    await handOver(band100);
    const bow = box(-67.9, -67.8);
    bow.geometry.xy.set([-67.8, 44.1], 2);
    bow.geometry.xy.set([-67.8, 43.9], 4);
    expect(await page(asked([], {}, [bow]))).toMatchObject({ issues: [{ path: 'x' }] });
  });

  const many = Array.from({ length: 4000 }, (_, i) => `a-${i}`);
  const comb = areaTest('within', fromGeoJSON(slowAreas()[1]!), 'x');
  it.each([
    ['areas of many vertices', asked([apn('a-1')], {}, [comb])],
    ['boundaries of a long page', asked([], { outputs: ['apn', 'geometry'], limit: 200 })],
    ['enrichment', asked([apn('a-1')], { enrich: true })],
    ['no index', asked([apn('a-1')], { index: false })],
    ['ceilings', asked([], { budget: { ...BUDGET, maxCandidates: 9 } })],
    ['a list of thousands', asked([apn(...many)])],
    ['a long page', asked([], { limit: 1000 })],
  ])('is a worker’s: %s', async (_, request) => {
    await handOver(asked([apn('a-1'), landval('gt', 0), usecode('101')]));
    expect(await page(request)).toBe('heavy');
  });
});

it('is a worker’s where a text stands in many rows that must be read to be sure', async () => {
  const parcels = squares(4000, -68, 'a').map(({ geometry, properties }, i) => ({
    geometry,
    properties: { ...properties, address: `${i % 2000} Main St` },
  }));
  const many = await writeParcelRelease([{ ...county('23009', -68, 'a'), parcels }]);
  try {
    const address = (...operands: string[]): Test => ({ name: 'address', kind: 'string', op: 'in', operands });
    const numbers = Array.from({ length: 800 }, (_, k) => `${k} Main St`);
    await handOver(asked([address('3 Main St'), landval('gt', 0)]), here, many.home);
    expect(read(await page(asked([address('3 Main St')]), here, many.home)).matches).toHaveLength(2);
    expect(await page(asked([address(...numbers), landval('gt', 0)], { limit: 2000 }), here, many.home)).toBe('heavy');
  } finally {
    many.remove();
  }
});

/** Waits until files are looked at again. */
const looked = () => new Promise(resolve => setTimeout(resolve, LOOK_MS + 1));

describe('files that change', () => {
  it('are left out when they are gone before they are taken over', async () => {
    const request = asked([apn('a-1')]);
    const { columnsRead } = await worked({ ...request, handOver: true });
    const gone = columnsRead!.features.map(each => ({ ...each, at: { ...each.at, path: `${each.at.path}.gone` } }));
    here.take({ ...columnsRead!, features: gone });
    expect(await page(request)).toBe('unknown');
  });

  const files = () => {
    const folder = join(release.home, 'releases/files');
    return readdirSync(folder).flatMap(name => readdirSync(join(folder, name)).map(file => join(folder, name, file)));
  };
  it.each(['.fgb', '.parquet'])('are not answered from: %s', async ending => {
    const request = asked([apn('a-1')]);
    await handOver(request);
    expect(read(await page(request)).matches).toHaveLength(1);
    for (const path of files().filter(file => file.endsWith(ending))) {
      const { atime, mtime, size } = statSync(path);
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.from([0]), 0, 1, size);
      closeSync(file);
      await looked();
      expect(await page(request)).toBe('unknown');
      truncateSync(path, size);
      utimesSync(path, atime, mtime);
      await looked();
      expect(await page(request)).toBe('unknown');
    }
    // A worker hashes what was touched, finds it sound, and hands it over anew.
    await new Promise(resolve => setTimeout(resolve, 50));
    await handOver(request);
    expect(read(await page(request)).matches).toHaveLength(1);
  });

  it('between the plan and the end are not answered from', async () => {
    const rows = files().filter(file => file.endsWith('.fgb'));
    const times = rows.map(path => statSync(path));
    const touching = new ServingThreadSearches(
      catalog,
      64,
      async () => {
        for (const [i, path] of rows.entries()) utimesSync(path, times[i]!.atime, new Date(0));
        return true;
      },
      PATIENT,
    );
    const request = asked([], { limit: 100 });
    await handOver(request, touching);
    expect(await page(request, touching)).toBe('unknown');
    for (const [i, path] of rows.entries()) utimesSync(path, times[i]!.atime, times[i]!.mtime);
  });
});

it('is answered while every worker is busy', async () => {
  const big = await writeParcelRelease([
    { state: 'ME', fips: '23009', place: 'p23009', parcels: squares(4000, -68, 'z') },
  ]);
  const engine = await createEngine({ home: big.home, workers: 1, queue: 0, memoryMb: 64 });
  const terms = { deadline: Date.now() + 60_000 };
  const request = asked([apn('z-17')]);
  const first = (await engine.search(request, terms)) as WrittenPage;
  const gone = new AbortController();
  const areas = slowAreas().map(shape => areaTest('within', fromGeoJSON(shape), 'x'));
  const slow = { ...asked([]), filters: { tests: [ME], areas } };
  const running = engine.search(slow, { ...terms, signal: gone.signal });
  await expect(engine.search(asked([usecode('101')]), terms)).rejects.toMatchObject({ name: 'EngineBusy' });
  // A search that a slow moment holds up longer than its budget goes to the worker, which is busy, and is refused.
  const again = await vi.waitFor(() => engine.search(request, terms), { timeout: 20_000, interval: 5 });
  expect(read(again)).toEqual(read(first));
  expect(read(first).matches).toEqual([expect.objectContaining({ apn: 'z-17' })]);
  const over = engine.search(request, { ...terms, signal: AbortSignal.abort() });
  await expect(over).rejects.toMatchObject({ name: 'AbortError' });
  gone.abort();
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  await engine.close();
  big.remove();
});
