import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { LOOK_MS } from '../../query/release/verified-file.ts';
import { type Service, startServer } from '../../server/service.ts';
import { folder } from '../pipelines/world/truth.ts';
import { syntheticHome } from '../synthetic-home.ts';

// The local geocoder itself, over HTTP, on the synthetic area; what the service does with answers of any geocoder is in
// geocode.test.ts and lookup.test.ts.

interface Parcel {
  readonly apn: string;
  /** House number and street. */
  readonly line: string;
  readonly city: string;
  readonly state: string;
  readonly point: { readonly lat: number; readonly lng: number };
}

const home = folder();
let service: Service;
let token: string;
let parcels: readonly Parcel[];

async function post(path: string, body: unknown) {
  const response = await fetch(service.address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what a body is, is what these tests find out
  return { status: response.status, json: (await response.json()) as any };
}
const geocode = (address: string) => post('/v1/geocode', { address });
const look = (input: string, more: object = {}) => post('/v1/lookup', { input, ...more });
const full = ({ line, city, state }: Parcel) => `${line}, ${city}, ${state}`;

beforeAll(async () => {
  const shared = await syntheticHome();
  cpSync(shared.home, home, { recursive: true });
  const environment = { PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'silent' };
  service = await startServer(readSettings(environment), catalog);
  token = await service.tokens.issue(await service.state.openAccount('someone@example.org', 'market'));
  const found = await post('/v1/search', {
    filters: [{ field: 'state', op: 'in', value: ['ME', 'NH'] }],
    fields: ['geometry'],
    limit: 100,
  });
  parcels = found.json.matches
    .filter((match: { address: string | null }) => match.address !== null)
    .map((match: Record<string, unknown>) => ({
      apn: match.apn,
      line: match.address,
      city: match.city,
      state: match.state,
      point: match.analysis_point,
    }));
});
afterAll(async () => {
  await service?.drain(1_000);
  rmSync(home, { recursive: true, force: true });
});

describe('an address that misses', () => {
  it('gets the nearest known numbers of its street, from every endpoint', async () => {
    let told = 0;
    for (const { line, city, state } of parcels.filter(({ line }) => /^\d+ [A-Z]/i.test(line)).slice(0, 12)) {
      const [, street] = /^\d+ (.*)$/.exec(line)!;
      const address = `98765 ${street}, ${city}, ${state}`;
      const { status, json } = await geocode(address);
      expect({ status, error: json.detail.error }).toEqual({ status: 404, error: 'address_not_found' });
      const [, numbers] =
        /its number is not known on .*?; (?:only )?(.*?) (?:is|are the nearest that are)\.$/.exec(
          json.detail.message,
        ) ?? [];
      if (numbers === undefined) continue;
      told++;
      const each = numbers.split(/, | and /);
      expect(each.length).toBeLessThanOrEqual(3);
      // A number that is told is found.
      expect((await geocode(`${each[0]} ${street}, ${city}, ${state}`)).status).toBe(200);
      const looked = (await look(address)).json;
      expect(looked).toMatchObject({ disposition: 'no_match', reason: 'unaddressed_or_no_match' });
      expect(looked.hint).toContain(numbers);
      const fetched = await post('/v1/fetch', { address, fields: ['county_fips'] });
      expect(fetched.json.detail.message).toBe(json.detail.message);
    }
    expect(told).toBeGreaterThan(3);
  });

  it('gets the cities that are covered where its own is not', async () => {
    const { json } = await geocode('12 Nowhere Ln, Elseville, OH');
    expect(json.detail.error).toBe('address_not_found');
    const cities = /addresses are known in (.*)\.$/.exec(json.detail.message)![1]!.split(/, | and /);
    const known = new Set(parcels.map(({ city }) => city?.toUpperCase()));
    expect(cities.filter(city => known.has(city)).length).toBeGreaterThan(0);
    expect(cities.length).toBeLessThanOrEqual(6);
  });
});

describe('the addresses of the area', () => {
  it('are found in their parcels, in whatever way they are written, and never in others', async () => {
    let found = 0;
    // Numbered roads have many spellings, of which one is the normal one.
    for (const parcel of parcels.filter(({ line }) => !/\b(?:US|ROUTE|RTE|HWY|HIGHWAY|SR)\b/.test(line)).slice(0, 40)) {
      const writings = [full(parcel), full(parcel).toLowerCase().replaceAll(',', '')];
      for (const address of writings) {
        const { status, json } = await geocode(address);
        if (status !== 200) {
          expect(json.detail.error).toBe('address_not_found');
          continue;
        }
        found++;
        // The unit of an apartment that only the roll has is not part of it.
        const line = parcel.line.toUpperCase().replace(json.accuracy_type === 'point' ? / UNIT .*/ : '', '');
        expect(json.normalized_address.startsWith(`${line},`), json.normalized_address).toBe(true);
        expect(json.accuracy).toBeGreaterThanOrEqual(0.8);
        expect(json).toMatchObject({ provider: 'other', source: expect.stringMatching(/^synthetic:/) });
        expect(json.parcel_grade).toBe(['rooftop', 'nearest_rooftop_match'].includes(json.accuracy_type));
        expect(typeof json.precision_note).toBe(json.parcel_grade ? 'undefined' : 'string');
      }
    }
    expect(found).toBeGreaterThan(60);
  });

  it('have the parcel that carries them, where they are rooftops', async () => {
    let matched = 0;
    for (const parcel of parcels.slice(0, 25)) {
      const { json } = await look(full(parcel));
      if (json.disposition !== 'resolved' || json.match_method !== 'rooftop') continue;
      expect(json.parcel_unavailable).toBe(false);
      if (!json.parcel) continue;
      matched++;
      expect(json.parcel.address).toBe(parcel.line);
      expect(json.parcel.geometry.type).toMatch(/Polygon$/);
      expect(json.parcel.geometry_wkt).toMatch(/^(?:MULTI)?POLYGON \(/);
    }
    expect(matched).toBeGreaterThan(8);
  });

  it('name what a fetch at their coordinate names', async () => {
    const { json } = await look(full(parcels[0]!));
    expect(json.disposition).toBe('resolved');
    const { lat, lng } = json;
    const names = {
      county_fips: 'county_fips',
      county_name: 'county',
      tract_geoid: 'tract_geoid',
      block_geoid: 'block_geoid',
      elevation: 'elevation_m',
      fema_flood_zone: 'fema_flood_zone',
      within_floodplain_polygon: 'within_floodplain',
      timezone: 'timezone',
      county_population: 'population',
      county_median_household_income_usd: 'median_household_income_usd',
    };
    const { fields } = (await post('/v1/fetch', { lat, lng, fields: Object.keys(names) })).json;
    const flat = { ...json, ...json.county_market };
    for (const [field, key] of Object.entries(names)) expect(flat[key], key).toEqual(fields[field].value);
    expect(json.state).toBe(parcels[0]!.state);
    expect(flat.population).toBeGreaterThan(0);
    expect(flat.timezone).toMatch(/^America\//);
  });

  it('are what fetch, batch and enrich answer about', async () => {
    const rooftop = parcels.map(full);
    const batch = await post('/v1/fetch/batch', {
      locations: rooftop.slice(0, 20).map(address => ({ address })),
      fields: ['parcel_address', 'county_fips'],
    });
    expect(batch.status).toBe(200);
    // biome-ignore lint/suspicious/noExplicitAny: entries of both kinds
    const answered = batch.json.results.filter((entry: any) => entry.ok && entry.geocode.parcel_grade);
    expect(answered.length).toBeGreaterThan(5);
    for (const { index, geocode: block, fields, resolved_location, lat, lng } of answered) {
      expect(resolved_location).toEqual({ lat, lng, source: 'address' });
      expect([block.lat, block.lng]).toEqual([lat, lng]);
      if (fields.parcel_address.status === 'ok') expect(fields.parcel_address.value).toBe(parcels[index]!.line);
    }
    const [{ index }] = answered;
    const enriched = await post('/v1/enrich', { address: rooftop[index], fields: ['apn'] });
    expect(enriched.status).toBe(200);
    expect(enriched.json).toMatchObject({
      geocode: { parcel_grade: true },
      resolved_location: { source: 'address' },
      parcel_match: { status: 'matched', parcel: { apn: parcels[index]!.apn } },
    });
  });

  it('without a city are asked back about, or named alone', async () => {
    const { json } = await look(parcels[0]!.line);
    expect(['clarify', 'no_match']).toContain(json.disposition);
    expect((await geocode(parcels[0]!.line)).json.detail.error).toBe('address_not_found');
    if (json.disposition === 'clarify') expect(json.candidates.length).toBeLessThanOrEqual(3);
  });

  it('in another state or city are none', async () => {
    const { line, city } = parcels[0]!;
    for (const address of [`${line}, ${city}, CA`, `${line}, Sacramento, CA 95814`, `${line}, Paris, France`]) {
      expect((await geocode(address)).json.detail).toMatchObject({ error: 'address_not_found' });
      expect((await look(address)).json).toMatchObject({ disposition: 'no_match', reason: 'unaddressed_or_no_match' });
    }
  });

  it('with a number that does not exist are no rooftops', async () => {
    for (const { line, city, state } of parcels.slice(0, 10)) {
      const { status, json } = await geocode(`${line.replace(/^\d+/, '99999')}, ${city}, ${state}`);
      if (status === 200) expect(json.parcel_grade).toBe(false);
      else expect(['address_not_found', 'address_too_coarse']).toContain(json.detail.error);
    }
  });

  it('that are only a town are too coarse', async () => {
    const { city, state } = parcels[0]!;
    expect((await geocode(`${city}, ${state}`)).json.detail.error).toBe('address_too_coarse');
    expect((await look(`${city}, ${state}`)).json).toMatchObject({ reason: 'address_too_coarse' });
  });
});

describe('whatever is sent', () => {
  const refused = new Set(['address_not_found', 'address_too_coarse', 'address_form_unsupported']);
  const BAD = [
    '🏠',
    '0123456789',
    '04401',
    "1'; DROP TABLE geocodes; --",
    '" OR 1=1',
    'Dear sir or madam, the house that I mean stands behind the old mill by the river. '.repeat(3),
    'x'.repeat(256),
    '1 '.repeat(128),
    ',,,,,',
    '\u0000',
    '../../etc/passwd',
    '%00%0a',
    'ＭＡＩＮ ＳＴ',
    'PO Box 12, Synthetic Harbor, ME',
    'St St St St St',
    '& & & and & at',
  ];

  it.each(BAD)('%j is answered with a code of the interface', async address => {
    const { status, json } = await geocode(address);
    expect([404, 422]).toContain(status);
    expect(refused.has(json.detail.error), json.detail.error).toBe(true);
    const fetched = await post('/v1/fetch', { address, fields: ['elevation'] });
    expect(fetched.json.detail.error).toBe(json.detail.error);
    const looked = await look(address);
    expect([200, 422]).toContain(looked.status);
    if (looked.status === 200) expect(looked.json.disposition).toMatch(/^(?:no_match|clarify)$/);
  });

  it('any text is answered, never with a fault', () => {
    const words = [
      '12',
      '102',
      'N',
      'MAIN',
      'ST',
      'LEDGE',
      'Synthetic',
      'Harbor',
      'ME',
      '04991',
      'APT',
      '#',
      '&',
      ',',
      '-',
      '1/2',
      'RR',
      'Ñ',
    ];
    const text = fc.oneof(
      fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }),
      fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }).map(list => list.join(' ')),
    );
    return fc.assert(
      fc.asyncProperty(text, async input => {
        const { status, json } = await geocode(input);
        expect([200, 404, 422], input).toContain(status);
        if (status === 200) expect(json.accuracy).toBeGreaterThanOrEqual(0.8);
        const looked = await look(input, { include_parcel: false });
        expect([200, 422], input).toContain(looked.status);
      }),
      { seed: 20261121, numRuns: 150 },
    );
  });
});

