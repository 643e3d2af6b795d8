import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { noMatches } from '../../../query/search/page/written-page.ts';
import { JOB_KINDS } from '../../../server/job-kinds.ts';
import { workOnJobs } from '../../../server/jobs/worker.ts';
import { contextFor, type Fixture, NO_CALLBACKS, openFixture } from '../service-fixture.ts';

const [OLD, OTHER, NEW] = ['20261101-0f1e2d3c', '20261110-00000001', '20261120-ab12cd34'];
let fixture: Fixture;
let portfolio = '';
beforeAll(async () => {
  fixture = await openFixture();
  fixture.engine.accumulation = async () => ({
    rows: Uint32Array.of(0),
    sums: Float64Array.of(5),
    points: Uint32Array.of(1),
  });
  const reply = await fixture.app.inject({
    method: 'POST',
    url: '/v1/uploads',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'text/csv' },
    payload: 'lat,lng,tiv\n44,-68,5\n',
  });
  portfolio = reply.json().upload_id;
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  const { engine } = fixture;
  engine.reset();
  engine.searches.length = 0;
  engine.enrichments.length = 0;
  engine.kept = [OLD, OTHER, NEW];
  engine.current = { ...engine.current, release: NEW };
  engine.columnsBefore = { [OLD]: new Set(['apn', 'acreage']), [OTHER]: new Set(['apn', 'acreage']) };
});

