import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from '../explorer.ts';
import { PHONE, sound } from '../flow.ts';

describe('what a search takes from files, whom it tells and how it is scored', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  let ring: (readonly number[])[];
  beforeAll(async () => {
    explorer = await openExplorer();
    const { lng, lat } = explorer.parcel;
    const d = 0.0005;
    ring = [
      [lng - d, lat - d],
      [lng + d, lat - d],
      [lng + d, lat + d],
      [lng - d, lat + d],
      [lng - d, lat - d],
    ];
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  const file = (name: string, text: string) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(text),
  });

  it.each([
    ['a desk', {}],
    ['a phone', PHONE],
  ])(
    'KML as an area, on %s',
    async (size, options) => {
      await using visit = await explorer.visit('/search', options);
      const { page } = visit;
      page.setDefaultTimeout(60_000);
      await page.getByRole('button', { name: 'From a file' }).click();
      const coordinates = ring.map(([lng, lat]) => `${lng},${lat},0`).join(' ');
      const kml = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>The mill</name><Polygon>
      <outerBoundaryIs><LinearRing><coordinates>${coordinates}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>`;
      const input = page.getByLabel('GeoJSON, KML, CSV');
      await input.setInputFiles(file('a.kml', '<gpx/>'));
      await page.getByRole('alert').getByText('It is no KML').waitFor();
      await input.setInputFiles(file('mill.kml', kml));
      await page.getByText('It holds 1 area.').waitFor();
      await sound(visit, `file-form-${size.replace(' ', '-')}`);
      await page.getByRole('button', { name: 'Use as an area' }).click();
      await page.getByText('an area of 4 corners').waitFor();
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await page.locator('.match', { hasText: explorer.parcel.apn }).first().waitFor();
      expect(visit.wrong).toEqual([]);
    },
    180_000,
  );

  it('CSV as points: the parcels under them and no others, marked on the map, which the address brings back', async () => {
    const { lat, lng, apn } = explorer.parcel;
    await using visit = await explorer.visit('/search');
    const { page } = visit;
    page.setDefaultTimeout(60_000);
    await page.getByRole('button', { name: 'From a file' }).click();
    await page
      .getByLabel('GeoJSON, KML, CSV')
      .setInputFiles(file('lots.csv', `name,latitude,longitude\nMill,${lat},${lng}\nLost,,\n`));
    await page.getByText('It holds 1 point. 1 entry without a place.').waitFor();
    await page.getByRole('button', { name: 'The parcels at its points' }).click();
    await page.locator('.area').getByText('1 point', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.locator('.match').first().waitFor();
    expect(await page.locator('.match').allInnerTexts()).toEqual([expect.stringContaining(apn)]);
    await sound(visit, 'file-points');
    await using again = await explorer.visit(page.url().slice(explorer.address.length));
    await again.page.locator('.match', { hasText: apn }).waitFor();
    expect(visit.wrong).toEqual([]);
  }, 180_000);

  it('the ground along a line of a file', async () => {
    const { lat, lng, apn } = explorer.parcel;
    const line = {
      type: 'LineString',
      coordinates: [
        [lng - 0.01, lat],
        [lng + 0.01, lat],
      ],
    };
    await using visit = await explorer.visit('/search');
    const { page } = visit;
    page.setDefaultTimeout(60_000);
    await page.getByRole('button', { name: 'From a file' }).click();
    await page.getByLabel('GeoJSON, KML, CSV').setInputFiles(file('road.geojson', JSON.stringify(line)));
    await page.getByLabel('Along its lines, within').fill('100');
    await page.getByRole('button', { name: 'Take it' }).click();
    await page.getByText(/Within 100 ft of a line: [\d.]+ acres/).waitFor();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.locator('.match', { hasText: apn }).first().waitFor();
    await sound(visit, 'file-line');
  }, 180_000);

  it('a search is watched, and the console lists it', async () => {
    const filters = [{ field: 'fema_flood_zone', op: 'eq', value: 'AE' }];
    await using visit = await explorer.visit(`/search#n=10&f=${encodeURIComponent(JSON.stringify(filters))}`);
    const { page } = visit;
    page.setDefaultTimeout(60_000);
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    const form = page.getByRole('region', { name: 'Watch' });
    expect(await form.getByRole('checkbox', { name: 'FEMA flood zone' }).isChecked()).toBe(true);
    await form.getByLabel(/^Mail address/).fill('ann@example.org');
    await sound(visit, 'watch-form');
    await form.getByRole('button', { name: 'Watch this search' }).click();
    await page.getByText('It is watched.').waitFor({ timeout: 60_000 });
    const answer = await fetch(`${explorer.address}/v1/watches`, {
      headers: { authorization: `Bearer ${explorer.token}` },
    });
    const { watches } = (await answer.json()) as { watches: object[] };
    expect(watches[0]).toMatchObject({
      filters: 2,
      fields: ['fema_flood_zone'],
      callback: { email: 'ann@example.org' },
    });
    expect(visit.wrong).toEqual([]);
  }, 180_000);

  it('a table is sorted by a score whose weights are moved, and the address brings it back', async () => {
    await using visit = await explorer.visit('/search#n=25&as=table&score=acreage*5');
    const { page } = visit;
    page.setDefaultTimeout(60_000);
    const table = page.getByRole('region', { name: 'Parcels, sorted' });
    await table.getByRole('columnheader', { name: 'Score' }).waitFor();
    const scores = async () => (await table.locator('tbody tr td:nth-child(2)').allInnerTexts()).map(Number);
    const first = await scores();
    expect(first).toEqual(first.toSorted((a, b) => b - a));
    expect(first[0]).toBeGreaterThan(95);
    const panel = page.getByRole('region', { name: 'Score' });
    await panel.getByRole('combobox', { name: 'Field' }).pressSequentially('distance to nearest sfha');
    await page.getByRole('option', { name: /^Distance to nearest SFHA/ }).click();
    await expect.poll(() => page.url()).toContain('nearest_sfha_distance_m*5');
    const slider = panel.getByRole('slider').last();
    await slider.focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.url()).toContain('nearest_sfha_distance_m*10');
    await panel.getByLabel('What is better of Acreage').selectOption('Less');
    await expect.poll(() => page.url()).toContain('-acreage*5');
    await expect.poll(scores, { timeout: 20_000 }).not.toEqual(first);
    await sound(visit, 'score-table');
    await page.getByRole('button', { name: 'Without a score' }).click();
    await table.getByRole('columnheader', { name: 'Score' }).waitFor({ state: 'detached' });
    expect(visit.wrong).toEqual([]);
  }, 180_000);
});
