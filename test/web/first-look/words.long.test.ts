import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FETCH_PRESETS } from '../../../datasets/catalog.ts';
import { type Explorer, openExplorer } from '../explorer.ts';
import { picture, placeOf } from '../flow.ts';
import { codeNamesIn, wordsOn } from './code-names.ts';

describe('what people read', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  let place: string;
  beforeAll(async () => {
    explorer = await openExplorer();
    place = placeOf(explorer);
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it('knows what is for programs', () => {
    expect(
      codeNamesIn('ask GET /v1/meta/fields for filters[1].value or `zone`; fema_nfhl:S_FLD_HAZ_AR of usgs_3dep.main'),
    ).toEqual(
      expect.arrayContaining([
        '/v1/meta/fields',
        'GET /v1/meta/fields',
        'filters[1].value',
        '`zone`',
        'fema_nfhl:S_FLD_HAZ_AR',
      ]),
    );
    expect(codeNamesIn('plat.fetch')).toEqual(['plat.fetch']);
    expect(codeNamesIn('Map of 2012, e.g. from fema.gov: 3:4, see https://example.org/a_b. It is so.')).toEqual([
      'a_b',
    ]);
  });

  it.each(['/search', '/ask', '/console', '/parcel', '/'])(
    '%s before anything was asked',
    async path => {
      await using visit = await explorer.visit(path);
      visit.page.setDefaultTimeout(60_000);
      await visit.page.waitForLoadState('networkidle');
      expect(codeNamesIn(await wordsOn(visit.page))).toEqual([]);
    },
    60_000,
  );

  it('the values of every topic of a place', async () => {
    await using visit = await explorer.visit(`/#${place}`);
    const { page } = visit;
    page.setDefaultTimeout(60_000);
    const said: Record<string, string[]> = {};
    for (const preset of [...FETCH_PRESETS, 'no_such_topic']) {
      await page.goto(`${explorer.address}/#${place}&preset=${preset}`);
      if (preset !== 'no_such_topic')
        await expect.poll(() => page.getByLabel('Topic').inputValue(), { timeout: 20_000 }).toBe(preset);
      await page.locator('.records, .lacking, main [role=alert]').first().waitFor();
      await page.locator('.waiting').waitFor({ state: 'detached' });
      const names = codeNamesIn(await wordsOn(page));
      if (names.length > 0) said[preset] = names;
    }
    expect(said).toEqual({});
  }, 240_000);

  it('everything about a parcel', async () => {
    await using visit = await explorer.visit(`/parcel#${place}&preset=everything`);
    const { page } = visit;
    await expect.poll(() => page.locator('.record').count(), { timeout: 60_000 }).toBeGreaterThan(300);
    expect(codeNamesIn(await wordsOn(page))).toEqual([]);
  }, 120_000);

  it('a search, its conditions, its matches and its refusals', async () => {
    const filters = [{ field: 'acreage', op: 'lt', value: 3 }];
    await using visit = await explorer.visit(`/search#n=25&f=${encodeURIComponent(JSON.stringify(filters))}`);
    const { page } = visit;
    await page.locator('.match').first().waitFor();
    expect(codeNamesIn(await wordsOn(page))).toEqual([]);
    for (const wrong of [
      [{ field: 'acreage', op: 'lt', value: 'many' }],
      [{ field: 'no_such_field', op: 'eq', value: 1 }],
      [{ field: 'zoning', op: 'between', value: [1] }],
    ]) {
      await page.goto(`${explorer.address}/search#n=25&f=${encodeURIComponent(JSON.stringify(wrong))}`);
      await page.reload();
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(500);
      expect(
        codeNamesIn(
          await page
            .locator('main [role=alert]')
            .allInnerTexts()
            .then(all => all.join(' ')),
        ),
      ).toEqual([]);
    }
  }, 120_000);

  it('an answer in words', async () => {
    await using visit = await explorer.visit(
      `/ask#${place}&q=${encodeURIComponent('Does it flood here, and how steep is it?')}`,
    );
    const { page } = visit;
    await page.locator('.answer .cite').first().waitFor();
    await page.locator('.cite').first().click();
    await page.locator('.record[open]').waitFor();
    expect(codeNamesIn(await wordsOn(page))).toEqual([]);
  }, 60_000);

  it('the dialog to connect, whatever is wrong with a token', async () => {
    await using visit = await explorer.visit('/', { connected: false });
    const { page } = visit;
    const said: string[] = [];
    await page.getByRole('button', { name: 'Connect' }).first().click();
    for (const token of ['nonsense', 'two words', 'eyJhbGciOiJIUzI1NiJ9.e30.AAAA', `${explorer.token}x`]) {
      await page.getByLabel('API token').fill(token);
      await page.getByRole('button', { name: 'Use this token' }).click();
      await expect.poll(() => page.locator('#connect-problem').innerText(), { timeout: 10_000 }).not.toBe('');
      said.push(await page.locator('#connect-problem').innerText());
      await page.getByLabel('API token').fill('');
    }
    await picture(page, 'connect-refused');
    expect(said.flatMap(codeNamesIn)).toEqual([]);
    expect(said.every(text => /^\p{Lu}.*[.!]$/u.test(text))).toBe(true);
  }, 60_000);

  it('a map that cannot be loaded: its layers, its library, and a browser without WebGL', async () => {
    const note = async (break_: (page: Page) => Promise<unknown>) => {
      await using visit = await explorer.visit('/console');
      const { page } = visit;
      await break_(page);
      await page.goto(`${explorer.address}/`);
      await page.reload();
      const told = page.getByText('The map cannot be shown');
      await told.waitFor();
      await picture(page, 'map-not-shown');
      return await told.innerText();
    };
    const body = JSON.stringify({
      detail: { error: 'server_error', message: 'GET /tiles.json failed: `index` of plat.tiles' },
    });
    const said = [
      await note(page => page.route('**/tiles.json', route => route.fulfill({ status: 500, body }))),
      await note(page => page.route('**/map-canvas*.js', route => route.abort())),
      await note(page => page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null')),
    ];
    expect(said.flatMap(codeNamesIn)).toEqual([]);
    expect(said.every(text => text.endsWith('Everything else works without it.'))).toBe(true);
    expect(said[2]).toContain('WebGL');
  }, 90_000);

  it('runs that failed, and places of a run that did', async () => {
    await using visit = await explorer.visit('/console');
    const { page } = visit;
    const run = {
      run_id: 'run_1',
      kind: 'fetch_batch',
      status: 'done',
      progress: { done: 2, total: 2 },
      created_at: '2026-01-02T03:04:05.000Z',
      error: null,
    };
    const failed = {
      error: 'address_not_found',
      message: 'No such address; POST /v1/lookup lists what `address` may mean.',
    };
    await page.route('**/v1/runs*', route =>
      route.fulfill({
        json: {
          runs: [
            run,
            {
              ...run,
              run_id: 'run_2',
              status: 'failed',
              error: { error: 'run_failed', message: 'The run failed at request.locations[0]: POST /v1/runs again.' },
            },
          ],
          next_after: null,
        },
      }),
    );
    await page.route('**/v1/runs/run_1', route =>
      route.fulfill({
        json: {
          ...run,
          request: { locations: [{ address: '1 Elm St' }, { address: '2 Elm St' }], preset: 'flood_risk' },
          result: {
            results: [
              { index: 0, ok: true },
              { index: 1, ok: false, error: failed },
            ],
          },
        },
      }),
    );
    await page.reload();
    const runs = page.getByRole('region', { name: 'Runs' });
    await runs.scrollIntoViewIfNeeded();
    await runs.getByText('1 of 2 places failed').waitFor();
    await runs.getByText('No such address.').waitFor();
    await picture(page, 'console-runs-failed');
    expect(codeNamesIn(await wordsOn(page))).toEqual([]);
  }, 60_000);
});
