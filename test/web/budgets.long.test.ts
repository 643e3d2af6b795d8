import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from './explorer.ts';

/** What the page may cost before the map's library is asked for. Times are printed, not judged: they are of the machine. */
const MOST_BYTES = 60_000;
const MOST_REQUESTS = 8;
/** What library and style of the map may cost. */
const MOST_MAP_BYTES = 300_000;
/** What the page and its first map may cost, and what both do with the worker of the map and the catalog. */
const MOST_FIRST_MAP = 450_000;
const MOST_OF_ALL = 700_000;

interface Transfer {
  readonly path: string;
  /** As they came over the network, headers included; 0 until it has ended. */
  bytes: number;
}

/** Every request of a page, in the order in which they were sent. */
async function watchTransfers(cdp: CDPSession): Promise<readonly Transfer[]> {
  const all: Transfer[] = [];
  const byId = new Map<string, Transfer>();
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname, protocol } = new URL(request.url);
    if (!/^https?:$/.test(protocol)) return;
    const transfer = { path: pathname, bytes: 0 };
    byId.set(requestId, transfer);
    all.push(transfer);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const transfer = byId.get(requestId);
    if (transfer) transfer.bytes = encodedDataLength;
  });
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  return all;
}

const sum = (transfers: readonly Transfer[]) => transfers.reduce((bytes, one) => bytes + one.bytes, 0);

/** Milliseconds from the beginning of the navigation. */
async function paintsOf(page: Page) {
  return (await page.evaluate(`new Promise(resolve => {
    let largest = 0;
    new PerformanceObserver(list => { largest = list.getEntries().at(-1).startTime; })
      .observe({ type: 'largest-contentful-paint', buffered: true });
    const [first] = performance.getEntriesByName('first-contentful-paint');
    setTimeout(() => resolve({ first: first.startTime, largest }), 200);
  })`)) as { readonly first: number; readonly largest: number };
}

describe('what loading the explorer costs', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
    // A server compresses a file when it was asked for once.
    await using visit = await explorer.visit('/');
    await visit.page.locator('.map canvas').waitFor();
    await visit.page.waitForLoadState('networkidle');
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it.each([1, 4])(
    'bytes and requests keep their budgets, with a processor slower by %i',
    async slower => {
      await using visit = await explorer.visit('/console');
      const { page } = visit;
      // The slow processor is that of a busy machine.
      page.setDefaultTimeout(100_000);
      await page.waitForLoadState('networkidle');
      const cdp = await page.context().newCDPSession(page);
      const transfers = await watchTransfers(cdp);
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower });
      await page.goto(explorer.address, { waitUntil: 'commit' });
      // The first click that can be made, and when its answer stands.
      await page.getByRole('navigation').getByRole('link', { name: 'Search' }).click();
      await page.getByRole('heading', { name: 'Search parcels' }).waitFor();
      const answered = (await page.evaluate('performance.now()')) as number;
      await page.locator('.map canvas').waitFor();
      await page.waitForLoadState('networkidle');
      const drawn = (await page.evaluate('performance.now()')) as number;
      const { first, largest } = await paintsOf(page);
      const map = transfers.findIndex(({ path }) => path.includes('map-canvas'));
      const before = transfers.slice(0, map);
      const library = transfers.filter(({ path }) => /map-canvas|maplibre/.test(path));
      const tiles = transfers.filter(({ path }) => path.startsWith('/tiles'));
      console.log(
        [
          `Explorer, processor slower by ${slower}:`,
          `before the map ${sum(before)} bytes in ${before.length} requests: ${before.map(({ path, bytes }) => `${path} ${bytes}`).join(', ')}`,
          `the map's library ${sum(library)} bytes in ${library.length}`,
          `tiles ${sum(tiles)} bytes in ${tiles.length}, all ${sum(transfers)} bytes in ${transfers.length}`,
          `first contentful paint ${Math.round(first)} ms, largest ${Math.round(largest)} ms`,
          `first click answered ${Math.round(answered)} ms, map drawn ${Math.round(drawn)} ms`,
        ].join('\n  '),
      );
      expect(map).toBeGreaterThan(0);
      expect(before.every(({ bytes }) => bytes > 0)).toBe(true);
      expect(sum(before)).toBeLessThan(MOST_BYTES);
      expect(before.length).toBeLessThanOrEqual(MOST_REQUESTS);
      expect(sum(library)).toBeLessThan(MOST_MAP_BYTES);
      expect(visit.wrong).toEqual([]);
    },
    240_000,
  );

  it('the first map has come with 450 kB, and shades the ground after that', async () => {
    await using visit = await explorer.visit('/console');
    const { page } = visit;
    await page.waitForLoadState('networkidle');
    const cdp = await page.context().newCDPSession(page);
    const transfers = await watchTransfers(cdp);
    const { lat, lng } = explorer.parcel;
    await page.goto(`${explorer.address}/#map=13/${lat}/${lng}`, { waitUntil: 'commit' });
    await page.locator('.map canvas').waitFor();
    await expect
      .poll(() => transfers.some(({ path, bytes }) => path.startsWith('/tiles/terrain') && bytes > 0), {
        timeout: 60_000,
      })
      .toBe(true);
    await page.waitForLoadState('networkidle');
    const isGround = ({ path }: Transfer) => /^\/tiles\/(?:terrain|contours)/.test(path);
    const ground = transfers.filter(isGround);
    const first = transfers.findIndex(isGround);
    // Everything that the map asked for before it stood; the first tile of the ground is asked for once it does.
    const map = transfers.slice(0, first).filter(({ path }) => !path.startsWith('/v1/'));
    const answers = transfers.filter(({ path }) => path.startsWith('/v1/'));
    // The network of a page does not count what its workers load.
    const worker = transfers.find(({ path }) => path.includes('worker'))!;
    const coded = await fetch(explorer.address + worker.path, { headers: { 'accept-encoding': 'br' } });
    const ofWorker = worker.bytes > 0 ? 0 : Number(coded.headers.get('content-length'));
    console.log(
      [
        `First map: ${sum(map)} bytes in ${map.length} requests, its worker ${ofWorker} more`,
        `catalog and answers ${sum(answers)}: ${answers.map(({ path, bytes }) => `${path} ${bytes}`).join(', ')}`,
        `the ground after it ${sum(ground)} in ${ground.length}`,
      ].join('\n  '),
    );
    expect(sum(map)).toBeLessThan(MOST_FIRST_MAP);
    expect(sum(map) + ofWorker + sum(answers)).toBeLessThan(MOST_OF_ALL);
    expect(visit.wrong).toEqual([]);
  }, 240_000);
});
