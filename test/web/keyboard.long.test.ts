import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from './explorer.ts';
import { PHONE, placeOf } from './flow.ts';

/** What has the keyboard: its role and what it is called. */
const focused = (page: Page) =>
  page.evaluate(`(() => {
    const one = document.activeElement;
    return (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent ?? one.id).trim();
  })()`) as Promise<string>;

/** Whether what has the keyboard is seen to have it: an outline, a shadow or the cross of the map (WCAG 2.4.7). */
const isSeen = (page: Page) =>
  page.evaluate(`(() => {
    const one = document.activeElement;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
    const cross = document.querySelector('.crosshair');
    const hasCross = one.matches('canvas') && cross && !cross.hidden;
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none' || Boolean(hasCross);
  })()`) as Promise<boolean>;

/** Goes on with Tab until something is reached by its name; each stop on the way is seen. */
async function tabTo(page: Page, name: RegExp, most = 60): Promise<void> {
  for (let i = 0; i < most; i++) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    // Colors and outlines come within a moment, and a view may be drawn anew meanwhile.
    await expect
      .poll(() => isSeen(page), { timeout: 3_000, message: `${at} shows that it has the keyboard` })
      .toBe(true);
    if (name.test(at)) return;
  }
  throw new Error(`${name} is not reached by Tab within ${most} stops`);
}

describe('the explorer by keys alone', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it('finds a place, another topic, what a value means, and other units', async () => {
    const { lat, lng, apn } = explorer.parcel;
    await using visit = await explorer.visit('/');
    const { page } = visit;
    await page.keyboard.press('Tab');
    expect(await focused(page)).toContain('Skip');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type(`${lat}, ${lng}`);
    await page.keyboard.press('Enter');
    await page.getByText(`Parcel ${apn}`).waitFor();
    await page.getByRole('region', { name: 'Verdict' }).waitFor();
    await tabTo(page, /^Topic/);
    await page.keyboard.type('Terrain');
    // The values of the other topic, of which the first has none: the list of topics is still where the keyboard is.
    await page.locator('.record', { hasText: 'Topographic position' }).first().waitFor();
    expect(await focused(page)).toMatch(/^Topic/);
    await tabTo(page, /^Slope/);
    await page.keyboard.press('Enter');
    await page.locator('details.record[open]', { hasText: 'Slope' }).first().waitFor();
    await page.keyboard.press('Shift+Tab');
    expect(await isSeen(page)).toBe(true);
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it.each(['/', '/parcel'])(
    '%s keeps the keyboard on the list of topics, and the parcel, while another topic is looked up',
    async path => {
      await using visit = await explorer.visit(`${path}#${placeOf(explorer)}`);
      const { page } = visit;
      await page.getByRole('region', { name: 'Verdict' }).waitFor();
      await page.getByLabel('Topic').focus();
      const asked = page.waitForRequest(/\/v1\/(?:fetch|enrich)$/);
      await page.route(/\/v1\/(?:fetch|enrich)$/, async route => {
        await page.getByText('Values are being looked up').waitFor({ state: 'attached' });
        expect(await focused(page)).toMatch(/^Topic/);
        expect(await page.getByText(`Parcel ${explorer.parcel.apn}`).isVisible()).toBe(true);
        await route.continue();
      });
      await page.keyboard.press('ArrowDown');
      await asked;
      await page.getByText('Values are being looked up').waitFor({ state: 'detached' });
      await page.locator('.record').first().waitFor();
      expect(await focused(page)).toMatch(/^Topic/);
    },
    60_000,
  );

  it('picks a place on the map, and hides a layer of it', async () => {
    const { lat, lng, apn } = explorer.parcel;
    await using visit = await explorer.visit(`/#map=17/${lat}/${lng}`);
    const { page } = visit;
    await page.locator('.legend').first().waitFor();
    await tabTo(page, /^Map: arrow keys/);
    await page.keyboard.press('Enter');
    await page.getByText(`Parcel ${apn}`).waitFor();
    await tabTo(page, /^Flood zones/);
    await page.keyboard.press('Space');
    expect(await page.getByRole('checkbox', { name: 'Flood zones' }).isChecked()).toBe(false);
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it('adds a condition to a search, and opens a parcel that passes it', async () => {
    await using visit = await explorer.visit('/search');
    const { page } = visit;
    await page.getByText('Add a condition').waitFor();
    // The view is drawn anew when the catalog has come.
    await page.waitForLoadState('networkidle', { timeout: 60_000 });
    await tabTo(page, /^Add a condition$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page), { timeout: 10_000 }).toMatch(/^Field/);
    await page.keyboard.type('fema flood zone');
    await page.getByRole('listbox', { name: 'Fields' }).getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByLabel('Field').first().inputValue(), { timeout: 10_000 }).toMatch(/flood zone/i);
    // The keyboard stays where the field was chosen, and goes on to how it is compared.
    expect(await focused(page)).toMatch(/^Field/);
    await tabTo(page, /^How /, 1);
    await tabTo(page, /^Value of/, 1);
    // The first letters of a choice choose it.
    await page.keyboard.type('X');
    await tabTo(page, /^Search$/, 4);
    await page.keyboard.press('Enter');
    await page.locator('.match').first().waitFor();
    const [number] = (await page.locator('.match-facts').first().innerText()).split(' · ');
    await tabTo(page, new RegExp(number!));
    await page.keyboard.press('Enter');
    await page.getByText(`Parcel ${number}`).waitFor();
    await page.getByRole('region', { name: 'Verdict' }).waitFor();
    // The link went with the list: the keyboard is at the beginning of what it opened.
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    await tabTo(page, /^Address or latitude/, 1);
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it('opens the dialog to connect, leaves it by Escape, and is where it was', async () => {
    await using visit = await explorer.visit('/', { connected: false });
    const { page } = visit;
    await tabTo(page, /^Connect$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.closest('dialog') !== null")).toBe(true);
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Connect');
    expect(await isSeen(page)).toBe(true);
  }, 60_000);

  it.each([
    ['a desk', {}],
    ['a phone', PHONE],
  ])(
    'every view passes the rules of WCAG 2.2 AA on %s, targets of 24 pixels among them',
    async (_, size) => {
      const place = placeOf(explorer);
      const found: string[] = [];
      for (const path of [
        `/#${place}`,
        `/parcel#${place}`,
        '/search',
        `/ask#${place}`,
        '/console',
        '/#map=10/40.7/-74',
      ]) {
        await using visit = await explorer.visit(path, size);
        await visit.page.waitForLoadState('networkidle', { timeout: 60_000 });
        found.push(...(await visit.violations()).map(line => `${path} ${line}`));
      }
      expect(found).toEqual([]);
    },
    240_000,
  );
});
