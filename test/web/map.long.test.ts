import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from './explorer.ts';
import { picture, placeOf } from './flow.ts';

const MISSING = 'Parts of the map cannot be had';

describe('the map', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it('shows the next release when one is published while it is looked at', async () => {
    await using visit = await explorer.visit(`/#${placeOf(explorer)}`);
    const { page } = visit;
    await page.waitForResponse(response => response.url().includes('/tiles/') && response.ok());
    await page.waitForLoadState('networkidle');
    const release = await explorer.publishAgain();
    const index = async () =>
      ((await (await fetch(`${explorer.address}/tiles.json`)).json()) as { release: string }).release;
    await expect.poll(index, { timeout: 20_000 }).toBe(release);
    const ofNext: string[] = [];
    page.on('response', response => {
      if (response.url().includes(`/tiles/`) && response.url().endsWith(release) && response.ok())
        ofNext.push(new URL(response.url()).pathname);
    });
    // Somewhere else, so that the tiles of neither place are kept.
    await page.getByRole('button', { name: 'Zoom out' }).click();
    // Of every source: what lay in the view before is drawn anew as well.
    for (const layer of ['roads', 'parcels', 'boundaries'])
      await expect.poll(() => ofNext.some(path => path.includes(layer)), { timeout: 20_000 }).toBe(true);
    expect(await page.getByText(MISSING).count()).toBe(0);
    await picture(page, 'map-of-the-next-release');
  }, 120_000);

  it.each([429, 503])(
    'asks again for tiles that %d refused, and says so meanwhile',
    async status => {
      await using visit = await explorer.visit('/', {});
      const { page } = visit;
      await page.route('**/tiles/**', route => route.fulfill({ status, headers: { 'retry-after': '1' } }));
      await page.goto(`${explorer.address}/#map=15/${explorer.parcel.lat}/${explorer.parcel.lng}`);
      await page.reload();
      await page.getByText(MISSING).waitFor();
      await picture(page, `map-refused-${status}`);
      expect(await visit.violations()).toEqual([]);
      await page.unroute('**/tiles/**');
      await page.waitForResponse(response => response.url().includes('/tiles/') && response.ok());
      await page.getByText(MISSING).waitFor({ state: 'detached', timeout: 30_000 });
    },
    120_000,
  );

  it('is moved by an address in an open tab, says what it holds elsewhere, and is chosen on by keys', async () => {
    await using visit = await explorer.visit('/#map=10/40.7/-74');
    const { page } = visit;
    await page.getByText('Nothing of this server lies here. It holds Synthetic.').waitFor();
    await picture(page, 'map-elsewhere');
    expect(await visit.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Go to Synthetic' }).click();
    await page.getByText('Nothing of this server lies here').waitFor({ state: 'detached' });
    const { lat, lng, apn } = explorer.parcel;
    await page.evaluate(`location.hash = '#map=17/${lat}/${lng}'`);
    const layers = page.getByRole('region', { name: 'Map', exact: true }).locator('.legend');
    await layers.getByRole('checkbox', { name: 'Parcels' }).waitFor();
    await layers.getByRole('checkbox', { name: 'Flood zones' }).uncheck();
    await page.locator('.map canvas').focus();
    await page.keyboard.press('Enter');
    await page.getByText(`Parcel ${apn}`).waitFor();
    expect(visit.wrong).toEqual([]);
  }, 60_000);
});
