import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from '../explorer.ts';
import { PHONE, picture, sound } from '../flow.ts';

const conditions = (...filters: readonly object[]) => `/search#n=25&f=${encodeURIComponent(JSON.stringify(filters))}`;

describe('what a search found', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it('opens the parcel that was clicked, also where several share its point', async () => {
    await using visit = await explorer.visit(conditions({ field: 'acreage', op: 'lt', value: 3 }));
    const { page } = visit;
    const first = page.locator('.match').first();
    const facts = await first.locator('.match-facts').first().innerText();
    const [apn] = facts.split(' · ');
    // The shared area has no building whose units share a boundary, so the point is said to be of several parcels.
    await page.route('**/v1/enrich', async route => {
      const answer = await (await route.fetch()).json();
      const candidates = [
        { parcel_id: 'first', apn: '1-1', address: '1 ELM ST UNIT 1' },
        { parcel_id: 'second', apn, address: '1 ELM ST UNIT 2' },
      ];
      const match = { status: 'ambiguous', parcel: null, candidates, reason: '2 parcels contain the point' };
      await route.fulfill({ json: { ...answer, analysis_point: null, fields: {}, parcel_match: match } });
    });
    await first.click();
    await page.getByText(`Parcel ${apn}`).waitFor();
    await page.locator('.record').first().waitFor();
    expect(await page.locator('.request code').textContent()).toContain('/v1/search');
    await page.getByLabel('Topic').selectOption('hazards');
    await page.getByRole('region', { name: 'Hazards' }).first().waitFor();
    await page.getByText(`Parcel ${apn}`).waitFor();
    await sound(visit, 'parcel-of-several');
    // The other views keep it.
    await page.getByRole('link', { name: 'Flood risk here' }).click();
    await page.getByText(`Parcel ${apn}`).waitFor();
    await sound(visit, 'place-of-a-parcel');
    // The point alone tells which parcels there are; each of them can be chosen.
    const bare = page
      .url()
      .replace(/&apn=[^&]*/, '')
      .replace('/#', '/parcel#');
    await page.goto(bare);
    await page.getByText('Several parcels share this point.').waitFor();
    await sound(visit, 'parcel-shared-point');
    await page.getByRole('button', { name: `${apn}` }).click();
    await page.getByText(`Parcel ${apn}`).waitFor();
    expect(visit.wrong).toEqual([]);
  }, 180_000);

  it('stands on the map with all that is not yet listed', async () => {
    await using visit = await explorer.visit(conditions({ field: 'acreage', op: 'lt', value: 3 }));
    const { page } = visit;
    const shown: { z: number; bytes: number }[] = [];
    page.on('response', async response => {
      const [, z] = /\/tiles\/matches\/[\w-]{24}\/(\d+)\//.exec(response.url()) ?? [];
      if (z === undefined) return;
      expect([200, 204]).toContain(response.status());
      if (response.status() === 200) shown.push({ z: Number(z), bytes: (await response.body()).length });
    });
    await page.getByText('There are more. The map shows all.').waitFor();
    await expect.poll(() => shown.length, { timeout: 30_000 }).toBeGreaterThan(0);
    await picture(page, 'search-all-matches');
    const before = shown.length;
    for (let i = 0; i < 4; i++) await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(() => shown.slice(before).some(({ z }) => z < 12), { timeout: 30_000 }).toBe(true);
    await picture(page, 'search-all-matches-far');
    // Other conditions are not those of the map.
    const asked = page.waitForRequest('**/v1/search/tiles');
    await page.getByLabel('Value of').first().fill('1');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    expect((await asked).postDataJSON().filters).toContainEqual({ field: 'acreage', op: 'lt', value: 1 });
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it('stands on the map of a phone too', async () => {
    await using visit = await explorer.visit(conditions({ field: 'acreage', op: 'lt', value: 3 }), PHONE);
    const { page } = visit;
    const tile = page.waitForResponse(/\/tiles\/matches\//);
    expect((await tile).ok()).toBe(true);
    await page.getByText('The map shows all.').waitFor();
    await page.locator('canvas').first().scrollIntoViewIfNeeded();
    await picture(page, 'search-all-matches-phone');
    expect(visit.wrong).toEqual([]);
  }, 60_000);

  it('is told from a field that no parcel has a value of', async () => {
    await using visit = await explorer.visit(conditions({ field: 'deeded_acres', op: 'gte', value: 1 }));
    await visit.page.getByText('No parcel of ME has a value of: Acreage by the deed').waitFor();
    await sound(visit, 'search-empty-field');
  }, 60_000);

  it('is not shown under conditions that it does not answer', async () => {
    await using visit = await explorer.visit(
      conditions({ field: 'acreage', op: 'gte', value: 1e6 }, { field: 'county', op: 'eq', value: 'Synthetic' }),
    );
    const { page } = visit;
    await page.getByText('No parcel passes every condition.').waitFor();
    expect(await page.getByText('has a value of').count()).toBe(0);
    await page
      .getByRole('button', { name: /^Remove the condition on/ })
      .first()
      .click();
    await page.getByText('The conditions have changed.').waitFor();
    await sound(visit, 'search-changed');
    expect(await page.getByText('No parcel passes').count()).toBe(0);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.locator('.match').first().waitFor();
    // A condition that is not yet written changes nothing.
    await page.getByRole('button', { name: 'Add a condition' }).click();
    expect(await page.locator('.match').count()).toBe(25);
  }, 120_000);
});
