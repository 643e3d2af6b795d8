import { parse } from 'csv-parse/sync';
import { createParser } from 'eventsource-parser';
import { afterEach, expect, it, vi } from 'vitest';
import { JOB_KINDS } from '../../../server/job-kinds.ts';
import { type JobWorker, workOnJobs } from '../../../server/jobs/worker.ts';
import { toCsv, toFeatures } from '../../../server/runs/artifacts.ts';
import { readRun, submitRun } from '../../../server/runs/operation.ts';
import { contextFor, type Fixture, NO_CALLBACKS, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';

const open: Fixture[] = [];
const workers: JobWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map(worker => worker.stop()));
  for (const fixture of open.splice(0)) await fixture.app.close();
});

const PLACE = { lat: 44, lng: -68 };
const body = (more: object = {}) => ({
  kind: 'fetch_batch' as const,
  request: {
    locations: [PLACE, { lat: 1, lng: 1 }, { lat: 45, lng: -68 }],
    fields: ['elevation', 'slope_degrees'],
    ...more,
  },
});

describeStores('runs', kind => {
  const fixtureOf = async (plan: 'free' | 'build' = 'build') => {
    const fixture = await openFixture({ state: await kind.open(await kind.place()), plan });
    open.push(fixture);
    return fixture;
  };
  const work = (fixture: Fixture) => {
    const worker = workOnJobs({ ...contextFor(fixture), callbacks: NO_CALLBACKS }, JOB_KINDS);
    workers.push(worker);
    return worker;
  };
  const call = (fixture: Fixture, method: 'GET' | 'POST', url: string, payload?: object, token = fixture.token) =>
    fixture.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload ? { payload } : {}),
    });
  const usage = (fixture: Fixture) => fixture.state.ledger.usage(fixture.account.id, '2026-01', fixture.clock.now());

  it('answer what the batch would, are followed to the end, charged by location, and seen by their owner alone', async () => {
    const fixture = await fixtureOf();
    const accepted = await call(fixture, 'POST', '/v1/runs', body());
    expect(accepted.statusCode).toBe(202);
    const { run_id: id, poll, events } = accepted.json();
    expect(accepted.json()).toEqual({
      run_id: id,
      status: 'queued',
      poll: `/v1/runs/${id}`,
      events: `/v1/runs/${id}/events`,
    });
    expect((await call(fixture, 'GET', poll)).json()).toMatchObject({
      status: 'queued',
      kind: 'fetch_batch',
      progress: { done: 1, total: 3 },
      request: body().request,
      result: null,
      error: null,
    });
    expect(await usage(fixture)).toMatchObject({ spent: 0, held: 4 });
    const early = await call(fixture, 'GET', `${poll}/artifacts/csv`);
    expect([early.statusCode, early.json().detail]).toMatchObject([409, { error: 'run_not_ready', retryable: true }]);

    const followed = call(fixture, 'GET', events);
    work(fixture);
    const frames: { event: string; data: { status: string; progress: { done: number } } }[] = [];
    createParser({ onEvent: ({ event, data }) => frames.push({ event: event!, data: JSON.parse(data) }) }).feed(
      (await followed).payload,
    );
    expect(frames.at(-1)!.event).toBe('final');
    expect(frames.filter(({ event }) => event === 'final')).toHaveLength(1);
    const run = (await call(fixture, 'GET', poll)).json();
    expect(frames.at(-1)!.data).toEqual(run);
    expect(run).toMatchObject({ status: 'done', progress: { done: 3, total: 3 }, error: null });
    const batch = (await call(fixture, 'POST', '/v1/fetch/batch', body().request)).json();
    expect(run.result).toEqual(batch);
    expect(await usage(fixture)).toMatchObject({ spent: 8, held: 0 });

    const csv = await call(fixture, 'GET', `${poll}/artifacts/csv`);
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(parse(csv.payload, { columns: true })).toEqual([
      {
        index: '0',
        ok: 'true',
        lat: '44',
        lng: '-68',
        source: 'coordinate',
        error: '',
        elevation: '12.5',
        slope_degrees: '12.5',
        failed_fields: '',
      },
      {
        index: '1',
        ok: 'false',
        lat: '',
        lng: '',
        source: '',
        error: 'coord_out_of_bounds',
        elevation: '',
        slope_degrees: '',
        failed_fields: '',
      },
      {
        index: '2',
        ok: 'true',
        lat: '45',
        lng: '-68',
        source: 'coordinate',
        error: '',
        elevation: '12.5',
        slope_degrees: '12.5',
        failed_fields: '',
      },
    ]);
    const geojson = await call(fixture, 'GET', `${poll}/artifacts/geojson`);
    expect(geojson.headers['content-type']).toContain('application/geo+json');
    expect(geojson.json()).toMatchObject({
      type: 'FeatureCollection',
      features: [
        { type: 'Feature', geometry: { type: 'Point', coordinates: [-68, 44] }, properties: { elevation: 12.5 } },
        { type: 'Feature', geometry: null, properties: { ok: false, error: 'coord_out_of_bounds' } },
        { type: 'Feature', geometry: { type: 'Point', coordinates: [-68, 45] }, properties: { ok: true } },
      ],
    });
    for (const fmt of ['xlsx', 'CSV']) {
      const wrong = await call(fixture, 'GET', `${poll}/artifacts/${fmt}`);
      expect([wrong.statusCode, wrong.json().detail]).toMatchObject([
        422,
        [{ loc: ['path', 'fmt'], msg: "Input should be 'csv' or 'geojson'", type: 'literal_error', input: fmt }],
      ]);
    }

    const other = await fixture.tokens.issue(await fixture.state.openAccount('other@example.org', 'build'));
    const foreign = await call(fixture, 'GET', poll, undefined, other);
    const unknown = await call(fixture, 'GET', `/v1/runs/run_${'a'.repeat(26)}`, undefined, other);
    expect(foreign.statusCode).toBe(404);
    expect(foreign.payload).toBe(unknown.payload);
    for (const path of [events, `${poll}/artifacts/csv`])
      expect((await call(fixture, 'GET', path, undefined, other)).statusCode).toBe(404);
    fixture.clock.time += 30 * 86_400_000 - 1;
    const later = await fixture.tokens.issue(fixture.account);
    for (const path of [poll, `${poll}/artifacts/geojson`])
      expect((await call(fixture, 'GET', path, undefined, later)).statusCode).toBe(200);
    fixture.clock.time += 1;
    expect((await call(fixture, 'GET', poll, undefined, later)).json().detail.error).toBe('run_not_found');
    expect(await fixture.state.runs.prune(fixture.clock.now())).toBe(1);
  });

  it('resolve addresses as the batch does: each once, charged once, and one that is not found is an entry', async () => {
    const fixture = await fixtureOf();
    const known = '73 Harlow St, Bangor, ME';
    fixture.tier.knows(known);
    const request = {
      locations: [
        { address: known },
        { address: 'Nowhere 1, Bangor, ME' },
        { address: 'PO Box 9, Bangor, ME' },
        PLACE,
        { address: known },
      ],
      fields: ['elevation'],
    };
    const accepted = await call(fixture, 'POST', '/v1/runs', { kind: 'fetch_batch', request });
    expect(accepted.statusCode, accepted.payload).toBe(202);
    const { poll } = accepted.json();
    // Nothing was resolved yet; what it may come to is held: four locations, two addresses.
    expect(fixture.tier.asked).toEqual([]);
    expect(await usage(fixture)).toMatchObject({ spent: 0, held: 6 });
    work(fixture);
    await vi.waitFor(
      async () => expect((await call(fixture, 'GET', poll)).json()).toMatchObject({ status: 'done' }),
      20_000,
    );
    const { result } = (await call(fixture, 'GET', poll)).json();
    expect(result.results).toMatchObject([
      { ok: true, resolved_location: { source: 'address' }, geocode: { accuracy_type: 'rooftop' } },
      { ok: false, error: { error: 'address_not_found' } },
      { ok: false, error: { error: 'address_form_unsupported' } },
      { ok: true, resolved_location: { source: 'coordinate' } },
      { ok: true, resolved_location: { source: 'address' } },
    ]);
    expect(fixture.tier.asked.filter(address => address === known)).toHaveLength(1);
    // Three values and one address: an address that nobody knows costs nothing.
    expect(await usage(fixture)).toMatchObject({ spent: 4, held: 0 });
    const batch = await call(fixture, 'POST', '/v1/fetch/batch', request);
    expect(result).toEqual(batch.json());
    // A file has a column a field, also where no place could be answered about.
    const nowhere = { locations: [{ lat: 1, lng: 1 }], preset: 'terrain' };
    const { poll: other } = (await call(fixture, 'POST', '/v1/runs', { kind: 'fetch_batch', request: nowhere })).json();
    await vi.waitFor(async () => expect((await call(fixture, 'GET', other)).json().status).toBe('done'), 20_000);
    expect((await call(fixture, 'GET', `${other}/artifacts/csv`)).payload.split('\r\n')[0]).toBe(
      'index,ok,lat,lng,source,error,slope_degrees,elevation,failed_fields',
    );
    const file = await call(fixture, 'GET', `${poll}/artifacts/csv`);
    const rows = parse(file.payload, { columns: true }) as Record<string, string>[];
    expect(rows.map(row => [row.source, row.error])).toEqual([
      ['address', ''],
      ['', 'address_not_found'],
      ['', 'address_form_unsupported'],
      ['coordinate', ''],
      ['address', ''],
    ]);
  });

  it('are charged by location for what came of each, and say how far they are as each ends', async () => {
    const fixture = await fixtureOf();
    const held = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
    let begun = 0;
    fixture.engine.before = () => held[begun++]!.promise;
    const request = { locations: [PLACE, { lat: 45, lng: -68 }], fields: ['elevation', 'slope_degrees'] };
    const { poll } = (await call(fixture, 'POST', '/v1/runs', { kind: 'fetch_batch', request })).json();
    const done = async () => (await call(fixture, 'GET', poll)).json().progress.done as number;
    work(fixture);
    try {
      await vi.waitFor(() => expect(begun).toBe(2), 20_000);
      expect(await done()).toBe(0);
      held[0]!.resolve();
      await vi.waitFor(async () => expect(await done()).toBe(1), 20_000);
      // Until all have ended nothing is spent: a server that is killed now costs its client nothing.
      expect(await usage(fixture)).toMatchObject({ spent: 0, held: 4 });
      fixture.engine.answers.set('slope_degrees', { status: 'failed', value: null, error: 'x', retryable: true });
    } finally {
      held[1]!.resolve();
    }
    await vi.waitFor(async () => expect((await call(fixture, 'GET', poll)).json().status).toBe('done'), 20_000);
    // Two fields of the first location, one of the second, whose other one failed.
    await vi.waitFor(async () => expect(await usage(fixture)).toMatchObject({ spent: 3, held: 0 }), 20_000);
  });

  it('are refused as the batch is, before anything is held, and hold what two of them cannot both have', async () => {
    const fixture = await fixtureOf('free');
    const refusals = [
      body({ fields: ['no_such'] }),
      body({ fields: [] }),
      body({ fields: undefined }),
      body({ fields: Array.from({ length: 51 }, (_, i) => `no_such_${i}`) }),
      body({ preset: 'no_such' }),
      body({ locations: [] }),
      body({ locations: [{ lat: 44 }] }),
      body({ locations: [PLACE, { ...PLACE, address: '73 Harlow St, Bangor, ME' }] }),
      body({ locations: Array.from({ length: 26 }, () => PLACE) }),
      body({ more: 1 }),
    ];
    /** What a refusal says; of its shape, wherever in the body the request stands. */
    const said = async (url: string, payload: object) => {
      const { statusCode, json } = await call(fixture, 'POST', url, payload);
      const text = JSON.stringify(json().detail).replaceAll('"request",', '').replaceAll('request.', '');
      return `${statusCode} ${text}`;
    };
    for (const refused of refusals) {
      const batch = await said('/v1/fetch/batch', refused.request);
      expect(batch).toMatch(/^4(?:00|22) /);
      expect(await said('/v1/runs', refused)).toBe(batch);
    }
    for (const refused of [{ ...body(), kind: 'other' }, { ...body(), more: 1 }, { kind: 'fetch_batch' }])
      expect((await call(fixture, 'POST', '/v1/runs', refused)).statusCode).toBe(422);
    expect((await call(fixture, 'POST', '/v1/runs', { ...body(), kind: 'x' })).json().detail).toMatchObject([
      { loc: ['body', 'kind'], msg: "Input should be 'fetch_batch'", type: 'literal_error', input: 'x' },
    ]);
    expect(await usage(fixture)).toMatchObject({ spent: 0, held: 0 });
    const dear = body({ locations: [PLACE, { lat: 45, lng: -68 }], fields: ['parcel_apn'] });
    expect((await call(fixture, 'POST', '/v1/runs', dear)).statusCode).toBe(202);
    expect(await usage(fixture)).toMatchObject({ held: 600 });
    // 400 are left: one location fits, then none.
    const second = await call(fixture, 'POST', '/v1/runs', dear);
    expect(await usage(fixture)).toMatchObject({ held: 900 });
    expect((await call(fixture, 'POST', '/v1/runs', dear)).json().detail.error).toBe('credits_exhausted');
    work(fixture);
    await vi.waitFor(async () => {
      const { json } = await call(fixture, 'GET', second.json().poll);
      expect(json().status).toBe('done');
      expect(json().result.results[1].error.error).toBe('credits_exhausted');
    }, 20_000);
    await vi.waitFor(async () => expect(await usage(fixture)).toMatchObject({ spent: 900, held: 0 }), 20_000);
  });

  it('are interrupted when their server stops: retryable, with nothing charged; a key submits once', async () => {
    const fixture = await fixtureOf();
    const ctx = contextFor(fixture);
    fixture.engine.before = signal =>
      new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
    const worker = work(fixture);
    const first = await submitRun(ctx, body(), 'one-key-for-it');
    const again = await submitRun(ctx, body(), 'one-key-for-it');
    expect(again).toEqual({ ...first, replayed: true });
    await expect(submitRun(ctx, body({ fields: ['elevation'] }), 'one-key-for-it')).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    await vi.waitFor(async () => expect((await readRun(ctx, first.run_id)).status).toBe('running'), 20_000);
    await vi.waitFor(() => expect(fixture.engine.calls.length).toBeGreaterThan(0), 20_000);
    await worker.stop();
    const run = await readRun(ctx, first.run_id);
    expect(JSON.parse(run.text)).toMatchObject({
      status: 'failed',
      result: null,
      error: { error: 'run_interrupted', retryable: true },
    });
    expect(await usage(fixture)).toMatchObject({ spent: 0, held: 0 });
    const file = await call(fixture, 'GET', `/v1/runs/${first.run_id}/artifacts/csv`);
    expect([file.statusCode, file.json().detail.error]).toEqual([409, 'run_failed']);
    const ended = await call(fixture, 'GET', `/v1/runs/${first.run_id}/events`);
    expect(ended.payload.match(/^event: /gm)).toHaveLength(1);
    expect(ended.payload).toContain('event: final');
  });
});

