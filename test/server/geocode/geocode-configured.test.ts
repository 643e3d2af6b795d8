import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { startServer } from '../../../server/service.ts';
import { json, type Provider, startProvider } from './geocode-provider.ts';

let home: string;
let provider: Provider;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'plat-geocoder-'));
  provider = await startProvider();
  const location = { lat: 44.8017, lng: -68.7714 };
  const where = { formatted_address: '73 Harlow St, Bangor, ME 04401', address_components: { state: 'ME' } };
  provider.answer = json({ results: [{ location, accuracy: 1, accuracy_type: 'rooftop', ...where }] });
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  rmSync(home, { recursive: true });
});

/** What a server with these settings answers to an address. */
async function answer(settings: Record<string, string>) {
  const service = await startServer(
    readSettings({ PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1', PLAT_LOG: 'silent', ...settings }),
    catalog,
  );
  try {
    const token = await service.tokens.issue(await service.state.openAccount(`${Math.random()}@example.org`, 'free'));
    const response = await fetch(`${service.address}/v1/geocode`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ address: '73 Harlow St, Bangor' }),
    });
    return { status: response.status, json: await response.json() };
  } finally {
    await service.drain(1_000);
  }
}

const HTTP = () => ({ PLAT_GEOCODER: 'http', PLAT_GEOCODE_URL: provider.url, PLAT_GEOCODE_KEY: 'k' });

describe('the geocoder that the settings name', () => {
  it('is a provider over HTTP', async () => {
    expect(await answer(HTTP())).toMatchObject({ status: 200, json: { provider: 'commercial', source: null } });
    expect(provider.requests.at(-1)!.url.searchParams.get('api_key')).toBe('k');
  });

  it.each([['PLAT_GEOCODE_KEY'], ['PLAT_GEOCODE_URL']])('without %s is unconfigured, and asks nobody', async name => {
    const asked = provider.requests.length;
    const refused = { status: 503, json: { detail: { error: 'geocode_unconfigured', retryable: false } } };
    expect(await answer({ ...HTTP(), [name]: '' })).toMatchObject(refused);
    expect(provider.requests).toHaveLength(asked);
  });

  it('is by default the local one, which needs a release', async () => {
    expect(await answer({ PLAT_GEOCODE_URL: provider.url, PLAT_GEOCODE_KEY: 'k' })).toMatchObject({
      status: 503,
      json: { detail: { error: 'geocode_unconfigured' } },
    });
  });

  it('keeps to the budget over restarts', async () => {
    const settings = { ...HTTP(), PLAT_GEOCODE_BUDGET: '1' };
    const said: number[] = [];
    for (let i = 0; i < 2; i++) said.push((await answer(settings)).status);
    expect(said).toEqual([200, 503]);
  });
});

describe('its settings', () => {
  it.each([
    ['PLAT_GEOCODER', 'census'],
    ['PLAT_GEOCODE_URL', 'api.example.org/geocode'],
    ['PLAT_GEOCODE_URL', 'file:///etc/passwd'],
    ['PLAT_GEOCODE_URL', 'https://user:password@example.org/'],
    ['PLAT_GEOCODE_FALLBACK_URL', 'off'],
    ['PLAT_GEOCODE_BUDGET', '-1'],
    ['PLAT_GEOCODE_CONCURRENCY', '0'],
  ])('%s=%s is refused', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name}.*expected`));
  });
});
