import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { square } from '../sites/site-shapes.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ plan: 'free' });
  fixture.engine.current = { ...fixture.engine.current, release: '20261101-0f1e2d3c' };
  fixture.engine.parcelAnswers = async ({ parcels }) => ({
    parcels: parcels.map(({ id }) =>
      id === 'pcl_none' ? null : { county: 'ME/23019', point: { lng: 0, lat: 0 }, answers: {} },
    ),
  });
});
afterAll(() => fixture[Symbol.asyncDispose]());

const callback = { email: 'someone@example.org' };
const call = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, token = fixture.token) => {
  const reply = await fixture.app.inject({
    method,
    url: `/v1/${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(body ? { payload: body } : {}),
  });
  return { status: reply.statusCode, body: reply.body === '' ? null : reply.json() };
};
const otherToken = async (plan: 'free' | 'build' = 'build') =>
  fixture.tokens.issue(await fixture.state.openAccount(`${Math.random()}@example.org`, plan));
const search = { filters: [{ field: 'state', op: 'eq', value: 'ME' }] };

it('a watch is made, listed, read and deleted; registering a site makes none', async () => {
  const token = await otherToken();
  const { body: site } = await call('POST', 'sites', { site: square() }, token);
  expect((await call('GET', 'watches', undefined, token)).body).toEqual({ watches: [], next_cursor: null });
  const ids: string[] = [];
  for (const subject of [{ site_id: site.site_id }, { parcel_ids: ['pcl_1', 'pcl_2', 'pcl_1'] }, { search }]) {
    const fields = ['slope_degrees', 'elevation', 'elevation'];
    const { status, body } = await call('POST', 'watches', { ...subject, fields, callback }, token);
    expect([status, body]).toEqual([
      201,
      { watch_id: expect.stringMatching(/^watch_[a-z2-7]{26}$/), status: 'active', created_at: expect.any(String) },
    ]);
    ids.push(body.watch_id);
    fixture.clock.time += 1_000;
  }
  const { body: list } = await call('GET', 'watches?limit=2', undefined, token);
  expect(list.watches.map((one: { watch_id: string }) => one.watch_id)).toEqual([ids[2], ids[1]]);
  const { body: rest } = await call('GET', `watches?cursor=${list.next_cursor}`, undefined, token);
  expect(rest).toMatchObject({
    watches: [{ watch_id: ids[0], site_id: site.site_id, parcels: null }],
    next_cursor: null,
  });
  expect((await call('GET', `watches/${ids[1]}`, undefined, token)).body).toEqual({
    ...{ watch_id: ids[1], status: 'active', created_at: expect.any(String), site_id: null, parcels: 2, filters: null },
    // In the order of the catalog, each once.
    fields: ['elevation', 'slope_degrees'],
    ...{ callback, release: '20261101-0f1e2d3c', told_at: null, parcel_ids: ['pcl_1', 'pcl_2'], search: null },
    ...{ last_event: null, deliveries: [] },
  });
  expect((await call('GET', `watches/${ids[2]}`, undefined, token)).body).toMatchObject({ search, filters: 1 });
  for (const method of ['GET', 'DELETE'] as const)
    expect(await call(method, `watches/${ids[0]}`)).toMatchObject({
      status: 404,
      body: { detail: { error: 'watch_not_found' } },
    });
  expect((await call('DELETE', `watches/${ids[0]}`, undefined, token)).status).toBe(204);
  expect((await call('DELETE', `watches/${ids[0]}`, undefined, token)).status).toBe(404);
  expect((await call('GET', `sites/${site.site_id}`, undefined, token)).status).toBe(200);
});

it.each([
  ['no subject', {}, 422, 'invalid_request'],
  ['two subjects', { parcel_ids: ['pcl_1'], search }, 422, 'invalid_request'],
  ['a key that it does not take', { search, since: 'x' }, 422, null],
  ['no fields', { search, fields: [] }, 422, null],
  ['51 fields', { search, fields: Array.from({ length: 51 }, (_, i) => `filler_${i}`) }, 422, null],
  ['a field that is none', { search, fields: ['elevatoin'] }, 400, 'fields_unknown'],
  ['a field of parcels for a site', { site_id: 'site_0', fields: ['owner'] }, 400, 'fields_unknown'],
  ['501 parcels', { parcel_ids: Array.from({ length: 501 }, (_, i) => `pcl_${i}`) }, 422, null],
  ['a parcel that is none', { parcel_ids: ['pcl_1', 'pcl_none'] }, 404, 'parcel_not_found'],
  ['a site of nobody', { site_id: `site_${'0'.repeat(32)}` }, 404, 'site_not_found'],
  [
    'filters without a state',
    { search: { filters: [{ field: 'acreage', op: 'gt', value: 1 }] } },
    422,
    'search_invalid_request',
  ],
  ['no way to tell', { search, callback: {} }, 422, null],
  ['a private address', { search, callback: { webhook_url: 'https://10.0.0.7/hook' } }, 422, 'invalid_request'],
  ['the metadata of a cloud', { search, callback: { webhook_url: 'http://169.254.169.254/' } }, 422, 'invalid_request'],
  ['a file', { search, callback: { webhook_url: 'file:///etc/passwd' } }, 422, 'invalid_request'],
  ['two addresses', { search, callback: { email: 'a@example.org,b@example.org' } }, 422, null],
])('%s is refused, and nothing is stored', async (_, body, status, code) => {
  const reply = await call('POST', 'watches', { fields: ['elevation'], callback, ...body });
  expect([reply.status, Array.isArray(reply.body.detail) ? null : reply.body.detail.error]).toEqual([status, code]);
  expect((await call('GET', 'watches')).body.watches).toEqual([]);
});

it('a search that too many parcels pass is refused', async () => {
  const { counted } = fixture.engine;
  if ('count' in counted) fixture.engine.counted = { ...counted, count: 10_001 };
  const { status, body } = await call('POST', 'watches', { search, fields: ['elevation'], callback });
  fixture.engine.counted = counted;
  expect([status, body.detail.issues[0].path]).toEqual([422, 'search.filters']);
});

it('an account has as many watches as its plan allows, and one more once one is deleted', async () => {
  const token = await otherToken('free');
  const make = () => call('POST', 'watches', { search, fields: ['elevation'], callback }, token);
  const [{ body: first }] = [await make(), await make()];
  expect(await make()).toMatchObject({ status: 409, body: { detail: { error: 'watches_too_many', max: 2 } } });
  await call('DELETE', `watches/${first.watch_id}`, undefined, token);
  expect((await make()).status).toBe(201);
});