it('cells that a spreadsheet would run begin with an apostrophe; numbers do not', () => {
  const record = (value: unknown) => ({ value, status: value === null ? 'failed' : 'ok' });
  const result = {
    fetched_at: '',
    results: [
      {
        index: 0,
        ok: true,
        resolved_location: { lat: 44, lng: -68, source: 'coordinate' },
        fields: { a: record('=HYPERLINK("x")'), b: record(-3), c: record('two\nlines, "so"'), d: record(null) },
      },
    ],
  } as unknown as Parameters<typeof toCsv>[1];
  const text = toCsv(['a', 'b', 'c', 'd'], result);
  const [row] = parse(text, { columns: true }) as Record<string, string>[];
  expect(row).toMatchObject({ a: `'=HYPERLINK("x")`, b: '-3', c: 'two\nlines, "so"', d: '', failed_fields: 'd' });
  for (const start of ['+', '-', '@', '\t', '\r', '\n', '\uff1d', '\uff0b', '\uff0d', '\uff20'])
    expect(
      toCsv([], {
        ...result,
        results: [{ index: 0, ok: false, error: { error: `${start}x`, message: '', retryable: false } }],
      }),
    ).toContain(`'${start}x`);
  expect(toFeatures(['b'], result)).toMatchObject({
    features: [{ properties: { b: -3 }, geometry: { coordinates: [-68, 44] } }],
  });
});
