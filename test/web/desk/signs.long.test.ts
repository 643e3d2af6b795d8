import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from '../explorer.ts';

const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const CONDITIONS = json([{ field: 'acreage', op: 'between', value: [0.2, 3] }]);

/** What a page says while something is on its way. */
const SIGNS = '.waiting, [role=status], [aria-busy=true], button:disabled';

/** Addresses by name, with what of the service never answers there, and what is pressed. */
const WAITS: readonly (readonly [name: string, path: string, stuck: string, presses: string | null])[] = [
  ['a list', `/search#n=25&f=${CONDITIONS}`, '/v1/search', null],
  ['a count', `/search#n=25&f=${CONDITIONS}`, '/v1/search/count', null],
  ['a histogram', `/search#n=25&f=${CONDITIONS}`, '/v1/aggregate', null],
  ['a table', `/search#n=25&as=table&f=${CONDITIONS}`, '/v1/rank', null],
  ['groups', `/search#n=25&as=map&f=${CONDITIONS}`, '/v1/aggregate', null],
  ['a price', `/search#n=25&file=new&f=${CONDITIONS}`, '/v1/exports/quote', null],
  ['an area', `/search#near=${json({ lat: 43.1, lng: -70.7, within_m: 500 })}`, '/v1/areas', null],
  ['a parcel', '/parcel#PLACE', '/v1/enrich', null],
  ['buildings', '/parcel#PLACE&tool=buildings', '/v1/structures', null],
  ['buildable ground', '/parcel#PLACE&tool=buildable', '/v1/buildable', 'Draw it for 10 credits'],
  ['drive times', '/parcel#PLACE&tool=drive', '/v1/areas', 'Draw them for 3 credits'],
  ['neighbors', '/parcel#PLACE&tool=together&acres=3', '/v1/assemblage', null],
  ['look-alikes', '/parcel#PLACE&tool=alike', '/v1/similar', null],
  ['an owner', '/parcel#PLACE&tool=owner', '/v1/owners', null],
  ['another parcel', '/parcel#PLACE&tool=beside&with=43.1,-70.7', '/v1/enrich', null],
  ['files of the account', '/console', '/v1/exports', null],
];

describe('what never answers', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it.each(WAITS)(
    '%s is said to be on its way',
    async (_, path, stuck, presses) => {
      await using visit = await explorer.visit('/plat.svg');
      const { page } = visit;
      page.setDefaultTimeout(60_000);
      let asked = 0;
      await page.route(
        url => url.pathname === stuck,
        () => {
          asked++;
        },
      );
      const { lat, lng } = explorer.parcel;
      await page.goto(explorer.address + path.replace('PLACE', `at=${lat},${lng}&map=16/${lat}/${lng}`));
      if (presses) await page.getByRole('button', { name: presses }).click();
      if (path === '/console') await page.getByRole('heading', { name: 'Files' }).scrollIntoViewIfNeeded();
      await expect.poll(() => asked, { timeout: 30_000 }).toBeGreaterThan(0);
      const signs = page.locator('main').locator(SIGNS);
      const said = (await signs.allInnerTexts()).join(' ');
      expect(said).toMatch(/…|is on its way|is being|are being|Looking/);
    },
    120_000,
  );
});
