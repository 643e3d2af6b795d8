import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLANS } from '../../../server/plans.ts';
import { type Explorer, openExplorer, SOMEBODY } from '../explorer.ts';
import { PICTURES, picture, sound } from '../flow.ts';

describe('flows of the console', { tags: ['Chromium'] }, () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer();
  }, 300_000);
  afterAll(() => explorer?.[Symbol.asyncDispose](), 60_000);

  it('the console: sign in, make, reveal and revoke a token, a limit, a run with its files', async () => {
    await using visit = await explorer.visit('/console', { connected: false });
    const { page } = visit;
    await sound(visit, 'console-signed-out');
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(SOMEBODY.email);
    await page.getByLabel('Password').fill(SOMEBODY.password);
    await picture(page, 'sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: /Usage in/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console');
    // The panel scrolls, and the page about it does not.
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);

    await page.getByLabel('What it is for').fill('laptop');
    await page.getByRole('button', { name: 'Create a token' }).click();
    const shown = page.locator('.revealed code');
    await shown.waitFor();
    const token = await shown.innerText();
    expect(token.split('.')).toHaveLength(3);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Reveal laptop' }).click();
    expect(await shown.innerText()).toBe(token);

    await page.getByLabel('Places, one a line').fill(`${explorer.parcel.lat}, ${explorer.parcel.lng}\n43.0, -70.7`);
    await page.getByLabel('Topic').selectOption('terrain');
    await page.getByRole('button', { name: 'Start a run' }).click();
    await page.getByText(/Done · 2 of 2/).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^CSV of \d+ places?,/ }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^run_.*\.csv$/);
    await page
      .getByLabel('A data point that the catalog lacks')
      .fill('The number of nesting boxes for owls on the parcel');
    await page.getByLabel('Where, for example').fill(`${explorer.parcel.lat}, ${explorer.parcel.lng}`);
    await page.getByRole('button', { name: 'Ask for it' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /Queued|Rejected|Matched|Awaiting confirm/ })
      .first()
      .waitFor();
    await page.getByLabel('Credits a month').fill('500');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('500 credits a month').waitFor();
    if (PICTURES) await page.screenshot({ path: join(PICTURES, 'console.png'), fullPage: true });
    await page.setViewportSize({ width: 1280, height: 2200 });
    await sound(visit, 'console-whole');

    await page.getByRole('button', { name: 'Revoke laptop' }).click();
    await page.getByRole('button', { name: 'Revoke for good' }).click();
    await page.getByRole('cell', { name: 'revoked' }).waitFor();
    const refused = await fetch(`${explorer.address}/v1/users/me/usage`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(refused.status).toBe(401);
  }, 120_000);

  it('the console lists the runs and field requests of the account, wherever they were begun', async () => {
    const { lat, lng } = explorer.parcel;
    const begin = async (path: string, body: object) => {
      const reply = await fetch(explorer.address + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${explorer.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(reply.status).toBe(202);
      return (await reply.json()) as { readonly run_id: string };
    };
    const run = { kind: 'fetch_batch', request: { locations: [{ lat, lng }], preset: 'terrain' } };
    const first = await begin('/v1/runs', run);
    for (let i = 0; i < 20; i++) await begin('/v1/runs', run);
    const asked = { description: 'The age of the sewer main', example_locations: [{ lat, lng }] };
    await begin('/v1/field-requests', asked);
    await using visit = await explorer.visit('/console');
    const { page } = visit;
    const runs = page.getByRole('list', { name: 'Runs' }).getByRole('listitem');
    await page.getByRole('heading', { name: 'Runs' }).scrollIntoViewIfNeeded();
    await expect.poll(() => runs.count(), { timeout: 20_000 }).toBe(20);
    await page.getByRole('heading', { name: 'Field requests' }).scrollIntoViewIfNeeded();
    await page.getByRole('list', { name: 'Field requests' }).getByText(asked.description).first().waitFor();
    await page.getByRole('button', { name: 'Older runs' }).click();
    await runs.filter({ hasText: first.run_id }).waitFor();
    await expect.poll(() => runs.filter({ hasText: 'Done · 1 of 1' }).count(), { timeout: 30_000 }).toBe(21);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      runs
        .filter({ hasText: first.run_id })
        .getByRole('button', { name: /^GeoJSON of 1 place/ })
        .click(),
    ]);
    const { features } = JSON.parse(readFileSync(await file.path(), 'utf8'));
    expect(features[0].geometry.coordinates).toEqual([lng, lat]);
    // What is begun while the page is open comes by itself, with the look of every twenty seconds.
    const late = await begin('/v1/runs', run);
    await runs.filter({ hasText: late.run_id }).waitFor({ timeout: 45_000 });
    await sound(visit, 'console-lists');
  }, 120_000);

  it('twenty loads of the console and a minute on it are within the requests of plan free', async () => {
    await using visit = await explorer.visit('/console');
    const { page, wrong } = visit;
    const counted: string[] = [];
    page.on('request', request => {
      if (request.headers().authorization) counted.push(new URL(request.url()).pathname);
    });
    for (let load = 0; load < 20; load++) {
      await page.reload();
      await page.getByRole('heading', { name: /Usage in/ }).waitFor();
      await page.waitForLoadState('networkidle');
    }
    const loaded = counted.length;
    await page.getByRole('heading', { name: 'Field requests' }).scrollIntoViewIfNeeded();
    await page.waitForTimeout(60_000);
    expect(new Set(counted.slice(loaded))).toContain('/v1/field-requests');
    expect(counted.length, counted.join(' ')).toBeLessThanOrEqual(PLANS.free.requestsPerMinute);
    expect(wrong).toEqual([]);
  }, 240_000);
});
