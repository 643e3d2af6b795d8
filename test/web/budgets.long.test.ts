import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countBefore, type Transfer } from './counted.ts';
import { type Explorer, openExplorer } from './explorer.ts';

/** What the page may cost before the map's library is asked for. Times are printed, not judged: they are of the machine. */
const MOST_BYTES = 60_000;
const MOST_REQUESTS = 8;
/** What all may cost until the first map stands: page, library and its worker, tiles, and whatever else is asked for meanwhile. */
const MOST_FIRST_MAP = 450_000;

const CATALOG = '/v1/meta/fields';
const sum = (transfers: readonly Transfer[]) => transfers.reduce((bytes, one) => bytes + one.bytes, 0);
const listed = (transfers: readonly Transfer[]) => transfers.map(({ path, bytes }) => `${path} ${bytes}`).join(', ');
const isGround = ({ path }: Transfer) => /^\/tiles\/(?:terrain|contours)/.test(path);

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

  /** What went wrong, apart from asking the counter. */
  const wrongApartFrom = (wrong: readonly string[], address: string) =>
    wrong.filter(line => !line.startsWith(`asked ${address}`));

  it.each([1, 4])(
    'bytes and requests keep their budgets, with a processor slower by %i',
    async slower => {
      await using counter = await countBefore(explorer.address);
      const { transfers } = counter;
      await using visit = await explorer.visit('/console');
      const { page } = visit;
      // The slow processor is that of a busy machine.
      page.setDefaultTimeout(100_000);
      await page.waitForLoadState('networkidle');
      const cdp = await page.context().newCDPSession(page);
      await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower });
      await page.goto(counter.address, { waitUntil: 'commit' });
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
      console.log(
        [
          `Explorer, processor slower by ${slower}:`,
          `before the map ${sum(before)} bytes in ${before.length} requests: ${listed(before)}`,
          `all ${sum(transfers)} bytes in ${transfers.length}`,
          `first contentful paint ${Math.round(first)} ms, largest ${Math.round(largest)} ms`,
          `first click answered ${Math.round(answered)} ms, map drawn ${Math.round(drawn)} ms`,
        ].join('\n  '),
      );
      expect(map).toBeGreaterThan(0);
      expect(before.every(({ bytes }) => bytes > 0)).toBe(true);
      expect(sum(before)).toBeLessThan(MOST_BYTES);
      expect(before.length).toBeLessThanOrEqual(MOST_REQUESTS);
      expect(wrongApartFrom(visit.wrong, counter.address)).toEqual([]);
    },
    240_000,
  );

  it.each([
    ['of the whole release', () => ''],
    ['of a street', ({ lat, lng }: Explorer['parcel']) => `#map=13/${lat}/${lng}`],
  ])(
    'the first map %s has come with 450 kB, all told; the ground and the catalog come after it',
    async (_, viewOf) => {
      await using counter = await countBefore(explorer.address);
      const { transfers } = counter;
      await using visit = await explorer.visit('/console');
      const { page } = visit;
      await page.waitForLoadState('networkidle');
      await page.goto(`${counter.address}/${viewOf(explorer.parcel)}`, { waitUntil: 'commit' });
      await expect.poll(() => transfers.some(one => isGround(one) && one.bytes > 0), { timeout: 60_000 }).toBe(true);
      await page.waitForLoadState('networkidle');
      // What was asked for before the map stood: the catalog and the first tile of the ground are asked for once it does.
      const isLater = (one: Transfer) => isGround(one) || one.path === CATALOG;
      const map = transfers.slice(0, transfers.findIndex(isLater));
      const ground = transfers.filter(isGround);
      console.log(
        [
          `First map: ${sum(map)} bytes in ${map.length} requests: ${listed(map)}`,
          `the ground after it ${sum(ground)} in ${ground.length}, all ${sum(transfers)} in ${transfers.length}`,
        ].join('\n  '),
      );
      for (const part of ['map-worker', '/tiles/', '/v1/meta/coverage'])
        expect(map.map(({ path }) => path)).toContainEqual(expect.stringContaining(part));
      expect(map.every(({ bytes }) => bytes > 0)).toBe(true);
      expect(sum(map)).toBeLessThan(MOST_FIRST_MAP);
      expect(transfers.map(({ path }) => path)).toContain(CATALOG);
      expect(wrongApartFrom(visit.wrong, counter.address)).toEqual([]);
    },
    240_000,
  );
});
