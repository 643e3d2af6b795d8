import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decode, encode } from 'fast-png';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from './explorer.ts';
import { PHONE, picture, placeOf } from './flow.ts';

const MISSING = 'Parts of the map cannot be had';

/** The map, without what stands over it. */
const mapOf = (page: Page) => page.getByRole('region', { name: 'Map', exact: true });

/** Mean red, green and blue of what is seen in a square of the page about a point. */
async function colourAt(page: Page, x: number, y: number, side = 40): Promise<number[]> {
  const clip = { x: x - side / 2, y: y - side / 2, width: side, height: side };
  const { data, channels } = decode(await page.screenshot({ clip }));
  const sums = [0, 0, 0];
  for (let i = 0; i < data.length; i += channels) for (let c = 0; c < 3; c++) sums[c]! += data[i + c]!;
  return sums.map(sum => (sum * channels) / data.length);
}

/** How different two colours are, the sum over red, green and blue. */
const apart = (a: readonly number[], b: readonly number[]) => a.reduce((sum, v, i) => sum + Math.abs(v - b[i]!), 0);

/** Waits until the map shows what it asks for. */
async function drawn(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(700);
}

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

  it('shades the ground and draws its contours in the units of the reader, each to be switched off', async () => {
    const { lat, lng } = explorer.parcel;
    const asked: string[] = [];
    await using visit = await explorer.visit('/');
    const { page } = visit;
    page.on('response', response => response.ok() && asked.push(response.url()));
    await page.goto(`${explorer.address}/#map=13.5/${lat}/${lng}`);
    await page.reload();
    await expect
      .poll(() => asked.some(url => /\/tiles\/terrain\/\d+\/\d+\/\d+\.png/.test(url)), { timeout: 20_000 })
      .toBe(true);
    await expect
      .poll(() => asked.some(url => /\/tiles\/contours\/.*unit=ft/.test(url)), { timeout: 20_000 })
      .toBe(true);
    await drawn(page);
    await picture(page, 'map-relief');
    const box = (await mapOf(page).boundingBox())!;
    const whole = () => page.screenshot({ clip: { ...box, height: box.height / 2 } });
    const layers = mapOf(page).locator('.legend');
    for (const name of ['Shaded relief', 'Contours']) {
      const before = await whole();
      await layers.getByRole('checkbox', { name }).uncheck();
      await drawn(page);
      expect(before.equals(await whole()), `${name} changes nothing`).toBe(false);
    }
    await layers.getByRole('checkbox', { name: 'Contours' }).check();
    await page.getByRole('button', { name: 'show meters' }).click();
    await expect.poll(() => asked.some(url => /\/tiles\/contours\/.*unit=m/.test(url)), { timeout: 20_000 }).toBe(true);
    await page.getByRole('button', { name: 'Dark colours' }).click();
    await drawn(page);
    expect(await layers.getByRole('checkbox', { name: 'Shaded relief' }).isChecked()).toBe(false);
    await layers.getByRole('checkbox', { name: 'Shaded relief' }).check();
    await drawn(page);
    await picture(page, 'map-relief-dark');
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it('says how long a foot and a meter are on it, and finds where one stands', async () => {
    const { lat, lng, apn } = explorer.parcel;
    const standing = { geolocation: { latitude: lat, longitude: lng } };
    await using visit = await explorer.visit('/', standing);
    const { page } = visit;
    const scales = mapOf(page).locator('.maplibregl-ctrl-scale');
    await scales.nth(1).waitFor();
    expect((await scales.allInnerTexts()).join(' ')).toMatch(/\d\s?k?m \d+\s?(ft|mi)$/);
    const granted = ['geolocation', 'clipboard-read', 'clipboard-write'];
    await page.context().grantPermissions(granted, { origin: explorer.address });
    await page.reload();
    await page.getByRole('button', { name: 'Find my location' }).click();
    await page.getByText(`Parcel ${apn}`).waitFor();
    // The map moves there, and says where it is when it stands.
    await page.waitForURL(/map=1[67]/);
    expect(visit.wrong).toEqual([]);
  }, 60_000);

  it.each([
    ['a desk', {}],
    ['a phone', PHONE],
  ])(
    'its list of layers and its sources stand beside each other on %s',
    async (_, size) => {
      await using visit = await explorer.visit(`/#${placeOf(explorer)}`, size);
      const { page } = visit;
      const lists = mapOf(page).locator('.legend');
      await lists.getByText('Sources').click();
      if (size === PHONE) await lists.getByText('Layers').click();
      await lists.getByText('Plat synthetic data').waitFor();
      const map = (await mapOf(page).boundingBox())!;
      const boxes = await Promise.all(
        (await mapOf(page).locator('.maplibregl-ctrl').all()).map(one => one.boundingBox()),
      );
      const seen = boxes.filter(box => box !== null && box.width > 0);
      expect(seen.length).toBeGreaterThanOrEqual(5);
      for (const [i, a] of seen.entries()) {
        expect(a!.x >= map.x && a!.y >= map.y, 'a control is cut off').toBe(true);
        for (const b of seen.slice(i + 1))
          expect(
            a!.x + a!.width <= b!.x + 1 ||
              b!.x + b!.width <= a!.x + 1 ||
              a!.y + a!.height <= b!.y + 1 ||
              b!.y + b!.height <= a!.y + 1,
            `${JSON.stringify(a)} lies over ${JSON.stringify(b)}`,
          ).toBe(true);
      }
      await picture(page, `map-lists-${size === PHONE ? 'phone' : 'desk'}`);
      expect(await visit.violations()).toEqual([]);
    },
    60_000,
  );

  it('names whose data it draws in view and no other', async () => {
    const { lat, lng } = explorer.parcel;
    await using visit = await explorer.visit(`/#map=17/${lat}/${lng}`);
    const { page } = visit;
    const sources = mapOf(page).locator('.credits');
    await sources.getByText('Sources').click();
    await sources.getByText('Plat synthetic data').waitFor();
    await page.evaluate("location.hash = '#map=10/40.7/-74'");
    await expect.poll(() => sources.isVisible()).toBe(false);
  }, 60_000);

  it('darkens what the release does not hold', async () => {
    const index = (await (await fetch(`${explorer.address}/tiles.json`)).json()) as { bounds: number[] };
    const [, south, east, north] = index.bounds as [number, number, number, number];
    await using visit = await explorer.visit(`/#map=15/${(south + north) / 2}/${east}`);
    const { page } = visit;
    await drawn(page);
    for (const name of [
      'Shaded relief',
      'Parcels',
      'Flood zones',
      'Water',
      'Wetlands',
      'Roads',
      'Zoning',
      'Buildings',
      'Contours',
    ]) {
      const layer = mapOf(page).getByRole('checkbox', { name });
      if (await layer.isVisible()) await layer.uncheck();
    }
    await drawn(page);
    await picture(page, 'map-outside');
    const { x, y, width, height } = (await mapOf(page).boundingBox())!;
    const [inside, outside] = [
      await colourAt(page, x + width * 0.45, y + height * 0.25),
      await colourAt(page, x + width * 0.75, y + height * 0.6),
    ];
    expect(apart(inside, outside)).toBeGreaterThan(40);
    expect(outside.reduce((a, b) => a + b)).toBeLessThan(inside.reduce((a, b) => a + b));
  }, 60_000);
});

