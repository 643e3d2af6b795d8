import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeStatesPath } from '../../../query/release/home/place-states.ts';
import { plat } from '../../contract/plat.ts';
import { type Explorer, openExplorer, SOMEBODY, type Visit } from '../explorer.ts';
import { PHONE, sound } from '../flow.ts';

const FINE = { askedAt: '2026-11-28T06:00:00Z', newAt: '2026-11-20T06:00:00Z', failedSince: null, why: null };
/** As long as reasons of map servers are. */
const WHY =
  'https://gis.example/arcgis/rest/services/Cadastre/Parcels/MapServer/0: 1,499 rows came, and the service counts 1,500';
const FAILING = { ...FINE, failedSince: '2026-11-21T06:00:00Z', why: WHY };
const STATES = {
  bangor: { ...FINE, files: { 'parcels.geojson': FINE } },
  shire: { ...FINE, files: { 'parcels.geojson': FAILING, 'a/very/deep/folder/of/zoning-districts.geojson': FINE } },
  vale: { ...FINE, askedAt: null, newAt: null, files: {} },
};

describe("the operators' part of the console", { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
    writeFileSync(placeStatesPath(explorer.home), JSON.stringify(STATES));
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  async function signIn({ page }: Visit): Promise<void> {
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(SOMEBODY.email);
    await page.getByLabel('Password').fill(SOMEBODY.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: /Usage in/ }).waitFor();
  }

  it('is shown to whom the command says, failing places first, on a desk and on a phone', async () => {
    // Who has not signed in yet has no account of their own.
    expect(plat(explorer.home, 'account', 'create', '--account', SOMEBODY.email)).toMatchObject({ status: 0 });
    const made = plat(explorer.home, 'account', 'operator', SOMEBODY.email);
    expect([made.status, made.stdout]).toEqual([0, expect.stringContaining('is an operator now')]);
    for (const [name, options] of [
      ['desk', {}],
      ['phone', PHONE],
    ] as const) {
      await using visit = await explorer.visit('/console', { connected: false, ...options });
      const { page } = visit;
      await signIn(visit);
      await page.getByText('For operators: places').click();
      const rows = page.getByRole('table', { name: /Places and their files/ }).getByRole('row');
      await expect.poll(() => rows.count()).toBe(7);
      expect(await page.getByRole('rowheader').allInnerTexts()).toEqual([
        ...['shire', ...Object.keys(STATES.shire.files), 'bangor', 'parcels.geojson', 'vale'],
      ]);
      expect(await rows.nth(2).innerText()).toContain(WHY);
      expect(await rows.last().innerText()).toMatch(/never\s+never/);
      // Nothing of the page is wider than the window: the table scrolls by itself.
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        page.viewportSize()!.width,
      );
      await rows.nth(2).scrollIntoViewIfNeeded();
      await sound(visit, `operator-places-${name}`);
    }
    expect(plat(explorer.home, 'account', 'operator', SOMEBODY.email, '--remove')).toMatchObject({ status: 0 });
    const unknown = plat(explorer.home, 'account', 'operator', 'nobody@example.org');
    expect([unknown.status === 0, unknown.stderr]).toEqual([false, expect.stringContaining('nobody@example.org')]);
  }, 240_000);
});
