import { closeSync, openSync, readdirSync, statSync, truncateSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import { search } from '../../../query/engine/search-task.ts';
import { ShortSearches } from '../../../query/engine/short-searches.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { LOOK_MS } from '../../../query/release/verified-file.ts';
import { takeOver } from '../../../query/search/columns/shared-columns.ts';
import type { Weighed } from '../../../query/search/page/environment.ts';
import { RowTexts } from '../../../query/search/page/row-texts.ts';
import { textOf, type WrittenPage } from '../../../query/search/page/written-page.ts';
import { areaTest, type Test } from '../../../query/search/request/filter.ts';
import type { SearchRequest } from '../../../query/search/request/request.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import { BUDGET } from '../search/agreement.ts';
import { type ParcelRelease, writeParcelRelease } from '../search/parcel-release.ts';
import { slowAreas, squares } from '../search/slow.ts';

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
  release = await writeParcelRelease([county('23009', -68, 'a'), county('23019', -70, 'b')]);
});
afterAll(() => release.remove());

const ME: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };
const apn = (...operands: string[]): Test => ({ name: 'apn', kind: 'string', op: 'in', operands });
const landval = (op: Test['op'], ...operands: number[]): Test => ({ name: 'landval', kind: 'number', op, operands });
const usecode = (code: string): Test => ({ name: 'usecode', kind: 'string', op: 'eq', operands: [code] });
const asked = (tests: readonly Test[], more: Partial<SearchRequest> = {}): SearchRequest => ({
  filters: { tests: [ME, ...tests], areas: [] },
  outputs: ['apn', 'landval', 'updated_at'],
  countyByFips: false,
  limit: 10,
  after: null,
  budget: BUDGET,
  ...more,
});

let cache = createCache(64);
let held = createCache(64);
let lights = new ShortSearches(catalog, held, RowTexts.of(held));
beforeEach(() => {
  cache = createCache(64);
  held = createCache(64);
  lights = new ShortSearches(catalog, held, RowTexts.of(held));
});

/** As a worker answers it. */
async function heavily(request: SearchRequest): Promise<WrittenPage> {
  const page = await search(request, {
    release: openRelease(release.home),
    catalog,
    cache,
    deadline: Date.now() + 60_000,
    stopped: () => false,
  });
  return page as WrittenPage;
}
const weigh = (request: SearchRequest) => lights.weigh(request, openRelease(release.home));
const read = ({ matches, status, reason, next }: WrittenPage) => ({
  matches: JSON.parse(Buffer.from(textOf(matches)).toString()) as { apn: string }[],
  status,
  reason,
  next,
});

/** Has a worker answer and hand over what it used, as it would to another thread. */
async function handOver(...requests: SearchRequest[]) {
  for (const request of requests) {
    const { columnsRead } = await heavily({ ...request, handOver: true });
    takeOver(structuredClone(columnsRead!), held);
  }
}

/** The page of a search that is light. */
async function lightly(request: SearchRequest) {
  const weighed = weigh(request);
  if (typeof weighed === 'string') throw new Error(`The search is ${weighed}`);
  const page = await lights.page(request, weighed, { deadline: Date.now() + 60_000 });
  return page && read(page);
}

describe('a light search', () => {
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
  ])('is answered as a worker answers it: %s', async (_, request, count) => {
    expect(weigh(request)).toBe('unknown');
    await handOver(request);
    const page = await lightly(request);
    expect(page).toEqual(read(await heavily(request)));
    expect(page!.matches).toHaveLength(count);
  });

  it('goes on after a cursor', async () => {
    const request = asked([apn('a-1', 'a-2', 'b-3')], { limit: 1 });
    await handOver({ ...request, limit: 10 });
    const found: string[] = [];
    for (let after: SearchRequest['after'] = null; ; ) {
      const page: ReturnType<typeof read> = (await lightly({ ...request, after }))!;
      found.push(...page.matches.map(match => match.apn));
      after = page.next;
      if (!after) break;
    }
    expect(found.sort()).toEqual(['a-1', 'a-2', 'b-3']);
  });

  it('is left to a worker where the page is not full before a county that is not known here', async () => {
    const code = asked([usecode('101'), landval('gt', 380)]);
    await handOver({ ...code, limit: 2 });
    // The first county has enough for this page, not for the next.
    expect((await lightly({ ...code, limit: 3 }))!.matches).toHaveLength(3);
    const more = asked([usecode('101'), landval('gt', 395)]);
    expect(await lightly(more)).toBeNull();
    expect(read(await heavily(more)).matches).toHaveLength(8);
  });

  it('counts the candidates it judges', async () => {
    const request = asked([apn('a-1', 'b-3')]);
    await handOver(request);
    const progress = new Int32Array(new SharedArrayBuffer(4));
    const weighed = weigh(request);
    await lights.page(request, weighed as Exclude<typeof weighed, string>, { deadline: Date.now() + 9999, progress });
    expect(progress[0]).toBe(2);
  });
});

