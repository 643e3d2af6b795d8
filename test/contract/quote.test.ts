import { Ajv } from 'ajv';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PLAN_NAMES, PLANS } from '../../server/plans.ts';
import { type Fixture, openFixture } from '../server/service-fixture.ts';
import { type Client, connect } from './client.ts';

let fixture: Fixture;
let client: Client;
beforeAll(async () => {
  fixture = await openFixture({ cache: false, plan: 'growth' });
  client = await connect(fixture);
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(async () => {
  fixture.engine.calls.length = 0;
  fixture.engine.answers.clear();
  await fixture.state.setPlan(fixture.account.id, 'growth');
  await fixture.state.setMonthlyCreditLimit(fixture.account.id, null);
});

const quote = (body: unknown) => client.post('/v1/fetch/quote', body);
const used = async () => (await client.get('/v1/users/me/usage')).json.credits_used as number;

describe('a quote', () => {
  it('has exactly its keys and adds up', async () => {
    const { status, json } = await quote({ preset: 'terrain', fields: ['parcel_apn', 'elevation'], locations: 10 });
    expect(status).toBe(200);
    const credits_used = await used();
    expect(json).toStrictEqual({
      fields: ['slope_degrees', 'elevation', 'parcel_apn'],
      field_count: 3,
      preset: 'terrain',
      locations: 10,
      plan: 'growth',
      credits_per_location: 302,
      credits_total: 3_020,
      breakdown: {
        per_field: { fields: 2, credits_each: 1, credits: 20 },
        metered_groups: { parcel_record: { fields: 1, credits: 3_000, billed: true } },
      },
      allowance: {
        credits_included: 150_000,
        credits_used,
        credits_remaining: 150_000 - credits_used,
        self_imposed_limit: null,
        effective_limit: 150_000,
        resets_at: '2026-02-01T00:00:00.000Z',
        would_exceed_allowance: false,
        would_be_blocked: false,
        limited_by: 'none',
      },
      notes: expect.any(Array),
    });
    for (const note of json.notes) expect(note).toMatch(/\.$/);
  });

  it('without the parcel group bills no group; one location and no preset unless said', async () => {
    const { json } = await quote({ fields: ['elevation'] });
    expect(json).toMatchObject({
      preset: null,
      locations: 1,
      credits_total: 1,
      breakdown: { metered_groups: { parcel_record: { fields: 0, credits: 0, billed: false } } },
    });
  });

  it.each(PLAN_NAMES)('on plan %s knows its price of the parcel group', async plan => {
    await fixture.state.setPlan(fixture.account.id, plan);
    const { json } = await quote({ fields: ['parcel_apn'], locations: 2 });
    expect(json).toMatchObject({
      plan,
      credits_total: 2 * (plan === 'scale' || plan === 'market' ? 150 : 300),
      allowance: { credits_included: PLANS[plan].creditsPerMonth },
    });
  });

  it('is free and asks the engine nothing', async () => {
    const before = await used();
    await quote({ preset: 'terrain', locations: 25 });
    expect(await used()).toBe(before);
    expect(fixture.engine.calls).toHaveLength(0);
  });

  it.each([
    ['over the plan', 'free', null, 4, { would_exceed_allowance: true, would_be_blocked: true, limited_by: 'plan' }],
    [
      'over its own limit',
      'growth',
      0,
      1,
      { would_exceed_allowance: false, would_be_blocked: true, limited_by: 'self' },
    ],
    ['over both', 'free', 200, 4, { would_exceed_allowance: true, would_be_blocked: true, limited_by: 'self' }],
    [
      'over the plan under a wider limit of its own',
      'free',
      2_000,
      4,
      { would_exceed_allowance: true, would_be_blocked: true, limited_by: 'plan' },
    ],
    [
      'under both',
      'growth',
      140_000,
      4,
      { would_exceed_allowance: false, would_be_blocked: false, limited_by: 'none' },
    ],
  ] as const)('%s', async (_, plan, limit, locations, expected) => {
    await fixture.state.setPlan(fixture.account.id, plan);
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, limit);
    const { json } = await quote({ fields: ['parcel_apn'], locations });
    const included = PLANS[plan].creditsPerMonth;
    expect(json.allowance).toMatchObject({
      self_imposed_limit: limit,
      effective_limit: Math.min(included, limit ?? included),
      ...expected,
    });
  });

  it.each([
    ['a list for locations', { locations: [{ lat: 44, lng: -68 }] }, 'int_type', ['body', 'locations']],
    ['an empty list', { locations: [] }, 'int_type', ['body', 'locations']],
    ['text', { locations: '3' }, 'int_type', ['body', 'locations']],
    ['null', { locations: null }, 'int_type', ['body', 'locations']],
    ['a fraction', { locations: 1.5 }, 'int_type', ['body', 'locations']],
    ['0', { locations: 0 }, 'greater_than_equal', ['body', 'locations']],
    ['26', { locations: 26 }, 'less_than_equal', ['body', 'locations']],
    ['an unknown preset', { preset: 'x' }, 'literal_error', ['body', 'preset']],
    ['an unknown key', { x: 1 }, 'extra_forbidden', ['body', 'x']],
  ])('refuses %s', async (_, body, type, loc) => {
    const { status, json } = await quote({ fields: ['elevation'], ...body });
    expect(status).toBe(422);
    expect(json.detail).toHaveLength(1);
    expect(json.detail[0]).toMatchObject({ type, loc });
  });

  it.each([['lat'], ['lng'], ['address']])('takes no coordinates: %s', async key => {
    const { status, json } = await quote({ fields: ['elevation'], [key]: key === 'address' ? 'x' : 44 });
    expect(status).toBe(422);
    expect(json.detail[0]).toMatchObject({ type: 'extra_forbidden', loc: ['body', key] });
  });

  it.each([
    [{}, 'no_fields_requested'],
    [{ fields: ['nope'] }, 'fields_unknown'],
    [{ preset: 'natural_hazard', fields: ['filler_50'] }, 'fields_too_many'],
  ])('judges fields as a fetch does: %j is %s', async (body, error) => {
    const { status, json } = await quote(body);
    expect(status).toBe(400);
    expect(json.detail.error).toBe(error);
  });

  it('answers what its own OpenAPI document promises', async () => {
    const openapi = (await client.get('/v1/openapi.json')).json;
    const { responses } = openapi.paths['/v1/fetch/quote'].post;
    const ajv = new Ajv({ strict: false });
    for (const body of [{ preset: 'terrain' }, { fields: [] }, { locations: [] }]) {
      const { status, json } = await quote(body);
      const validate = ajv.compile({
        ...responses[status].content['application/json'].schema,
        components: openapi.components,
      });
      expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});

describe('what a run then charges', () => {
  const places = (count: number) => Array.from({ length: count }, (_, i) => ({ lat: 44 + i / 10, lng: -68 }));
  const run = async (body: { fields: string[]; preset?: string }, count: number) => {
    const before = await used();
    const total = (await quote({ ...body, locations: count })).json.credits_total as number;
    const reply =
      count === 1
        ? await client.post('/v1/fetch', { ...places(1)[0], ...body })
        : await client.post('/v1/fetch/batch', { locations: places(count), ...body });
    expect(reply.status).toBe(200);
    return { total, charged: (await used()) - before };
  };

  it.each([
    [{ fields: ['elevation'] }, 1],
    [{ fields: ['elevation', 'parcel_apn', 'elevation'] }, 1],
    [{ fields: ['parcel_apn'], preset: 'terrain' }, 25],
    [{ fields: [], preset: 'natural_hazard' }, 7],
  ])('is the quote when nothing fails: %j at %d', async (body, count) => {
    const { total, charged } = await run(body, count);
    expect(charged).toBe(total);
  });

  it('is the quote when values are absent', async () => {
    for (const name of ['elevation', 'parcel_apn']) fixture.engine.answers.set(name, { status: 'absent', value: null });
    const { total, charged } = await run({ fields: ['elevation', 'parcel_apn'] }, 3);
    expect(charged).toBe(total);
  });

  it.each([
    [['elevation'], 301],
    [['parcel_apn'], 2],
    [['parcel_apn', 'elevation', 'slope_degrees'], 0],
  ])('is less by what failed: %j', async (failing, perLocation) => {
    for (const name of failing) fixture.engine.answers.set(name, { status: 'failed', value: null, error: 'x' });
    for (const count of [1, 5]) {
      const { charged } = await run({ fields: ['elevation', 'slope_degrees', 'parcel_apn'] }, count);
      expect(charged).toBe(perLocation * count);
    }
  });
});
