import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from './explorer.ts';

const LONG = process.env.PLAT_TEST === 'long';

describe('the explorer', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it('answers a click on the map with a verdict, the parcel and cited values, and shows the request that it made', async () => {
    const { lat, lng } = explorer.parcel;
    await using visit = await explorer.visit(`/#map=17/${lat}/${lng}`);
    const { page } = visit;
    const map = page.getByRole('region', { name: 'Map', exact: true });
    await map.locator('canvas').waitFor();
    await page.waitForResponse(response => response.url().includes('/tiles/') && response.ok());
    await map.click();
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('The place is in a special flood hazard area?').waitFor();
    await verdict
      .getByText(/^(Yes|No|In part|On the line|Not known)$/)
      .first()
      .waitFor();
    await verdict.getByText('Map of').waitFor();
    await page.getByText(`Parcel ${explorer.parcel.apn}`).waitFor();
    const zone = page.locator('#record-fema_flood_zone');
    await zone.getByText('Plat synthetic data').first().waitFor();
    expect(page.url()).toMatch(/#.*at=\d+\.\d+,-\d+\.\d+/);
    await page.getByText('the request behind this').click();
    expect(await page.locator('.request pre').innerText()).toContain('/v1/fetch');
    // Nothing that only a program reads stands on the page before its own part is opened.
    await page.locator('main').evaluate(main => {
      for (const details of main.querySelectorAll('details')) details.open = !details.closest('.request');
    });
    expect(await page.locator('main').innerText()).not.toMatch(/\/v1\/|`|\b[a-z]+_[a-z_]+\b|synthetic:|\bfailed\b/);
    expect(await visit.violations()).toEqual([]);
    expect(visit.wrong).toEqual([]);
  }, 60_000);

  it('finds an owner and a coordinate in either order as they are typed, by keys alone, and remembers them', async () => {
    const { lat, lng, apn } = explorer.parcel;
    await using visit = await explorer.visit('/');
    const { page } = visit;
    const box = page.getByRole('combobox', { name: 'Address or latitude, longitude' });
    await box.fill(`${lng}, ${lat}`);
    await page.keyboard.press('Enter');
    await page.getByText(`Parcel ${apn}`).waitFor();
    const owner = await page.locator('.facts dd').first().innerText();
    await box.fill('');
    await box.pressSequentially(owner.slice(0, -1).toLowerCase());
    await page.getByRole('option', { name: owner }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await visit.violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('.facts').getByText(owner).waitFor();
    await page.getByRole('button', { name: 'show meters' }).click();
    await page.locator('.facts').getByText('hectares').waitFor();
    await page.reload();
    await box.fill('');
    await page.getByRole('option', { name: owner }).waitFor();
    expect(visit.wrong).toEqual([]);
  }, 60_000);

  it.each(LONG ? (['light', 'dark'] as const) : (['light'] as const))(
    'has a reference beside it at /v1/docs, whose examples are copied: %s',
    async scheme => {
      await using visit = await explorer.visit('/v1/docs', { colorScheme: scheme });
      const { page } = visit;
      await page.locator('nav a[href="#search"]').click();
      const call = page.locator('#search');
      await call.getByRole('button', { name: 'Copy' }).click();
      await expect.poll(() => call.getByRole('button').innerText()).toMatch(/^Copied/);
      const copied = await page.evaluate('navigator.clipboard.readText()');
      expect(copied).toMatch(/^curl -sS "\$PLAT_URL\/v1\/search" /);
      expect(copied).toBe(await call.locator('pre[aria-label^="Example"]').innerText());
      // Opened, so that what is in them is judged too: of one operation and what is around all, since all take half a minute.
      const [opened, others] = LONG ? ['details', undefined] : ['#search details', 'section.call:not(#search)'];
      await page.evaluate(`for (const details of document.querySelectorAll('${opened}')) details.open = true`);
      expect(await page.locator(others ?? 'section.call').count()).toBeGreaterThan(10);
      expect(await visit.violations(others)).toEqual([]);
      expect(visit.wrong).toEqual([]);
    },
    120_000,
  );

  it('has a documentation whose pages no name makes wider than a phone', async () => {
    await using visit = await explorer.visit('/docs', { viewport: { width: 390, height: 844 } });
    const { page } = visit;
    const wide: string[] = [];
    // Each had a name or an address without a blank that stuck out.
    for (const path of [
      'place-columns',
      'changelog',
      'operations',
      'fields/fema_flood_zone',
      'fields/gas_utility_name',
    ]) {
      await page.goto(`${explorer.address}/docs/${path}`);
      if ((await page.evaluate('document.documentElement.scrollWidth')) !== 390) wide.push(path);
    }
    expect(wide).toEqual([]);
    expect(visit.wrong).toEqual([]);
  }, 60_000);

  it('is at most 60 kB in gzip before the map, which comes later', async () => {
    const page = await (await fetch(explorer.address)).text();
    const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(files.length).toBeGreaterThanOrEqual(2);
    const bytes = await Promise.all(
      files.map(async path => gzipSync(await (await fetch(explorer.address + path)).bytes()).length),
    );
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
    expect(page).not.toContain('map-canvas');
  });

  it('has a policy without unsafe-inline, and its files are kept for good', async () => {
    const page = await fetch(explorer.address);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())!;
    const asset = await fetch(explorer.address + script);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(asset.headers.get('content-type')).toContain('text/javascript');
    expect((await fetch(`${explorer.address}/assets/../index.html`)).status).toBe(404);
    expect((await fetch(`${explorer.address}/assets/%2e%2e/index.html`)).status).toBe(404);
  });
});
