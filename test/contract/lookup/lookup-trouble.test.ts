import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { EngineBusy } from '../../../query/engine/engine-interface.ts';
import { ServiceError } from '../../../server/errors/registry.ts';
import { Gate } from '../../../server/lease/gate.ts';
import { lookUp } from '../../../server/lookup/operation.ts';
import { ROOFTOP } from '../../server/fake-tier.ts';
import { contextFor } from '../../server/service-fixture.ts';
import { ADDRESS, lookups, VALUES } from './lookup-fixture.ts';

const lookup = lookups();

describe('bad input', () => {
  it.each([
    ['empty', { input: '' }],
    ['spaces', { input: ' \n ' }],
    ['257 characters', { input: 'x'.repeat(257) }],
    ['a number', { input: 5 }],
    ['nothing', {}],
    ['another kind', { input: 'x', kind: 'parcel' }],
    ['a text for include_parcel', { input: 'x', include_parcel: 'yes' }],
    ['another key', { input: 'x', address: 'y' }],
  ])('%s is the default 422', async (_, body) => {
    const { status, json } = await lookup.client.post('/v1/lookup', body);
    expect(status).toBe(422);
    expect(Array.isArray(json.detail)).toBe(true);
  });

  it.each(['🏠🏠', '-', '!?', '\u0000'])('%j cannot be read', async input => {
    const { status, json } = await lookup.look(input);
    expect(status).toBe(422);
    expect(json.detail.error).toBe('resolve_invalid_input');
  });

  it.each([
    "1'; DROP TABLE geocodes; --",
    'Dear sir or madam, the house that I mean stands behind the old mill. '.repeat(3),
    '1 Main\u0000St',
    'constructor',
  ])('%j is no match', async input => {
    const { status, json } = await lookup.look(input);
    expect(status).toBe(200);
    expect(json.reason).toBe('unaddressed_or_no_match');
  });

  it('a post office box is refused from its text alone', async () => {
    const { status, json } = await lookup.look('PO Box 5, Bangor ME');
    expect(status).toBe(422);
    expect(json.detail.error).toBe('address_form_unsupported');
    expect(lookup.fixture.tier.asked).toEqual([]);
  });
});

describe('trouble', () => {
  it('a spent allowance is credits_exhausted before anything is looked up', async () => {
    await lookup.fixture.state.setMonthlyCreditLimit(lookup.fixture.account.id, (await lookup.used()) + 1);
    const { status, json } = await lookup.look(ADDRESS);
    await lookup.fixture.state.setMonthlyCreditLimit(lookup.fixture.account.id, null);
    expect(status).toBe(402);
    expect(json.detail).toMatchObject({ error: 'credits_exhausted', credits_required: 2 });
    expect(lookup.fixture.tier.asked).toEqual([]);
  });

  it.each([
    ['geocode_busy', 'resolve_busy', 429, '3'],
    ['geocode_timeout', 'resolve_timeout', 504, '5'],
    ['geocode_upstream_error', 'geocode_upstream_error', 502, '2'],
    ['geocode_forbidden', 'geocode_forbidden', 503, '3600'],
    ['geocode_unconfigured', 'geocode_unconfigured', 503, null],
  ] as const)('%s is %s, at no charge', async (code, said, status, retryAfter) => {
    lookup.fixture.tier.answers.set(ADDRESS, new ServiceError(code, { reason: 'a test says so' }));
    const before = await lookup.used();
    const reply = await lookup.look(ADDRESS);
    expect(reply.status).toBe(status);
    expect(reply.headers.get('retry-after')).toBe(retryAfter);
    expect(reply.json.detail.error).toBe(said);
    expect(await lookup.used()).toBe(before);
  });

  it('a full queue of the workers is resolve_busy', async () => {
    lookup.fixture.engine.before = async () => {
      throw new EngineBusy('full');
    };
    const { status, json } = await lookup.look('44.8,-68.77');
    expect(status).toBe(429);
    expect(json.detail).toMatchObject({ error: 'resolve_busy', retryable: true });
  });

  it('more at once than the server works on is resolve_busy', async () => {
    let open = () => {};
    const wait = new Promise<void>(resolve => {
      open = resolve;
    });
    let inside = 0;
    lookup.fixture.tier.before = async () => {
      inside++;
      await wait;
    };
    const running = ['a street', 'b street'].map(input => lookup.look(input));
    while (inside < 2) await new Promise(resolve => setTimeout(resolve, 5));
    const { status, headers, json } = await lookup.look('44.8,-68.77');
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('3');
    expect(json.detail.error).toBe('resolve_busy');
    open();
    await Promise.all(running);
    expect((await lookup.look('44.8,-68.77')).status).toBe(200);
  });

  it('past its deadline is resolve_timeout, at no charge, and stops what it began', async () => {
    let stopped = false;
    lookup.fixture.engine.before = signal =>
      new Promise((_, reject) =>
        signal!.addEventListener('abort', () => {
          stopped = true;
          reject(signal!.reason);
        }),
      );
    const before = await lookup.used();
    const ctx = contextFor(lookup.fixture, { catalog, deadline: lookup.fixture.clock.time + 30 });
    await expect(lookUp(ctx, { gate: new Gate(1) }, { input: '44.8,-68.77' })).rejects.toMatchObject({
      code: 'resolve_timeout',
      retryAfter: 5,
    });
    expect(stopped).toBe(true);
    expect(await lookup.used()).toBe(before);
  });

  it('an unforeseen fault of all values is not a failure of the lookup', async () => {
    const ask = lookup.fixture.engine.fetch;
    lookup.fixture.engine.fetch = async () => {
      throw new Error('a fault');
    };
    const { status, json } = await lookup.look('44.8,-68.77');
    lookup.fixture.engine.fetch = ask;
    expect(status).toBe(200);
    expect(json).toMatchObject({ disposition: 'resolved', county: null, county_market: { population: null } });
  });
});

it('every answer is of the schema that is published', async () => {
  const { json: document } = await lookup.client.get('/v1/openapi.json');
  const { schema } = document.paths['/v1/lookup'].post.responses['200'].content['application/json'];
  const validate = new Ajv({ strict: false }).compile({ ...schema, components: document.components });
  lookup.fixture.tier.knows(ADDRESS);
  lookup.fixture.tier.answers.set('12 Main St', { matches: [ROOFTOP, { ...ROOFTOP, lat: 45 }] });
  for (const input of [ADDRESS, '44.8,-68.77', '12 Main St', 'nowhere', '12-34']) {
    const { json } = await lookup.look(input);
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
  }
  for (const name of Object.keys(VALUES)) lookup.fixture.engine.answers.set(name, { status: 'failed', value: null });
  lookup.fixture.engine.parcel = { status: 'unavailable', reason: 'none' };
  const { json } = await lookup.look('44.8,-68.77');
  expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
});