describe('what is left to workers', () => {
  const many = Array.from({ length: 17 }, (_, i) => `a-${i}`);
  const area = areaTest('within', fromGeoJSON(slowAreas()[1]!), 'x');
  it.each([
    ['an area', asked([apn('a-1')], { filters: { tests: [ME, apn('a-1')], areas: [area] } })],
    ['a boundary as output', asked([apn('a-1')], { outputs: ['apn', 'geometry'] })],
    ['many outputs', asked([apn('a-1')], { outputs: Object.keys(PARCEL_ATTRIBUTES).slice(0, 40) })],
    ['enrichment', asked([apn('a-1')], { enrich: true })],
    ['a search without the index', asked([apn('a-1')], { index: false })],
    ['a long list', asked([apn(...many)])],
    ['many filters', asked(many.map(() => landval('gt', 1000)))],
    ['a page of more than some rows', asked([usecode('101')], { limit: 11 })],
    ['texts that are not one', asked([{ ...apn('a-1'), op: 'ne' }])],
  ])('%s', async (_, request) => {
    await handOver(asked([apn('a-1'), landval('gt', 0), usecode('101')]));
    expect(weigh(request)).toBe('heavy');
  });

  it('a parcel number that many parcels have', async () => {
    const many = await writeParcelRelease([
      {
        ...county('23009', -68, 'a'),
        parcels: squares(PARCELS, -68, 'a').map(({ geometry, properties }, i) => ({
          geometry,
          properties: { ...properties, address: `${i % 380} Main St` },
        })),
      },
    ]);
    try {
      const address = (i: number, op: Test['op'] = 'eq'): Test => ({
        name: 'address',
        kind: 'string',
        op,
        operands: op === 'in' ? Array.from({ length: 16 }, (_, k) => `${k} Main St`) : [`${i} Main St`],
      });
      const page = await search(asked([address(3)], { handOver: true }), {
        release: openRelease(many.home),
        catalog,
        cache,
        deadline: Date.now() + 60_000,
        stopped: () => false,
      });
      takeOver((page as WrittenPage).columnsRead!, held);
      expect(lights.weigh(asked([address(3)]), openRelease(many.home))).toBeTypeOf('object');
      // Sixteen numbers, but twice as many parcels: each would have to be read.
      expect(lights.weigh(asked([address(0, 'in')]), openRelease(many.home))).toBe('heavy');
    } finally {
      many.remove();
    }
  });
});

/** Waits until files are looked at again. */
const looked = () => new Promise(resolve => setTimeout(resolve, LOOK_MS + 1));

describe('files that change', () => {
  it('are left out when they are gone before they are taken over', async () => {
    const request = asked([apn('a-1')]);
    const { columnsRead } = await heavily({ ...request, handOver: true });
    const gone = columnsRead!.features.map(each => ({ ...each, at: { ...each.at, path: `${each.at.path}.gone` } }));
    takeOver({ ...columnsRead!, features: gone }, held);
    expect(weigh(request)).toBe('unknown');
  });

  const files = () => {
    const folder = join(release.home, 'releases/files');
    return readdirSync(folder).flatMap(name => readdirSync(join(folder, name)).map(file => join(folder, name, file)));
  };
  it.each(['.fgb', '.parquet'])('are not answered from: %s', async ending => {
    const request = asked([apn('a-1')]);
    await handOver(request);
    expect(weigh(request)).toBeTypeOf('object');
    for (const path of files().filter(file => file.endsWith(ending))) {
      const { atime, mtime, size } = statSync(path);
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.from([0]), 0, 1, size);
      closeSync(file);
      await looked();
      expect(weigh(request)).toBe('unknown');
      truncateSync(path, size);
      utimesSync(path, atime, mtime);
      await looked();
      expect(weigh(request)).toBe('unknown');
    }
    // A worker hashes what was touched, finds it sound, and hands it over anew.
    await new Promise(resolve => setTimeout(resolve, 50));
    await handOver(request);
    expect((await lightly(request))!.matches).toHaveLength(1);
  });

  it('after they were looked at are not answered from', async () => {
    const request = asked([apn('a-1')]);
    await handOver(request);
    const weighed = weigh(request) as Weighed;
    const rows = files().filter(file => file.endsWith('.fgb'));
    const times = rows.map(path => statSync(path));
    for (const [i, path] of rows.entries()) utimesSync(path, times[i]!.atime, new Date(0));
    expect(await lights.page(request, weighed, { deadline: Date.now() + 60_000 })).toBeNull();
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
  expect(read((await engine.search(request, terms)) as WrittenPage)).toEqual(read(first));
  expect(read(first).matches).toEqual([expect.objectContaining({ apn: 'z-17' })]);
  const over = engine.search(request, { ...terms, signal: AbortSignal.abort() });
  await expect(over).rejects.toMatchObject({ name: 'AbortError' });
  gone.abort();
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  await engine.close();
  big.remove();
});
