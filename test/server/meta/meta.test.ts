import { describe, expect, it } from 'vitest';
import { noneMatch } from '../../../server/http/etag.ts';
import { OPERATIONS } from '../../../server/operations/registry.ts';
import { openFixture } from '../service-fixture.ts';

describe('GET /v1/meta/fields', () => {
  it('describes every field with price, presets and what is installed', async () => {
    await using fixture = await openFixture();
    fixture.engine.lacks = { parcel_apn: 'dataset parcel_store is not installed in this release' };
    const reply = await fixture.app.inject('/v1/meta/fields');
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.headers['cache-control']).toBe('public, max-age=3600');
    const body = reply.json();
    expect(body).toMatchObject({ release: 'r1', count: 63 });
    expect(body.fields).toHaveLength(63);
    expect(body.layers.map((layer: { name: string }) => layer.name)).toEqual([
      'terrain',
      'land_cover',
      'built_environment',
      'utilities',
      'parcels',
      'climate',
      'hazards',
    ]);
    expect(body.presets).toHaveLength(15);
    expect(body.presets[0]).toEqual({ name: 'terrain', fields: ['slope_degrees', 'elevation'] });
    const byName = Object.fromEntries(body.fields.map((field: { name: string }) => [field.name, field]));
    expect(byName.elevation).toEqual({
      name: 'elevation',
      layer: 'terrain',
      type: 'number',
      unit: 'm',
      precision: 0.1,
      title: 'A field',
      description: 'A field of the test catalog.',
      hint: 'Higher is higher.',
      terms: [],
      dataset: 'test_dem',
      datasets: ['test_dem'],
      publisher: 'Test Survey',
      licence: 'public domain',
      source_url: 'https://example.org/dem',
      source: null,
      vintage: null,
      installed: true,
      why_not: null,
      parcel_share: null,
      in_release: [],
      operator: 'raster_sample(test_dem, 1)',
      ttl_seconds: 3600,
      presets: ['terrain', 'flood_risk'],
      enrich_presets: ['terrain'],
      surfaces: ['fetch', 'enrich', 'filter', 'output'],
      filter_operators: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'between'],
      enum_values: null,
      verdict: null,
      billing: {
        group: 'default',
        credits: { free: 1, build: 1, growth: 1, scale: 1, market: 1 },
        charged: 'per field and location',
      },
    });
    expect(byName.parcel_apn).toMatchObject({
      datasets: ['parcel_store'],
      vintage: null,
      installed: false,
      why_not: 'dataset parcel_store is not installed in this release',
      parcel_share: 0,
      filter_operators: ['eq', 'ne', 'in'],
      billing: { group: 'parcel_record', credits: { free: 300, build: 300, growth: 300, scale: 150, market: 150 } },
    });
    expect(body.price_list.groups.parcel_record.fields).toEqual(['parcel_apn']);
  });

  it('answers 304 without a body when the tag is current', async () => {
    await using fixture = await openFixture();
    const etag = (await fixture.app.inject('/v1/meta/fields')).headers.etag as string;
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, `"a,b",W/${etag} , "c"`, '*', ' * ']) {
      const reply = await fixture.app.inject({ url: '/v1/meta/fields', headers: { 'if-none-match': value } });
      expect(reply.statusCode, value).toBe(304);
      expect(reply.body).toBe('');
      expect(reply.headers.etag).toBe(etag);
      expect(reply.headers['cache-control']).toBe('public, max-age=3600');
    }
    for (const value of ['"other"', etag.slice(1, -1), '', 'W/"x"']) {
      const reply = await fixture.app.inject({ url: '/v1/meta/fields', headers: { 'if-none-match': value } });
      expect(reply.statusCode, value).toBe(200);
    }
  });

  it('gives HEAD the headers of GET: a 304 has no length but that of the content', async () => {
    await using fixture = await openFixture();
    const ask = (method: 'GET' | 'HEAD', tag: string) =>
      fixture.app.inject({ method, url: '/v1/meta/fields', headers: { 'if-none-match': tag, 'x-request-id': 'mine' } });
    for (const tag of ['*', '"other"']) {
      const [get, head] = await Promise.all([ask('GET', tag), ask('HEAD', tag)]);
      expect(head.statusCode).toBe(tag === '*' ? 304 : 200);
      expect(head.body).toBe('');
      const { date: _, ...headers } = head.headers;
      expect(get.headers).toMatchObject(headers);
      expect(headers['content-length']).toBe(get.headers['content-length']);
    }
    expect((await ask('HEAD', '*')).headers).not.toHaveProperty('content-length');
  });

  it('changes its tag with the release', async () => {
    await using fixture = await openFixture();
    const before = await fixture.app.inject('/v1/meta/fields');
    fixture.engine.current = { ...fixture.engine.current, release: 'r2', datasets: {} };
    fixture.engine.lacks = { elevation: 'nothing is installed', slope_degrees: 'nothing is installed' };
    const after = await fixture.app.inject('/v1/meta/fields');
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(after.json().fields[0]).toMatchObject({ vintage: null, installed: false });
  });
});

