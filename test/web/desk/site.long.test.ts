import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from '../explorer.ts';
import { codeNamesIn, wordsOn } from '../first-look/code-names.ts';
import { PHONE, sound } from '../flow.ts';

describe('a report of a drawn ground, and files of many places', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it.each([
    ['a desk', {}],
    ['a phone', PHONE],
  ])(
    'a site on four pages, on %s',
    async (size, screen) => {
      const { lat, lng } = explorer.parcel;
      const d = 0.006;
      const ring = [
        [lng - d, lat - d],
        [lng + d, lat - d],
        [lng + d, lat + d],
        [lng - d, lat + d],
        [lng - d, lat - d],
      ];
      const area = JSON.stringify({ type: 'Polygon', coordinates: [ring] });
      await using visit = await explorer.visit(`/search#area=${encodeURIComponent(area)}`, screen);
      const { page } = visit;
      page.setDefaultTimeout(60_000);
      await page.getByRole('button', { name: 'Report of it' }).click();
      await page.getByRole('button', { name: 'Screen it for 10 credits' }).click();
      const report = page.getByRole('article', { name: 'Report' });
      await report.getByText('FEMA flood zone', { exact: true }).waitFor();
      await report.getByText(/^\d+ parcels have ground on it, [\d,.]+ acres together\./).waitFor();
      expect(await report.getByRole('region', { name: 'Sources' }).getByRole('listitem').count()).toBeGreaterThan(3);
      await report.getByRole('img').waitFor();
      await sound(visit, `site-report-${size.replace(' ', '-')}`);
      expect(codeNamesIn(await wordsOn(page))).toEqual([]);
      const pdf = await page.pdf({ format: 'Letter' });
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)!.length).toBeLessThanOrEqual(4);
      // Its address is the screened site, and the way back the search.
      await page.reload();
      await report.waitFor();
      await page.getByRole('button', { name: 'Back to the search' }).click();
      await page.getByText('an area of 4 corners').waitFor();
      expect(visit.wrong).toEqual([]);
    },
    240_000,
  );

  it('a list of places becomes a file on the console, its price first', async () => {
    const { lat, lng } = explorer.parcel;
    await using visit = await explorer.visit('/console');
    const { page } = visit;
    page.setDefaultTimeout(60_000);
    const files = page.getByRole('region', { name: 'Files' });
    await files.scrollIntoViewIfNeeded();
    const input = files.getByLabel('A list of places');
    await input.setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') });
    await files.getByText('Choose a CSV or a GeoJSON file.').waitFor();
    const text = `custom_id,lat,lng\nmill,${lat},${lng}\nbarn,${lat + 0.001},${lng}\n`;
    await input.setInputFiles({ name: 'sites.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await files.getByLabel('Topic').selectOption('terrain');
    await files.getByText(/^2 rows: [\d,]+ credits?\.$/).waitFor();
    await sound(visit, 'console-price');
    await files.getByRole('button', { name: 'Make the file' }).click();
    await files.getByText('The file is ready, with 2 rows.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      files.getByRole('button', { name: /^Save export/ }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    // What it cost stands among what was used, in words and as a bar.
    await page.reload();
    await page.getByRole('rowheader', { name: 'Files of many parcels or places' }).waitFor();
    expect(codeNamesIn(await wordsOn(page))).toEqual([]);
    await sound(visit, 'console-files');
  }, 240_000);

  it('a field request tells what was asked, where, and what became of it', async () => {
    const { lat, lng } = explorer.parcel;
    const asked = 'The number of nesting boxes for owls on the parcel';
    const made = await fetch(`${explorer.address}/v1/field-requests`, {
      method: 'POST',
      headers: { authorization: `Bearer ${explorer.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ description: asked, example_locations: [{ lat, lng }] }),
    });
    expect(made.status).toBe(202);
    await using visit = await explorer.visit('/console');
    const { page } = visit;
    page.setDefaultTimeout(60_000);
    const requests = page.getByRole('region', { name: 'Field requests' });
    await requests.scrollIntoViewIfNeeded();
    const first = requests.getByRole('list', { name: 'Field requests' }).getByRole('listitem').first();
    await first.getByText(asked).first().waitFor();
    await first.getByText('What became of it').click();
    await first.getByText(new RegExp(`asked for at ${lat.toFixed(5)}`)).waitFor();
    await sound(visit, 'console-request');
  }, 120_000);
});
