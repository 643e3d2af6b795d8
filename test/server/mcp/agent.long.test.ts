import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../../server/provider/password.ts';
import { openState } from '../../../server/state/open.ts';
import { plat, type Served, serve } from '../../contract/plat.ts';
import { freePort } from '../../free-port.ts';
import type { Called, McpClient } from './mcp-clients.ts';
import { LOGINS } from './oauth-clients.ts';

const CHROMIUM = '/usr/bin/chromium';
const there = existsSync(CHROMIUM);
if (!there) console.warn('skipped: no Chromium here; on Debian `apt-get install chromium`');
const EMAIL = 'ann@example.org';
const PASSWORD = 'correct horse battery';
const home = mkdtempSync(join(tmpdir(), 'plat-agent-'));
const sources = mkdtempSync(join(tmpdir(), 'plat-agent-sources-'));

describe('agents with a browser, against a server of its own', { tags: ['Chromium'] }, () => {
  let served: Served;
  let browser: Browser;
  let callback: Server;
  let redirectUrl: string;
  let arrive: (told: URLSearchParams) => void = () => {};

  beforeAll(async () => {
    plat(home, 'world', 'generate', '--parcels', '300', '--seed', '7', '--out', sources);
    const place = ['--sources', sources, '--place', 'synthetic', '--accept', 'synthetic'];
    expect(plat(home, 'ingest', 'run', ...place, '--json').status).toBe(0);
    const state = await openState(home, '');
    const user = await state.users.open(EMAIL, null);
    await state.users.setPassword(user.id, await hashPassword(PASSWORD));
    await state.users.verify(user.id, Date.now());
    await state.close();
    const port = String(await freePort());
    served = await serve(home, { PORT: port, PLAT_PUBLIC_URL: `http://127.0.0.1:${port}` });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    callback = createServer((request, response) => {
      response.end('You may close this page.');
      arrive(new URL(request.url!, 'http://127.0.0.1').searchParams);
    }).listen(0, '127.0.0.1');
    await once(callback, 'listening');
    redirectUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  }, 900_000);
  afterAll(async () => {
    await browser?.close();
    callback?.close();
    served?.child.kill('SIGTERM');
    await served?.ended;
    for (const folder of [home, sources]) rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  /** A user with a browser that knows nobody. */
  const visit = async (url: URL): Promise<URLSearchParams> => {
    const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
    arrive = resolve;
    const context = await browser.newContext();
    const page = await context.newPage();
    const blocked: string[] = [];
    page.on('console', message => {
      if (message.type() === 'error') blocked.push(message.text());
    });
    await page.goto(url.href);
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    const told = await promise;
    // A page's own policy must let through what it leads to.
    expect(blocked.filter(text => /Content Security Policy/.test(text))).toEqual([]);
    await context.close();
    return told;
  };

  const logIn = async (generation: string): Promise<McpClient> =>
    LOGINS[generation]!(new URL('/mcp', served.address), { redirectUrl, visit, fetch });

  it.each(Object.keys(LOGINS))(
    '%s comes from a 401 to its tools',
    async generation => {
      const client = await logIn(generation);
      expect((await client.tools()).length).toBeGreaterThan(11);
      await client.close();
    },
    120_000,
  );

  it('answers which parcels over 2 acres in a town are outside the flood zone and near a substation, with four calls', async () => {
    const client = await logIn('the SDK of 2026');
    const town = await client.call('service_search', {
      filters: [{ field: 'state', op: 'in', value: ['ME', 'NH'] }],
      limit: 100,
    });
    const { state, city } = town.structuredContent.matches.find((match: { city: string | null }) => match.city);

    const calls: string[] = [];
    const call = async (name: string, req: object): Promise<Called['structuredContent']> => {
      calls.push(name);
      const called = await client.call(name, req);
      expect(called.isError ?? false, called.content[0]?.text).toBe(false);
      return called.structuredContent;
    };
    // The agent knows the question, and the tools by what they say of themselves.
    const found = await call('service_catalog', {
      query: 'flood zone at the point; distance to the nearest substation; acres',
      surface: 'filter',
    });
    const names: string[] = found.fields.map(({ name }: { name: string }) => name);
    const named = (pattern: RegExp) => names.find(name => pattern.test(name))!;
    const zone = named(/^fema_flood_zone$/);
    const distance = named(/substation.*distance/);
    const filters = [
      { field: 'state', op: 'eq', value: state },
      { field: 'city', op: 'eq', value: city },
      { field: 'acreage', op: 'gt', value: 2 },
      { field: zone, op: 'eq', value: 'X' },
      { field: distance, op: 'lte', value: 10_000 },
    ];
    const page = await call('service_search', { filters, fields: [zone, distance], limit: 25 });
    expect(page.matches.length).toBeGreaterThan(0);
    const points = page.matches
      .slice(0, 3)
      .map(({ analysis_point: { lat, lng } }: { analysis_point: { lat: number; lng: number } }) => ({ lat, lng }));
    const quote = await call('service_quote', { fields: [zone, distance], locations: points.length });
    expect(quote.allowance.would_be_blocked).toBe(false);
    const cited = await call('service_fetch_batch', { locations: points, fields: [zone, distance] });
    expect(calls).toHaveLength(4);

    for (const match of page.matches) {
      expect(match.acreage).toBeGreaterThan(2);
      expect(match.city.toLowerCase()).toBe(city.toLowerCase());
    }
    for (const { ok, fields } of cited.results) {
      expect([ok, fields[zone].value]).toEqual([true, 'X']);
      expect(fields[distance].value).toBeLessThanOrEqual(10_000);
      expect(fields[zone].source).toMatch(/^synthetic:/);
    }
    await client.close();
  }, 120_000);
});
