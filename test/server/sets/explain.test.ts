import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const STATE = { field: 'state', op: 'eq', value: 'ME' };
const ID = `pcl_${'a'.repeat(22)}`;

async function post(url: string, body: object) {
  const response = await fixture.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ filters: [STATE], ...body }),
  });
  return { status: response.statusCode, body: response.json() };
}

describe('POST /v1/search/explain', () => {
  const verdict = (passes: boolean | null) => ({ value: 1, status: 'ok' as const, passes, margin: null });
  it.each<[(boolean | null)[], boolean | null]>([
    [[true, true], true],
    [[true, null], null],
    [[null, false], false],
  ])('of a parcel that filters call %j says %j', async (each, passes) => {
    fixture.engine.explained = { verdicts: each.map(verdict) };
    const { status, body } = await post('/v1/search/explain', { parcel_id: ID });
    expect(status).toBe(200);
    expect(body).toEqual({
      passes,
      filters: each.map((one, index) => ({ index, ...verdict(one) })),
      status: 'complete',
      completion_reason: 'exhausted',
      request_id: expect.any(String),
    });
    expect(fixture.engine.explainings.at(-1)).toMatchObject({ parcelId: ID });
  });

  it('of a search says what must give way, and what was not looked at', async () => {
    const relax = [{ index: 1, value: 7, matches: 10 }];
    fixture.engine.explained = { count: 0, relax, unread: true, late: true, notices: [] };
    const { body } = await post('/v1/search/explain', {});
    expect(body).toMatchObject({ count: 0, relax, status: 'partial', completion_reason: 'timeout' });
    expect(fixture.engine.explainings.at(-1)).toMatchObject({ parcelId: null });
  });

  it('knows no other parcel', async () => {
    fixture.engine.explained = { missing: true };
    const { status, body } = await post('/v1/search/explain', { parcel_id: ID });
    expect([status, body.detail.error]).toEqual([404, 'parcel_not_found']);
  });

  it.each<[string, object, string]>([
    ['an id that is no text', { parcel_id: 7 }, 'parcel_id'],
    ['no state', { filters: [] }, 'filters'],
    ['a limit', { limit: 5 }, 'body'],
  ])('refuses %s', async (_, body, path) => {
    const answer = await post('/v1/search/explain', body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
  });
});

describe('POST /v1/similar', () => {
  const ASKED = { parcel_id: ID, fields: ['acreage', 'saledate'] };
  it('adds nothing to the matches', async () => {
    const { status, body } = await post('/v1/similar', ASKED);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      matches: [],
      parcel: { parcel_id: ID, fields: {} },
      considered: 0,
      status: 'complete',
    });
    expect(fixture.engine.likenings.at(-1)).toMatchObject({
      parcelId: ID,
      fields: [
        { name: 'acreage', kind: 'number' },
        { name: 'saledate', kind: 'date' },
      ],
      limit: 20,
      outputs: ['state'],
    });
  });

  it('knows no other parcel', async () => {
    fixture.engine.likened = { missing: true };
    const { status, body } = await post('/v1/similar', ASKED);
    expect([status, body.detail.error]).toEqual([404, 'parcel_not_found']);
  });

  it.each<[string, object, string]>([
    ['no parcel', { fields: ['acreage'] }, 'parcel_id'],
    ['no fields', { parcel_id: ID }, 'fields'],
    ['text', { parcel_id: ID, fields: ['city'] }, 'fields[0]'],
    ['an unknown name', { parcel_id: ID, fields: ['acres'] }, 'fields[0]'],
    ['a field twice', { parcel_id: ID, fields: ['acreage', 'acreage'] }, 'fields'],
    ['21 fields', { parcel_id: ID, fields: Array.from({ length: 21 }, () => 'acreage') }, 'fields'],
    ['a thousand and one', { ...ASKED, limit: 1_001 }, 'limit'],
  ])('refuses %s', async (_, body, path) => {
    const answer = await post('/v1/similar', body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
  });
});
