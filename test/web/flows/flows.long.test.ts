import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Explorer, openExplorer } from '../explorer.ts';
import { PHONE, picture, placeOf, sound } from '../flow.ts';

describe('flows of the explorer', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  let place: string;
  beforeAll(async () => {
    explorer = await openExplorer();
    place = placeOf(explorer);
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it('asks who is not connected for a token, and goes on with it', async () => {
    await using visit = await explorer.visit(`/#${place}`, { connected: false });
    const { page } = visit;
    await page.getByText('Answers need a token').waitFor();
    await picture(page, 'unconnected');
    expect(await visit.violations()).toEqual([]);
    await page.getByRole('alert').getByRole('button', { name: 'Connect' }).click();
    await page.getByLabel('API token').fill(explorer.token);
    await picture(page, 'connect');
    expect(await visit.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Use this token' }).click();
    await page.locator('#record-fema_flood_zone').waitFor();
    // The refused request is an error of the console by itself.
    expect(visit.wrong.filter(line => !line.includes('401'))).toEqual([]);
  }, 60_000);

  it('takes a token from the address and clears it away', async () => {
    await using visit = await explorer.visit(`/#token=${explorer.token}&${place}`, { connected: false });
    await visit.page.locator('#record-fema_flood_zone').waitFor();
    expect(visit.page.url()).not.toContain('token=');
    expect(visit.wrong).toEqual([]);
  }, 60_000);

  it.each(['light', 'dark'] as const)(
    'a place: its values by layer, %s',
    async colorScheme => {
      await using visit = await explorer.visit(`/#${place}`, { colorScheme });
      const { page } = visit;
      await page.locator('#record-fema_flood_zone[open]').getByText('flood insurance').waitFor();
      await page.getByLabel('Topic').selectOption('site_selection');
      await page.getByRole('region', { name: 'Terrain' }).first().waitFor();
      await sound(visit, `place-${colorScheme}`);
      // The address alone brings the same back.
      const url = page.url();
      await using again = await explorer.visit(url.slice(explorer.address.length), { colorScheme });
      await again.page.getByRole('region', { name: 'Terrain' }).first().waitFor();
      expect(await again.page.getByLabel('Topic').inputValue()).toBe('site_selection');
    },
    90_000,
  );

  it('nothing but the keyboard is needed', async () => {
    await using visit = await explorer.visit('/');
    const { page } = visit;
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Skip');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type(`${explorer.parcel.lat}, ${explorer.parcel.lng}`);
    await page.keyboard.press('Enter');
    await page.locator('#record-fema_flood_zone').waitFor();
    expect(visit.wrong).toEqual([]);
  }, 60_000);

  it.each(['light', 'dark'] as const)(
    'a search: conditions completed as one types, %s',
    async colorScheme => {
      await using visit = await explorer.visit('/search', { colorScheme });
      const { page } = visit;
      await sound(visit, `search-empty-${colorScheme}`);
      await page.getByRole('button', { name: 'Add a condition' }).click();
      await page.getByRole('combobox', { name: 'Field' }).pressSequentially('flood zo');
      const offered = page.getByRole('listbox', { name: 'Fields' }).getByRole('option');
      await offered.first().waitFor();
      await sound(visit, `search-completion-${colorScheme}`);
      await offered.filter({ hasText: 'FEMA flood zone' }).first().click();
      await page.getByLabel(/^Value of/).selectOption('X');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.locator('.match').first().waitFor();
      const count = await page.locator('.match').count();
      expect(count).toBe(25);
      await page.locator('.match').nth(2).hover();
      await sound(visit, `search-${colorScheme}`);
      await page.getByRole('button', { name: 'Next page' }).click();
      await expect.poll(() => page.locator('.match').count(), { timeout: 20_000 }).toBeGreaterThan(25);
      const both = await page.locator('.match').count();
      await page.getByText('the request behind this').click();
      expect(await page.locator('.request pre').innerText()).toContain('"cursor":');
      // The address brings every page back that was shown.
      await using again = await explorer.visit(page.url().slice(explorer.address.length), { colorScheme });
      await expect.poll(() => again.page.locator('.match').count(), { timeout: 20_000 }).toBe(both);
      await page.locator('.match').first().click();
      await page.getByRole('heading', { name: 'Everything about a parcel' }).waitFor();
    },
    120_000,
  );

  it('a search by an area that was drawn, and by one that was pasted', async () => {
    const { lat, lng } = explorer.parcel;
    await using visit = await explorer.visit(`/search#map=16/${lat}/${lng}`);
    const { page } = visit;
    await page.locator('.map canvas').waitFor();
    await page.waitForTimeout(500);
    await page.getByRole('button', { name: 'Draw on the map' }).click();
    const box = (await page.locator('.map canvas').boundingBox())!;
    const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const;
    for (const [x, y] of [at(0.3, 0.3), at(0.7, 0.3), at(0.7, 0.7), at(0.3, 0.7)]) {
      await page.mouse.click(x, y);
      await page.waitForTimeout(150);
    }
    await picture(page, 'drawing');
    await page.keyboard.press('Enter');
    await page.getByText('an area of 4 corners').waitFor();
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('.match').first().waitFor();
    await sound(visit, 'search-area');
    // A lot of several owners has a row for each of them.
    const alike = page.locator('.match', { hasText: `${explorer.parcel.apn} ·` });
    expect(await alike.count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Paste GeoJSON' }).click();
    await page.getByLabel('GeoJSON').fill('{"type": "Point", "coordinates": [0, 0]}');
    await page.getByRole('button', { name: 'Use this area' }).click();
    await page.getByText('Expected a GeoJSON Polygon').waitFor();
    const d = 0.0005;
    const ring = [
      [lng - d, lat - d],
      [lng + d, lat - d],
      [lng + d, lat + d],
      [lng - d, lat + d],
      [lng - d, lat - d],
    ];
    await page.getByLabel('GeoJSON').fill(JSON.stringify({ type: 'Polygon', coordinates: [ring] }));
    await page.getByRole('button', { name: 'Use this area' }).click();
    await page.locator('.match', { hasText: explorer.parcel.apn }).waitFor();
    expect(visit.wrong).toEqual([]);
  }, 120_000);

  it('a wrong area is refused in words that help', async () => {
    const bow = {
      type: 'Polygon',
      coordinates: [
        [
          [-70.7, 43],
          [-70.6, 43.1],
          [-70.6, 43],
          [-70.7, 43.1],
          [-70.7, 43],
        ],
      ],
    };
    await using visit = await explorer.visit(`/search#n=25&area=${encodeURIComponent(JSON.stringify(bow))}`);
    await visit.page
      .getByRole('alert')
      .getByText(/crosses|Self-intersection/i)
      .waitFor();
    await visit.page.getByLabel('The area crosses itself here').waitFor();
    expect(await visit.page.locator('main').innerText()).not.toMatch(/filters\[|position \d/);
    await picture(visit.page, 'search-refused');
    expect(await visit.violations()).toEqual([]);
  }, 60_000);

  it.each(['light', 'dark'] as const)(
    'a parcel: everything known, by preset, %s',
    async colorScheme => {
      await using visit = await explorer.visit(`/parcel#${place}`, { colorScheme });
      const { page } = visit;
      await page.getByText(`Parcel ${explorer.parcel.apn}`).first().waitFor();
      await sound(visit, `parcel-${colorScheme}`);
      await page.getByLabel('Topic').selectOption('hazards');
      await page.locator('.record').first().waitFor();
      await page.getByLabel('Topic').selectOption('everything');
      await expect.poll(() => page.locator('.record').count(), { timeout: 30_000 }).toBeGreaterThan(500);
      await sound(visit, `parcel-everything-${colorScheme}`);
    },
    120_000,
  );

  it.each(['/', '/search', '/parcel', '/ask', '/console'])(
    '%s on a phone',
    async path => {
      await using visit = await explorer.visit(path === '/search' ? '/search#n=10' : `${path}#${place}`, PHONE);
      const { page } = visit;
      await page.waitForLoadState('networkidle');
      await page.locator('h1').first().waitFor();
      await sound(visit, `phone-${path.slice(1) || 'place'}`);
      // Nothing is wider than the screen.
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    },
    60_000,
  );

  it('the field dictionary is read on a phone without moving its tables', async () => {
    await using visit = await explorer.visit('/docs/fields', PHONE);
    const { page } = visit;
    await page.locator('table').first().waitFor();
    const cut = await page.evaluate(
      "[...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth).length",
    );
    expect(cut).toBe(0);
    await picture(page, 'phone-field-dictionary');
    expect(visit.wrong).toEqual([]);
  }, 60_000);

  it('a dry place whose parcel floods in part is judged alike on every page, which say from where they measure', async () => {
    const ask = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${explorer.token}`, 'content-type': 'application/json' };
      const answer = await fetch(explorer.address + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as Record<string, unknown>;
    };
    const filters = [
      { field: 'state', op: 'eq', value: 'ME' },
      { field: 'fema_flood_zone', op: 'eq', value: 'X' },
      { field: 'nearest_sfha_distance_m', op: 'between', value: [40, 150] },
    ];
    const { matches } = (await ask('/v1/search', { filters, limit: 50 })) as {
      readonly matches: readonly { readonly analysis_point: { readonly lat: number; readonly lng: number } }[];
    };
    const share = async ({ lat, lng }: { readonly lat: number; readonly lng: number }) => {
      const { fields } = await ask('/v1/enrich', { lat, lng, fields: ['parcel_flood_sfha_fraction'] });
      return (fields as Record<string, { readonly value: number }>).parcel_flood_sfha_fraction!.value;
    };
    let part: { readonly lat: number; readonly lng: number } | undefined;
    for (const { analysis_point: point } of matches)
      if (part === undefined && (await share(point)) > 0.01) part = point;
    const at = `at=${part!.lat.toFixed(6)},${part!.lng.toFixed(6)}`;
    for (const [path, from] of [
      [`/#${at}`, 'the marked point'],
      [`/parcel#${at}`, 'the middle of the parcel'],
      [`/ask#${at}&q=${encodeURIComponent('Is it in a flood zone?')}`, 'the marked point'],
    ] as const) {
      await using visit = await explorer.visit(path);
      const verdict = visit.page.getByRole('region', { name: 'Verdict' });
      await verdict.getByText('In part', { exact: true }).waitFor();
      await verdict
        .getByText(/outside the special flood hazard areas, but [\d.]+ % of its parcel is inside one\./)
        .waitFor();
      if (!path.startsWith('/ask')) await verdict.getByText(new RegExp(`^\\d+ ft to .*, from ${from}$`)).waitFor();
      await picture(visit.page, `in-part${path.split('#')[0]!.replace('/', '-')}`);
      expect(visit.wrong).toEqual([]);
    }
  }, 120_000);

  it('says so where the server is gone', async () => {
    await using visit = await explorer.visit(`/#${place}`);
    const { page } = visit;
    await page.locator('#record-fema_flood_zone').waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Topic').selectOption('terrain');
    // The map says so too where it was not yet read.
    await page.getByText('The server was not reached. Is it running', { exact: false }).first().waitFor();
    await picture(page, 'unreachable');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('region', { name: 'Terrain' }).waitFor();
  }, 60_000);
});

describe('the explorer without an account', { tags: ['Chromium'] }, () => {
  it('shows the place and the parcel of a shared link where guests are let in, and asks for a token for the rest', async () => {
    await using explorer = await openExplorer({ PLAT_GUESTS: 'on' });
    const place = placeOf(explorer);
    await using visit = await explorer.visit(`/#${place}`, { connected: false });
    const { page } = visit;
    await page.locator('#record-fema_flood_zone').waitFor();
    await page.getByRole('region', { name: 'Verdict' }).getByText('special flood hazard area?').waitFor();
    await page.getByText(`Parcel ${explorer.parcel.apn}`).waitFor();
    expect(await page.getByText('Answers need a token').count()).toBe(0);
    await picture(page, 'guest-place');
    expect(await visit.violations()).toEqual([]);
    const box = page.getByLabel('Address or latitude, longitude');
    await box.fill('Main St');
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByText('Which one is meant?').waitFor();
    await page
      .getByRole('region', { name: 'Places of this address' })
      .getByRole('button', { name: /^MAIN ST/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'Verdict' }).waitFor();
    await page.goto(`${explorer.address}/parcel#${place}`);
    await page.getByText(explorer.parcel.apn).first().waitFor();
    await page.goto(`${explorer.address}/ask#${place}&q=Does%20it%20flood%20here%3F`);
    await page.getByText('This needs a token of your own').waitFor();
    // What a guest may not ask for, and an address of several places, are errors of the console by themselves.
    expect(visit.wrong.filter(line => !/40[14]/.test(line))).toEqual([]);
  }, 120_000);
});
