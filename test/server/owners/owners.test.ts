import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

async function post(url: string, body: unknown) {
  const response = await fixture.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  return { status: response.statusCode, body: response.json() };
}

const REACH = { lacking: false, unread: false, late: false };
const SMITH = {
  identity: 'JOHN SMITH',
  owner: 'SMITH JOHN',
  spellings: ['SMITH JOHN'],
  parcels: 2,
  acres: 3,
  valueUsd: null,
};

describe('POST /v1/owners', () => {
  it('answers owners with ids that lead to their parcels, page by page', async () => {
    fixture.engine.owned = { ...REACH, owners: [SMITH], more: true };
    const { status, body } = await post('/v1/owners', { state: 'ME', county: '23019', name: ' smith j', limit: 1 });
    expect(status).toBe(200);
    const { identity: _, valueUsd: __, ...told } = SMITH;
    expect(body).toEqual({
      owners: [{ ...told, owner_id: expect.stringMatching(/^own_/), value_usd: null }],
      next_cursor: expect.any(String),
      status: 'complete',
      completion_reason: 'exhausted',
      request_id: expect.any(String),
    });
    const scope = { state: 'ME', fips: '23019', limit: 1 };
    expect(fixture.engine.ownersAsked.at(-1)).toMatchObject({ ...scope, exact: false, offset: 0 });
    await post('/v1/owners', { state: 'ME', name: 'smith', match: 'exact', limit: 1, cursor: body.next_cursor });
    expect(fixture.engine.ownersAsked.at(-1)).toMatchObject({ fips: null, exact: true, offset: 1 });
    const parcels = await post('/v1/owners/parcels', { owner_id: body.owners[0].owner_id });
    expect(parcels.body).toMatchObject({ matches: [{ apn: '7', parcel_id: 'pcl_7' }], next_cursor: null });
    expect(fixture.engine.ownersAsked.at(-1)).toMatchObject({ state: 'ME', fips: '23019', identity: 'JOHN SMITH' });
  });

  it('goes on in the release of its first page', async () => {
    const { engine } = fixture;
    const [old, current] = ['20261101-0f1e2d3c', '20261110-00000001'];
    engine.kept = [old, current];
    engine.owned = { ...REACH, owners: [SMITH], more: true };
    const page = (more: object) => post('/v1/owners', { state: 'ME', name: 'smith', limit: 1, ...more });
    const cursor = (await page({ release: old })).body.next_cursor;
    expect((await page({ release: old, cursor })).status).toBe(200);
    expect(engine.ownersAsked.at(-1)).toMatchObject({ offset: 1 });
    const free = (await page({})).body.next_cursor;
    for (const wrong of [{ cursor }, { cursor, release: current }, { cursor: free, release: old }]) {
      const { status, body } = await page(wrong);
      expect([status, body.detail.issues[0].path]).toEqual([422, 'cursor']);
    }
    engine.kept = [current];
    expect((await page({ release: old, cursor })).body.detail.error).toBe('release_not_kept');
  });

  it('says when a release has no owners', async () => {
    fixture.engine.owned = { ...REACH, lacking: true, owners: [], more: false };
    const { body } = await post('/v1/owners', { state: 'ME', name: 'smith' });
    expect(body).toMatchObject({ owners: [], status: 'partial', completion_reason: 'source_unavailable' });
  });

  it.each<[string, unknown, string]>([
    ['no object', [], 'body'],
    ['no state', { name: 'smith' }, 'state'],
    ['a state of nowhere', { state: 'XX', name: 'smith' }, 'state'],
    ['a county by name', { state: 'ME', county: 'Penobscot', name: 'smith' }, 'county'],
    ['two letters', { state: 'ME', name: ' sm ' }, 'name'],
    ['129 letters', { state: 'ME', name: 'x'.repeat(129) }, 'name'],
    ['an unknown match', { state: 'ME', name: 'smith', match: 'like' }, 'match'],
    ['a limit of 101', { state: 'ME', name: 'smith', limit: 101 }, 'limit'],
    ['a cursor of its own', { state: 'ME', name: 'smith', cursor: '20' }, 'cursor'],
    ['another key', { state: 'ME', name: 'smith', fuzzy: true }, 'body'],
  ])('refuses %s', async (_, body, path) => {
    const answer = await post('/v1/owners', body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
  });
});

describe('POST /v1/owners/parcels', () => {
  const id = (...parts: string[]) => `own_${Buffer.from(parts.join('\n')).toString('base64url')}`;
  it.each([
    'own_',
    'smith',
    id('XX', '', 'SMITH'),
    id('ME', '1', 'SMITH'),
    id('ME', '', ''),
    id('ME', '', 'SMITH', 'MORE'),
  ])('knows no owner %s', async owner_id => {
    const { status, body } = await post('/v1/owners/parcels', { owner_id });
    expect([status, body.detail.error]).toEqual([404, 'owner_not_found']);
  });

  it('knows no owner without parcels, unless not all could be looked at', async () => {
    const none = { ...REACH, matches: '[]', count: 0, more: false };
    fixture.engine.holdings = none;
    expect((await post('/v1/owners/parcels', { owner_id: id('ME', '', 'SMITH') })).status).toBe(404);
    fixture.engine.holdings = { ...none, lacking: true };
    const { body } = await post('/v1/owners/parcels', { owner_id: id('ME', '', 'SMITH') });
    expect(body).toMatchObject({ matches: [], status: 'partial', completion_reason: 'source_unavailable' });
    expect((await post('/v1/owners/parcels', { owner_id: 7 })).status).toBe(422);
  });
});
