import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, connect } from '../../contract/client.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
let client: Client;
beforeEach(async () => {
  fixture = await openFixture({ plan: 'free' });
  client = await connect(fixture);
});
afterEach(() => fixture[Symbol.asyncDispose]());

const fetchOf = (field: string) => client.post('/v1/fetch', { lat: 44.8, lng: -68.77, fields: [field] });

describe('usage', () => {
  it('has exactly its keys', async () => {
    await fixture.state.setMonthlyCreditLimit(fixture.account.id, 400);
    await fetchOf('elevation');
    const { status, json, headers } = await client.get('/v1/users/me/usage');
    expect(status).toBe(200);
    expect(json).toStrictEqual({
      plan: 'free',
      period: '2026-01',
      credits_included: 1_000,
      credits_used: 1,
      credits_remaining: 999,
      self_imposed_limit: 400,
      effective_limit: 400,
      resets_at: '2026-02-01T00:00:00.000Z',
      by_endpoint: [{ endpoint: 'fetch', requests: 1, credits: 1 }],
      by_token: [{ id: expect.stringMatching(/^[\da-f-]{36}$/), requests: 1, credits: 1 }],
      by_day: [{ date: '2026-01-02', requests: 1, credits: 1 }],
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('stays above nothing on a smaller plan', async () => {
    await fixture.state.setPlan(fixture.account.id, 'build');
    for (let i = 0; i < 4; i++) await fetchOf('parcel_apn');
    await fixture.state.setPlan(fixture.account.id, 'free');
    const { json } = await client.get('/v1/users/me/usage');
    expect(json).toMatchObject({ credits_used: 1_200, credits_remaining: 0 });
  });
});