it('If-None-Match compares weakly over lists whose tags may hold commas', () => {
  expect(noneMatch('"a,b"', '"a,b"')).toBe(true);
  expect(noneMatch('"a", "b"', '"a, b"')).toBe(false);
  expect(noneMatch(undefined, '"a"')).toBe(false);
});

it('GET /v1/meta/plans gives allowances and prices without a token', async () => {
  await using fixture = await openFixture();
  const body = (await fixture.app.inject('/v1/meta/plans')).json();
  expect(body.plans).toEqual(
    [
      ['free', 1_000, 60, 300],
      ['build', 25_000, 120, 300],
      ['growth', 150_000, 300, 300],
      ['scale', 1_000_000, 600, 150],
      ['market', 5_000_000, 1_200, 150],
    ].map(([plan, credits_included, requests_per_minute, parcel_record_credits]) => ({
      plan,
      credits_included,
      requests_per_minute,
      parcel_record_credits,
    })),
  );
  const price = Object.fromEntries(
    body.prices.map((entry: { endpoint: string; credits: number }) => [entry.endpoint, entry.credits]),
  );
  expect(price).toMatchObject({
    'POST /v1/geocode': 1,
    'POST /v1/lookup': 2,
    'POST /v1/ask': 20,
    'POST /v1/ask-site': 10,
    'POST /v1/sites': 10,
    'POST /v1/search': 0,
    ...Object.fromEntries(OPERATIONS.map(({ route, price: { credits } }) => [route, credits])),
  });
});

it('GET /readyz is degraded, and still 200, when something of the release cannot be used', async () => {
  await using fixture = await openFixture();
  const damage = [
    { file: 'features file 012345', layers: ['test_dem:main', 'other:main'], problem: 'it is missing' },
    { file: 'rows file 543210', layers: ['test_dem:main'], problem: 'it is missing' },
  ];
  fixture.engine.current = { ...fixture.engine.current, damage };
  const reply = await fixture.app.inject('/readyz');
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toMatchObject({ status: 'degraded', damaged: ['other:main', 'test_dem:main'], damage });
});

it('GET /healthz runs, GET /readyz reports release, datasets and workers', async () => {
  await using fixture = await openFixture();
  const { waiting: _, ...ready } = fixture.engine.current;
  expect((await fixture.app.inject('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await fixture.app.inject('/readyz')).json()).toEqual({
    status: 'ready',
    ...ready,
    damaged: [],
  });
  for (const change of [{ release: null }, { workers: { size: 2, ready: 1 } }]) {
    const ready = fixture.engine.current;
    fixture.engine.current = { ...ready, ...change };
    const reply = await fixture.app.inject('/readyz');
    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('2');
    expect(reply.json().detail).toMatchObject({ error: 'not_ready', retryable: true, ...change });
    fixture.engine.current = ready;
  }
});