async function post(url: string, payload: object, headers: Record<string, string> = {}) {
  const reply = await fixture.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${fixture.token}`, ...headers },
    payload,
  });
  return { status: reply.statusCode, release: reply.headers['x-service-release'], body: reply.json() };
}

let east = 0;
/** A place that nothing was cached of. */
const place = () => ({ lat: 44, lng: -68 - ++east / 1000 });
const MAINE = [{ field: 'state', op: 'eq', value: 'ME' }];
const QUESTIONS: readonly [url: string, body: () => object][] = [
  ['/v1/fetch', () => ({ ...place(), fields: ['elevation'] })],
  ['/v1/fetch/batch', () => ({ locations: [place()], fields: ['elevation'] })],
  ['/v1/enrich', place],
  ['/v1/lookup', () => ({ input: `44,${place().lng}` })],
  ['/v1/search', () => ({ filters: MAINE })],
  ['/v1/search/count', () => ({ filters: MAINE })],
  ['/v1/rank', () => ({ filters: MAINE, order_by: [{ field: 'acreage', direction: 'asc' }] })],
  ['/v1/search/explain', () => ({ filters: MAINE })],
  ['/v1/similar', () => ({ filters: MAINE, parcel_id: 'pcl_7', fields: ['acreage'] })],
  ['/v1/aggregate', () => ({ filters: MAINE, group_by: [], measures: [{ op: 'count' }] })],
  ['/v1/assemblage', () => ({ filters: MAINE, acres_min: 40 })],
  ['/v1/areas', () => ({ lat: 44, lng: -68, within_m: 500 })],
  ['/v1/buildable', () => ({ parcel_id: 'pcl_7', template: 'solar' })],
  ['/v1/structures', () => ({ parcel_id: 'pcl_7' })],
  ['/v1/owners', () => ({ state: 'ME', name: 'smith' })],
  ['/v1/owners/parcels', () => ({ owner_id: `own_${Buffer.from('ME\n\nJOHN SMITH').toString('base64url')}` })],
  ['/v1/accumulation', () => ({ upload_id: portfolio, value: 'tiv', within_m: 10 })],
];

describe.each(QUESTIONS)('POST %s', (url, body) => {
  it('names the release that it answers from, and answers from the one that the body names', async () => {
    expect(await post(url, body())).toMatchObject({ status: 200, release: NEW });
    expect(await post(url, { ...body(), release: OLD })).toMatchObject({ status: 200, release: OLD });
    expect(await post(url, { ...body(), release: '2026-11-10' })).toMatchObject({ status: 200, release: OTHER });
    expect(await post(url, { ...body(), release: '2026-11-19' })).toMatchObject({ status: 200, release: OTHER });
    expect(await post(url, { ...body(), release: '2099-01-01' })).toMatchObject({ status: 200, release: NEW });
  });

  it('lists what is kept where the release is not, and refuses what names none', async () => {
    for (const release of ['20250101-00000000', '2026-10-31']) {
      const { body: answer, ...told } = await post(url, { ...body(), release });
      expect(told).toEqual({ status: 404, release: undefined });
      expect(answer.detail).toMatchObject({ error: 'release_not_kept', retryable: false, kept: [OLD, OTHER, NEW] });
      expect(answer.detail.message).toContain(release);
    }
    for (const release of ['yesterday', '2026-13-01', '../20261101-0f1e2d3c', 7])
      expect((await post(url, { ...body(), release })).status).toBe(422);
  });
});

it('names the release of a table too', async () => {
  for (const [url, payload] of [
    ['/v1/fetch', { ...place(), fields: ['elevation'], release: OLD }],
    ['/v1/search', { filters: MAINE, release: OLD }],
  ] as const) {
    const headers = { authorization: `Bearer ${fixture.token}`, accept: 'text/csv' };
    const reply = await fixture.app.inject({ method: 'POST', url, headers, payload });
    expect(reply.headers).toMatchObject({ 'content-type': expect.stringContaining('csv'), 'x-service-release': OLD });
  }
});

it('names the release of a tool’s answer too, and answers from the one that its body names', async () => {
  const call = async (view: 'slim' | 'full', req: object) => {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'service_fetch', arguments: { req, view } },
    };
    const headers = { authorization: `Bearer ${fixture.token}`, accept: 'application/json, text/event-stream' };
    const reply = await fixture.app.inject({ method: 'POST', url: '/mcp', headers, payload: message });
    return JSON.parse(/\{.*\}/s.exec(reply.body)![0]).result;
  };
  const body = { ...place(), fields: ['elevation'] };
  const slim = await call('slim', body);
  expect([slim.structuredContent.release, slim._meta.release]).toEqual([NEW, NEW]);
  const full = await call('full', { ...body, release: OLD });
  expect([full.structuredContent.release, full._meta.release]).toEqual([undefined, OLD]);
});

it('draws the area about a parcel as that release has the parcel', async () => {
  const placed = vi.spyOn(fixture.engine, 'parcelPlace');
  const filters = [...MAINE, { near: { parcel_id: 'pcl_7', within_m: 500 } }];
  expect((await post('/v1/search/count', { filters, release: OLD })).body.detail.error).toBe('parcel_not_found');
  expect(placed.mock.calls).toEqual([[expect.anything(), expect.objectContaining({ release: OLD })]]);
  placed.mockRestore();
});

it('has the engine read that release, and keeps its answers out of the cache of the current one', async () => {
  const { engine } = fixture;
  const body = { ...place(), fields: ['elevation'] };
  engine.answers.set('elevation', { value: 1 });
  await post('/v1/fetch', { ...body, release: OLD });
  engine.answers.set('elevation', { value: 2 });
  expect((await post('/v1/fetch', body)).body.fields.elevation.value).toBe(2);
  engine.answers.set('elevation', { value: 3 });
  expect((await post('/v1/fetch', { ...body, release: OLD })).body.fields.elevation.value).toBe(3);
  expect((await post('/v1/fetch', body)).body.fields.elevation.value).toBe(2);
  expect(engine.calls.map(call => (call as { release?: string }).release)).toEqual([OLD, NEW, OLD]);
});

it('a stored batch names the release that it came from, also when that is kept no more', async () => {
  const body = { locations: [place()], fields: ['elevation'], release: OLD };
  const key = { 'idempotency-key': 'release-choice-1' };
  const first = await post('/v1/fetch/batch', body, key);
  fixture.engine.kept = [NEW];
  const again = await post('/v1/fetch/batch', body, key);
  expect(again).toEqual({ ...first, body: { ...first.body, replayed: true } });
  expect(again.release).toBe(OLD);
});

it('a batch is answered from one release, whatever is published meanwhile', async () => {
  const { engine } = fixture;
  let waits = 0;
  engine.before = async () => {
    if (++waits === 1) engine.current = { ...engine.current, release: '20261121-00000002' };
  };
  const { release } = await post('/v1/fetch/batch', { locations: [place(), place()], fields: ['elevation'] });
  expect(release).toBe(NEW);
  expect(engine.calls.map(call => (call as { release?: string }).release)).toEqual([NEW, NEW]);
});

describe('a cursor', () => {
  const next = { state: 'ME', fips: '23019', file: 'f', ord: 3, key: null };
  const page = async (body: object) => {
    fixture.engine.found = { matches: noMatches(), status: 'limited', reason: 'limit_reached', next };
    return post('/v1/search', { filters: MAINE, ...body });
  };

  it('goes on in the release of its search, whatever its day means by then', async () => {
    const { cursor, release } = await page({ release: '2026-11-19' }).then(({ body, release }) => ({
      cursor: body.next_cursor,
      release,
    }));
    expect(release).toBe(OTHER);
    fixture.engine.kept = [OLD, OTHER, '20261119-00000003', NEW];
    expect(await page({ release: '2026-11-19', cursor })).toMatchObject({ status: 200, release: OTHER });
    expect(await page({ release: OTHER, cursor })).toMatchObject({ status: 200, release: OTHER });
    fixture.engine.kept = [OLD, NEW];
    expect((await page({ release: '2026-11-19', cursor })).body.detail).toMatchObject({ error: 'release_not_kept' });
  });

  it('is refused with another release, without one, and where it was made without one', async () => {
    const of = async (body: object) => (await page(body)).body.next_cursor as string;
    const [bound, free] = [await of({ release: OLD }), await of({})];
    for (const body of [{ cursor: bound }, { cursor: bound, release: OTHER }, { cursor: free, release: NEW }]) {
      const { status, body: answer } = await page(body);
      expect([status, answer.detail.issues[0].path]).toEqual([422, 'cursor']);
      expect(answer.detail.issues[0].description).toContain('release');
    }
    expect(await page({ cursor: free })).toMatchObject({ status: 200, release: NEW });
  });
});

it('judges names by the columns of the release', async () => {
  const filters = [...MAINE, { field: 'struct', op: 'eq', value: true }];
  expect((await post('/v1/search', { filters })).status).toBe(200);
  const { body } = await post('/v1/search', { filters, release: OLD });
  expect(body.detail.issues).toMatchObject([
    { path: 'filters[1].field', description: expect.stringContaining('`struct`') },
  ]);
});

it('a run is answered from its release, which the run and its files name', async () => {
  const get = (url: string) => fixture.app.inject({ url, headers: { authorization: `Bearer ${fixture.token}` } });
  const request = { locations: [place()], fields: ['elevation'], release: OLD };
  const { body, status } = await post('/v1/runs', { kind: 'fetch_batch', request });
  expect(status).toBe(202);
  expect((await get(body.poll)).headers['x-service-release']).toBeUndefined();
  const worker = workOnJobs({ ...contextFor(fixture), callbacks: NO_CALLBACKS }, JOB_KINDS);
  await vi.waitFor(async () => expect((await get(body.poll)).json().status).toBe('done'), { timeout: 10_000 });
  await worker.stop();
  const run = await get(body.poll);
  expect(run.json()).toMatchObject({ status: 'done', request });
  expect(run.headers['x-service-release']).toBe(OLD);
  expect((await get(`${body.poll}/artifacts/csv`)).headers['x-service-release']).toBe(OLD);
  expect(
    await post('/v1/runs', { kind: 'fetch_batch', request: { ...request, release: '20250101-00000000' } }),
  ).toMatchObject({
    status: 404,
    body: { detail: { error: 'release_not_kept' } },
  });
});
