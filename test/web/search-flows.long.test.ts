import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, OBSTACLE, openExplorer } from './explorer.ts';
import { sound } from './flow.ts';

const conditions = (...filters: readonly object[]) => `/search#n=25&f=${encodeURIComponent(JSON.stringify(filters))}`;
/** Units of a building, which share one boundary. */
const STACKED = conditions({ field: 'stack_count', op: 'gt', value: 1 });

describe.skipIf(OBSTACLE !== null)('what a search found', () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it('opens the parcel that was clicked, also where several share its point', async () => {
    await using visit = await explorer.visit(STACKED);
    const { page } = visit;
    const matches = page.locator('.match');
    await matches.first().waitFor();
    for (const at of [0, 1]) {
      const facts = await matches.nth(at).locator('.match-facts').first().innerText();
      const [apn] = facts.split(' · ');
      await matches.nth(at).click();
      await page.getByText(`Parcel ${apn} ·`).waitFor();
      await page.locator('.record').first().waitFor();
      await page.getByLabel('Topic').selectOption('hazards');
      await page.getByText(`Parcel ${apn} ·`).waitFor();
      expect(await page.locator('.request summary').innerText()).toContain('/v1/search');
      await page.goBack();
      await page.goBack();
      await matches.first().waitFor();
    }
    // The point alone tells which parcels there are; each of them can be chosen.
    await matches.first().click();
    await page.getByRole('heading', { name: 'Everything about a parcel' }).waitFor();
    await page.waitForURL(/apn=/);
    const bare = page.url().replace(/&apn=[^&]*/, '');
    await using alone = await explorer.visit(bare.slice(explorer.address.length));
    await alone.page.getByText('Several parcels share this point.').waitFor();
    await sound(alone, 'parcel-shared-point');
    const choice = alone.page.locator('.candidates button').nth(1);
    const apn = await choice.locator('strong').innerText();
    await choice.click();
    await alone.page.getByText(`Parcel ${apn} ·`).waitFor();
    await sound(alone, 'parcel-of-several');
    // The other views keep it.
    await alone.page.getByRole('link', { name: 'Flood risk here' }).click();
    await alone.page.getByText(`in the parcel ${apn}`).waitFor();
    await sound(alone, 'place-of-a-parcel');
  }, 180_000);

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
