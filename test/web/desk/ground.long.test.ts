import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer, type Visit } from '../explorer.ts';
import { sound } from '../flow.ts';
import { pixelAt } from './pixels.ts';

/** What is asked of a server on a busy machine. */
const SOON = { timeout: 20_000 };

describe('the ground of a search, as it is drawn, bounded and added up', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  const open = async (path: string): Promise<Visit> => {
    const { lat, lng } = explorer.parcel;
    const visit = await explorer.visit(`${path}${path.includes('#') ? '&' : '#'}map=16/${lat}/${lng}`);
    visit.page.setDefaultTimeout(60_000);
    await visit.page.locator('.map canvas').first().waitFor();
    await visit.page.waitForLoadState('networkidle');
    return visit;
  };
  /** Begins to draw something, and clicks at shares of the map. */
  const draws = async ({ page }: Visit, what: string, points: readonly (readonly [number, number])[]) => {
    await page.getByRole('button', { name: 'Draw on the map' }).click();
    await page.getByRole('button', { name: what, exact: true }).click();
    const box = (await page.locator('.map canvas').first().boundingBox())!;
    for (const [x, y] of points) {
      await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
      await page.waitForTimeout(150);
    }
  };
  const searches = ({ page }: Visit) => page.getByRole('button', { name: 'Search', exact: true }).click();
  const ringOf = ({ page }: Visit) => {
    const text = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('area')!;
    return (JSON.parse(text) as { coordinates: [number, number][][] }).coordinates[0]!;
  };

  it('along a line: the parcels within so many feet of it, which the address brings back', async () => {
    await using visit = await open('/search');
    const { page } = visit;
    await draws(visit, 'Along a line', [
      [0.4, 0.5],
      [0.5, 0.5],
      [0.6, 0.55],
    ]);
    await page.getByLabel('Within').fill('200');
    await sound(visit, 'drawing-line');
    await page.locator('.map canvas').first().press('Enter');
    await page.getByText(/^Within 200 ft of a line: [\d.]+ acres$/).waitFor();
    await searches(visit);
    await page.locator('.match', { hasText: explorer.parcel.apn }).first().waitFor();
    const near = JSON.parse(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('near')!);
    expect(near).toMatchObject({ within_m: 61, geometry: { type: 'MultiLineString' } });
    expect(near.geometry.coordinates[0]).toHaveLength(3);
    await using again = await explorer.visit(page.url().slice(explorer.address.length));
    await again.page.locator('.match', { hasText: explorer.parcel.apn }).first().waitFor();
    // What was drawn before is what the way back shows.
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.goBack();
    await page.getByText(/^Within 200 ft of a line/).waitFor();
    expect(visit.wrong).toEqual([]);
  }, 180_000);

  it('a circle by its middle and its edge', async () => {
    await using visit = await open('/search');
    await draws(visit, 'Circle', [
      [0.5, 0.5],
      [0.6, 0.5],
    ]);
    const { lat, lng } = explorer.parcel;
    await visit.page.getByText(/^Within [\d,.]+ ft of /).waitFor();
    const near = JSON.parse(new URLSearchParams(new URL(visit.page.url()).hash.slice(1)).get('near')!);
    expect(near.lat).toBeCloseTo(lat, 3);
    expect(near.lng).toBeCloseTo(lng, 3);
    await searches(visit);
    await visit.page.locator('.match', { hasText: explorer.parcel.apn }).first().waitFor();
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it('a rectangle, whose corners are dragged, added and removed', async () => {
    await using visit = await open('/search');
    const { page } = visit;
    await draws(visit, 'Rectangle', [
      [0.4, 0.4],
      [0.6, 0.6],
    ]);
    await page.getByText('an area of 4 corners').waitFor();
    const before = ringOf(visit);
    await page.getByRole('button', { name: 'Move its corners' }).click();
    // The map shows all of it before.
    await page.waitForTimeout(1_500);
    await sound(visit, 'corners');
    type At = { readonly lat: number; readonly lng: number };
    const drag = async (from: At, to: At) => {
      const [begin, end] = [await pixelAt(page, from), await pixelAt(page, to)];
      await page.mouse.move(begin.x, begin.y);
      await page.mouse.down();
      await page.mouse.move(end.x, end.y, { steps: 4 });
      await page.mouse.up();
    };
    const at = (i: number): At => ({ lng: before[i]![0], lat: before[i]![1] });
    const middle = { lng: at(1).lng, lat: (at(1).lat + at(2).lat) / 2 };
    const moved = { lng: at(0).lng + 0.0002, lat: at(0).lat };
    await drag(at(0), moved);
    await expect.poll(() => ringOf(visit), SOON).not.toEqual(before);
    expect(ringOf(visit)).toHaveLength(5);
    expect(ringOf(visit)[0]![0]).toBeCloseTo(moved.lng, 4);
    await drag(middle, { lng: middle.lng - 0.0002, lat: middle.lat });
    await expect.poll(() => ringOf(visit), SOON).toHaveLength(6);
    await page.keyboard.press('Backspace');
    await expect.poll(() => ringOf(visit), SOON).toHaveLength(5);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('an area of 4 corners').waitFor();
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it('an area by keys alone', async () => {
    await using visit = await open('/search');
    const { page } = visit;
    await page.getByRole('button', { name: 'Draw on the map' }).press('Enter');
    // Keys go to the map once it has them.
    await page.locator('canvas:focus').waitFor();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft']) {
      await page.keyboard.press('Space');
      const was = page.url();
      await page.keyboard.press(key);
      // The address says where the map is once it stands.
      await expect.poll(() => page.url(), SOON).not.toBe(was);
    }
    await page.keyboard.press('Enter');
    await page.getByText('an area of 3 corners').waitFor();
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it('a condition is bounded by dragging over a histogram of what passes the others', async () => {
    const conditions = [{ field: 'acreage', op: 'gte', value: 0.001 }];
    await using visit = await open(`/search#n=10&f=${encodeURIComponent(JSON.stringify(conditions))}`);
    const { page } = visit;
    const slider = page.getByRole('slider', { name: 'Greatest Acreage' });
    await slider.waitFor();
    const counted = async () =>
      Number(
        (await page.locator('.histogram figcaption').innerText()).match(/([\d,]+) parcels?/)![1]!.replace(',', ''),
      );
    const all = await counted();
    await slider.focus();
    for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowLeft');
    const value = page.getByLabel(/^(?:Value of|Greatest) Acreage$/).and(page.locator('input[type=text]'));
    await expect.poll(() => value.inputValue(), SOON).toMatch(/^[\d.]+$/);
    await expect.poll(counted, SOON).toBeLessThan(all);
    // The count of the search says the same, but for a bound within the first bar.
    const said = async () =>
      Number((await page.locator('.set-count [role=status] strong').innerText()).replace(/\D/g, ''));
    await expect.poll(async () => Math.abs((await said()) - (await counted())), SOON).toBeLessThanOrEqual(3);
    const thumb = (await page.getByRole('slider', { name: 'Least Acreage' }).boundingBox())!;
    await page.mouse.move(thumb.x + 8, thumb.y + thumb.height / 2);
    await page.mouse.down();
    await page.mouse.move(thumb.x + thumb.width * 0.3, thumb.y + thumb.height / 2, { steps: 5 });
    await page.mouse.up();
    await page.getByLabel('How Acreage is compared').and(page.locator('select')).waitFor();
    await expect.poll(() => page.getByLabel('How Acreage is compared').inputValue(), SOON).toBe('between');
    await sound(visit, 'histogram');
  }, 180_000);

  it('the values of a portfolio add up to a worst circle on the map, which the address brings back', async () => {
    const { lat, lng } = explorer.parcel;
    await using visit = await open('/search');
    const { page } = visit;
    await page.getByRole('button', { name: 'From a file' }).click();
    const rows = [
      ['Mill', lat, lng, '"$1,000,000"'],
      ['Barn', lat + 0.0002, lng, '"$500,000"'],
      ['House', lat + 0.0004, lng, ''],
      ['Far away', lat + 0.02, lng, '"$1,200,000"'],
    ];
    const text = `Place,Latitude,Longitude,Insured value\n${rows.map(row => row.join()).join('\n')}\n`;
    await page
      .getByLabel('GeoJSON, KML, CSV')
      .setInputFiles({ name: 'portfolio.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByLabel('Within, in feet').fill('300');
    await sound(visit, 'portfolio-form');
    await page.getByRole('button', { name: 'Find the worst circle' }).click();
    const panel = page.getByRole('region', { name: 'Where values add up' });
    await panel.getByText('1,500,000').first().waitFor();
    expect(await panel.getByRole('status').first().innerText()).toBe(
      'The worst circle holds 1,500,000 of 2,700,000 (Insured value): 2 places within 300 ft of Mill.',
    );
    await page.waitForLoadState('networkidle');
    await sound(visit, 'portfolio');
    await panel.getByRole('button', { name: 'Far away' }).click();
    await panel.getByRole('link', { name: 'Parcels within 300 ft of Far away' }).waitFor();
    await using again = await explorer.visit(page.url().slice(explorer.address.length));
    await again.page.getByText('The worst circle holds').waitFor();
    await panel.getByRole('button', { name: 'Mill' }).click();
    await panel.getByRole('link', { name: 'Parcels within 300 ft of Mill' }).click();
    await page.locator('.match', { hasText: explorer.parcel.apn }).first().waitFor();
    expect(visit.wrong).toEqual([]);
  }, 180_000);
});