describe('aerial pictures', { tags: ['Chromium'] }, () => {
  it('are shown where the operator names a server of them and the reader asks for them, and the policy lets no other in', async () => {
    const red = new Uint8Array(256 * 256 * 3).map((_, i) => (i % 3 === 0 ? 220 : 20));
    const tile = encode({ width: 256, height: 256, data: red, channels: 3, depth: 8 });
    const asked: string[] = [];
    const pictures = createServer((request, response) => {
      asked.push(request.url!);
      response.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' }).end(tile);
    });
    await new Promise<void>(resolve => pictures.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
    await using explorer = await openExplorer({
      PLAT_MAP_IMAGERY: `${origin}/{z}/{x}/{y}.png`,
      PLAT_MAP_IMAGERY_CREDIT: 'State of Maine <orthophotos>',
    });
    const policy = (await fetch(explorer.address)).headers.get('content-security-policy')!;
    expect(policy.match(/https?:\S+/g)!.map(text => text.replace(';', ''))).toEqual([origin, origin]);
    await using visit = await explorer.visit(`/#${placeOf(explorer)}`);
    const { page } = visit;
    await drawn(page);
    expect(asked).toEqual([]);
    const { x, y, width, height } = (await mapOf(page).boundingBox())!;
    const seen = () => colourAt(page, x + width * 0.6, y + height * 0.3, 120);
    const before = await seen();
    await mapOf(page).getByRole('checkbox', { name: 'Aerial pictures' }).check();
    await expect.poll(async () => apart(before, await seen()), { timeout: 20_000 }).toBeGreaterThan(60);
    expect(asked[0]).toMatch(/^\/\d+\/\d+\/\d+\.png$/);
    await mapOf(page).locator('.credits').getByText('Sources').click();
    await mapOf(page).getByText('State of Maine <orthophotos>').waitFor();
    await picture(page, 'map-imagery');
    expect(visit.wrong.filter(line => !line.startsWith(`asked ${origin}`))).toEqual([]);
    pictures.close();
  }, 300_000);
});