it('a damaged address index is an upstream error at no charge, until it is whole again', async () => {
  const files = readdirSync(join(home, 'releases/files'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.adr'))
    .map(name => join(home, 'releases/files', name));
  expect(files.length).toBeGreaterThan(4);
  const flip = () => {
    for (const path of files) {
      chmodSync(path, 0o644);
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1]! ^= 0xff;
      writeFileSync(path, bytes);
    }
  };
  const used = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${service.address}/v1/users/me/usage`, { headers });
    return ((await response.json()) as { credits_used: number }).credits_used;
  };
  const address = full(parcels.at(-1)!);
  const before = await geocode(address);
  await service.state.geocodes.prune(Number.MAX_SAFE_INTEGER);
  const credits = await used();
  flip();
  // Until then the index in memory answers, which is sound.
  await new Promise(resolve => setTimeout(resolve, LOOK_MS + 1));
  const broken = await geocode(address);
  expect([broken.status, broken.json.detail?.error]).toEqual([502, 'geocode_upstream_error']);
  expect(broken.json.detail.message).not.toContain(home);
  expect((await look(address)).json.detail.error).toBe('geocode_upstream_error');
  expect((await post('/v1/fetch', { address, fields: ['elevation'] })).json.detail.error).toBe(
    'geocode_upstream_error',
  );
  const { lat, lng } = parcels[0]!.point;
  expect((await look(`${lat},${lng}`, { include_parcel: false })).json.disposition).toBe('resolved');
  expect((await used()) - credits).toBe(2);
  flip();
  for (let i = 0; i < 100 && (await geocode(address)).status !== before.status; i++)
    await new Promise(resolve => setTimeout(resolve, 100));
  expect(await geocode(address)).toEqual(before);
});
