import { decode } from 'fast-png';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from '../explorer.ts';
import { picture } from '../flow.ts';

const mapOf = (page: Page) => page.getByRole('region', { name: 'Map', exact: true });
const boxOf = (page: Page) => page.getByRole('combobox', { name: 'Address or latitude, longitude' });

/** What of a picture of the map differs from another one, 0 to 1. */
function differing(a: Buffer, b: Buffer): number {
  const [one, other] = [decode(a), decode(b)];
  let count = 0;
  for (let i = 0; i < one.data.length; i += one.channels) if (Math.abs(one.data[i]! - other.data[i]!) > 12) count++;
  return (count * one.channels) / one.data.length;
}

describe('the box and the map of the first look', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it.each([
    ['a town', 'synthetic harb', /^synthetic harbor.*Place$/i, /^13\//],
    ['a street', 'school s', /^SCHOOL ST.*Street$/i, null],
    ['an address', '301 school', /^301 SCHOOL ST.*Address$/i, null],
  ] as const)(
    '%s is suggested as it is typed, and shown',
    async (_, typed, offer, zoom) => {
      await using visit = await explorer.visit('/');
      const { page } = visit;
      page.setDefaultTimeout(60_000);
      await boxOf(page).pressSequentially(typed);
      await page.getByRole('option', { name: offer }).first().click();
      await page.getByRole('region', { name: 'Verdict' }).waitFor();
      if (zoom) expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('map')).toMatch(zoom);
      expect(visit.wrong).toEqual([]);
    },
    180_000,
  );

  it('a click outlines the parcel, and names it: address, number, owner, size and what is decided', async () => {
    const { lat, lng, apn } = explorer.parcel;
    await using visit = await explorer.visit(`/#map=18/${lat}/${lng}`);
    const { page } = visit;
    page.setDefaultTimeout(60_000);
    const map = mapOf(page);
    await map.locator('canvas').waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(700);
    const { x, y, width, height } = (await map.boundingBox())!;
    // Below the point: the pin stands above it.
    const clip = { x: x + width / 2 - 12, y: y + height / 2 + 10, width: 24, height: 24 };
    const before = await page.screenshot({ clip });
    await map.click();
    await page.getByText(`Parcel ${apn}`).waitFor();
    await expect
      .poll(async () => differing(before, await page.screenshot({ clip })), { timeout: 20_000 })
      .toBeGreaterThan(0.5);
    await page.getByRole('heading', { level: 2, name: /^\d+ \w+/ }).waitFor();
    for (const [fact, says] of [
      ['Owner', /\w{3,}/],
      ['Size', /^[\d.]+ acres?$/],
      ['Land value', /^\$[\d,]+ \(\$[\d,]+ an acre\)$/],
    ] as const)
      expect(await page.locator('.facts > div', { hasText: fact }).locator('dd').innerText()).toMatch(says);
    await page.getByRole('region', { name: 'Verdict' }).getByText('special flood hazard area?').waitFor();
    await picture(page, 'outlined');
    expect(visit.wrong).toEqual([]);
  }, 180_000);

  it('a number stands among those of the county, in words and as a bar', async () => {
    const { lat, lng } = explorer.parcel;
    await using visit = await explorer.visit(`/#at=${lat},${lng}&preset=terrain`);
    const { page } = visit;
    page.setDefaultTimeout(60_000);
    const standing = page.locator('.standing').first();
    await standing.waitFor();
    const [, side, share] = /^(more|less|\w+er) than (\d+) % of the county$/.exec((await standing.innerText()).trim())!;
    const bar = standing.locator('.standing-bar');
    const [whole, part] = await Promise.all([bar.boundingBox(), bar.locator('span').boundingBox()]);
    const drawn = Math.round((100 * part!.width) / whole!.width);
    // Where it is told how many have more, the bar shows how many have less.
    expect(
      [Number(share), 100 - Number(share)].some(one => Math.abs(one - drawn) <= 2),
      `${side} ${share}: ${drawn}`,
    ).toBe(true);
    expect(visit.wrong).toEqual([]);
  }, 180_000);

  it('a value is dated by its content, and not by when it was read', async () => {
    const { lat, lng } = explorer.parcel;
    await using visit = await explorer.visit('/');
    const { page } = visit;
    page.setDefaultTimeout(60_000);
    await page.route('**/v1/fetch', async route => {
      const answer = (await (await route.fetch()).json()) as { fields: Record<string, object> };
      const fields = Object.entries(answer.fields).map(([name, record]) => [
        name,
        { ...record, dataset_vintage: '2013-08-05', fetched_at: '2026-01-02T03:04:05Z' },
      ]);
      await route.fulfill({ json: { ...answer, fields: Object.fromEntries(fields) } });
    });
    await page.goto(`${explorer.address}/#at=${lat},${lng}`);
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('2013-08-05').waitFor();
    await page.locator('#record-fema_flood_zone').getByText('2013-08-05').waitFor();
    expect(await page.locator('main').innerText()).not.toContain('2026');
    expect(visit.wrong).toEqual([]);
  }, 180_000);
});
