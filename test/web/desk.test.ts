import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from './explorer.ts';
import { placeOf } from './flow.ts';

const asked = (rest: string, ...filters: readonly object[]) =>
  `/search#n=25&st=ME&f=${encodeURIComponent(JSON.stringify(filters))}${rest}`;

const SMALL = { field: 'acreage', op: 'lt', value: 3 };

const SOON = { timeout: 20_000 };

describe('the explorer as a desk', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it('counts as one types, shows a table that is sorted, colors cells, and says why a parcel does not pass', async () => {
    const { lat, lng } = explorer.parcel;
    await using visit = await explorer.visit(asked(`&map=17/${lat}/${lng}`, SMALL));
    const { page } = visit;
    const count = page.getByRole('region', { name: 'How many pass' });
    const counted = async () =>
      Number(/[\d,]+/.exec(await count.locator('strong').first().innerText())![0].replace(',', ''));
    await count.waitFor();
    const before = await counted();
    await page.getByLabel('Value of').first().fill('1');
    await expect.poll(counted, SOON).toBeLessThan(before);
    await count.getByText('What costs most: Acreage is less than 1 acre').waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: 'Table' }).click();
    const table = page.getByRole('region', { name: 'Parcels, sorted' });
    await table.getByRole('button', { name: 'Acreage', exact: true }).click();
    await table.locator('th[aria-sort="ascending"]').waitFor();
    await page.getByRole('button', { name: 'Groups' }).click();
    await page.getByText('as many cells in each color').waitFor();
    await page.goBack();
    await table.waitFor();
    await page.goto(explorer.address + asked(`&why=${lat},${lng}`, { ...SMALL, op: 'gt', value: 100_000 }));
    await page.reload();
    const why = page.getByRole('region', { name: 'Why this parcel passes or not' });
    await why.getByText('It does not pass:').waitFor();
    await why.getByText(/it has .* acres?, short by/).waitFor();
    await page.getByRole('region', { name: 'What to relax' }).getByRole('button', { name: 'Use this' }).click();
    await page.locator('.match').first().waitFor();
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it('takes an area about a place, and all parcels of it along as a file whose price comes first', async () => {
    const { lat, lng } = explorer.parcel;
    await using visit = await explorer.visit(asked('', SMALL));
    const { page } = visit;
    await page.getByRole('button', { name: 'Around a place' }).click();
    await page.getByLabel('Of an address or a coordinate').fill(`${lat}, ${lng}`);
    await page.getByRole('button', { name: 'Use this area' }).click();
    await page.getByText(/^Within 1 mi of .*: 2,0\d\d acres$/).waitFor();
    await page.getByRole('button', { name: 'Save as a file' }).click();
    const panel = page.getByRole('region', { name: 'Take them along' });
    await panel.getByText(/rows?: free/).waitFor();
    await panel.getByLabel('As').selectOption('GeoJSON');
    await panel.getByRole('button', { name: 'Make the file' }).click();
    await page.getByText('The file is ready').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save export.geojson' }).click();
    expect((await saving).suggestedFilename()).toBe('export.geojson');
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it('asks more of a parcel, and reports it on two pages', async () => {
    await using visit = await explorer.visit(`/parcel#${placeOf(explorer)}`);
    const { page } = visit;
    const tools = page.getByRole('region', { name: 'What it leads to' });
    await tools.getByRole('button', { name: 'Buildable ground' }).click();
    await tools.getByRole('button', { name: 'Draw it for 10 credits' }).click();
    await tools
      .getByText(/can be built on|is not known/)
      .first()
      .waitFor();
    await tools.getByRole('button', { name: 'Look-alikes' }).click();
    await tools.getByText(/most alike of/).waitFor();
    await tools.getByRole('button', { name: 'Same owner' }).click();
    await tools.getByText(/ in ME/).waitFor();
    await tools.getByRole('button', { name: 'With neighbors' }).click();
    await tools.getByRole('button', { name: 'Find groups' }).click();
    await tools.getByText(/group/i).last().waitFor();
    await page.getByRole('link', { name: 'Report to print' }).click();
    const report = page.getByRole('article', { name: 'Report' });
    await report.getByRole('img', { name: 'Map of the parcel' }).waitFor();
    await report.getByRole('listitem').first().waitFor();
    const pdf = await page.pdf({ format: 'Letter' });
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g);
    expect(pages?.length).toBeLessThanOrEqual(2);
    expect(visit.wrong).toEqual([]);
  }, 120_000);
});
