import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer, type Visit } from '../explorer.ts';
import { sound } from '../flow.ts';
import { pixelAt } from './pixels.ts';

/** What is asked of a server on a busy machine. */
const SOON = { timeout: 20_000 };

interface Found {
  readonly matches: readonly { readonly apn: string; readonly analysis_point: { lat: number; lng: number } }[];
}

/** A box about a place, as GeoJSON. */
const boxAround = (lng: number, lat: number, d: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [lng - d, lat - d],
      [lng + d, lat - d],
      [lng + d, lat + d],
      [lng - d, lat + d],
      [lng - d, lat - d],
    ],
  ],
});

describe('what a parcel leads to', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  const open = async (tool: string): Promise<Visit> => {
    const { lat, lng } = explorer.parcel;
    const visit = await explorer.visit(`/parcel#at=${lat},${lng}&map=16/${lat}/${lng}`);
    visit.page.setDefaultTimeout(60_000);
    await visit.page.getByRole('button', { name: tool }).click();
    return visit;
  };
  const cardOf = ({ page }: Visit) => page.locator('.tools .card');

  it('what the flood map says of each building, as the service answers it', async () => {
    await using visit = await open('Flood by building');
    const card = cardOf(visit);
    await card.getByText(/^\d+ buildings? (?:is|are) mapped on this parcel\.$/).waitFor();
    const answer = await fetch(`${explorer.address}/v1/structures`, {
      method: 'POST',
      headers: { authorization: `Bearer ${explorer.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ lat: explorer.parcel.lat, lng: explorer.parcel.lng }),
    });
    const { structures } = (await answer.json()) as {
      structures: { special_flood_hazard_area: { verdict: string }; area_m2: number }[];
    };
    const words = { inside: 'In a flood zone', outside: 'Outside', not_decidable: 'Not decidable' };
    expect(await card.locator('.outcome').allInnerTexts()).toEqual(
      structures.map(({ special_flood_hazard_area: { verdict } }) => words[verdict as 'inside'] ?? 'Not known'),
    );
    const feet = Math.round(structures[0]!.area_m2 / 0.3048 ** 2).toLocaleString('en-US');
    await card.getByRole('button', { name: new RegExp(`^Building 1: ${feet} sq ft`) }).click();
    await expect
      .poll(() => card.getByRole('button', { name: /^Building 1/ }).getAttribute('aria-pressed'), SOON)
      .toBe('true');
    await sound(visit, 'parcel-buildings');
  }, 120_000);

  it('how far one drives, and the parcels within', async () => {
    await using visit = await open('Drive times');
    const card = cardOf(visit);
    await card.getByRole('button', { name: 'Draw them for 3 credits' }).click();
    const times = card.getByRole('list', { name: 'Drive times' }).getByRole('listitem');
    await times.nth(2).waitFor();
    const acres = (await times.allInnerTexts()).map(text =>
      Number(text.match(/minutes: ([\d,.]+)/)![1]!.replaceAll(',', '')),
    );
    expect(acres).toEqual(acres.toSorted((a, b) => a - b));
    await sound(visit, 'parcel-drive');
    // What was paid is not paid again.
    await visit.page.reload();
    await times.nth(2).waitFor();
    await times.first().getByRole('link').click();
    await visit.page.getByText(/^Within 5 minutes by car of a parcel: [\d,.]+ acres$/).waitFor();
    await visit.page.locator('.match').first().waitFor();
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it('two other parcels beside it, clicked on the map, which the address brings back', async () => {
    await using visit = await open('Side by side');
    const { page } = visit;
    await page.waitForLoadState('networkidle');
    const table = page.getByRole('region', { name: 'Parcels side by side' });
    const { lat, lng } = explorer.parcel;
    const answer = await fetch(`${explorer.address}/v1/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${explorer.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        filters: [
          { field: 'state', op: 'eq', value: 'ME' },
          { field: 'acreage', op: 'between', value: [0.2, 3] },
          { field: 'geometry', op: 'within', value: boxAround(lng, lat, 0.004) },
        ],
        limit: 20,
      }),
    });
    const { matches } = (await answer.json()) as Found;
    const others = matches.filter(({ apn }) => apn !== explorer.parcel.apn).slice(0, 2);
    for (const [i, { analysis_point: at }] of others.entries()) {
      await page.waitForTimeout(700);
      const { x, y } = await pixelAt(page, at);
      await page.mouse.click(x, y);
      await expect.poll(() => table.getByRole('columnheader').count(), SOON).toBe(3 + i);
    }
    const heads = (await table.getByRole('columnheader').allInnerTexts()).slice(1);
    expect(new Set(heads).size).toBe(3);
    await table.getByRole('row', { name: /^Acreage \d/ }).waitFor();
    await sound(visit, 'parcel-beside');
    await using again = await explorer.visit(page.url().slice(explorer.address.length));
    await expect.poll(() => again.page.getByRole('columnheader').count(), SOON).toBe(4);
    await page
      .getByRole('button', { name: /^Leave out/ })
      .first()
      .click();
    await expect.poll(() => table.getByRole('columnheader').count(), SOON).toBe(3);
    await page.goBack();
    await expect.poll(() => table.getByRole('columnheader').count(), SOON).toBe(4);
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it('what can be built on several lots together, and without what is switched off', async () => {
    await using visit = await open('With neighbors');
    const { page } = visit;
    const card = cardOf(visit);
    await card.getByRole('button', { name: 'Find groups' }).click();
    await card.getByRole('button', { name: /^What can be built on these \d+ lots together$/ }).click();
    await card.getByRole('button', { name: 'Draw it for 10 credits' }).click();
    await card
      .getByText(/acres can be built on/)
      .or(card.getByText(/of [\d.]+ acres/))
      .first()
      .waitFor();
    await sound(visit, 'parcel-lots-together');
    for (const name of ['Roads', 'Setback from the boundary']) await card.getByLabel(name).uncheck();
    await card.getByRole('button', { name: 'Without what is switched off' }).click();
    await card.getByText('Not kept clear of: Roads, Setback from the boundary.').waitFor();
    const asked = page.waitForRequest('**/v1/buildable');
    await card.getByRole('button', { name: 'Draw it for 10 credits' }).click();
    const body = (await asked).postDataJSON();
    expect(body.boundary_setback_m).toBeUndefined();
    expect(body.exclusions.map(({ layer }: { layer: string }) => layer)).not.toContain('census_tiger:roads');
    await expect.poll(() => card.getByLabel('Roads').count(), SOON).toBe(0);
    await card.getByLabel('Wetlands').waitFor();
    await card.getByRole('button', { name: 'Keep clear of them again' }).click();
    await card.getByText('Not kept clear of').waitFor({ state: 'detached' });
    expect(visit.wrong).toEqual([]);
  }, 180_000);
});
