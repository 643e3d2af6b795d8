import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { parse } from 'csv-parse/sync';
import { createParser } from 'eventsource-parser';
import { afterEach, expect, it, vi } from 'vitest';
import type { MatchTable } from '../../../query/sets/part/match-columns.ts';
import { JOB_KINDS } from '../../../server/job-kinds.ts';
import { type JobWorker, workOnJobs } from '../../../server/jobs/worker.ts';
import { contextFor, type Fixture, NO_CALLBACKS, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';

const open: Fixture[] = [];
const workers: JobWorker[] = [];
const endWork = () => Promise.all(workers.splice(0).map(worker => worker.stop()));
afterEach(async () => {
  await endWork();
  for (const fixture of open.splice(0)) await fixture.app.close();
});

const POINTS = [
  'custom_id,lat,lng,note',
  'a,44.1,-68.1,one',
  '"=SUM(A1)",44.2,-68.2,two',
  'c,1,1,far away',
  '-7,44.3,-68.3,four',
].join('\n');

const FILTERS = [{ field: 'state', op: 'eq', value: 'ME' }];
/** Bytes of a table of parcels of some rows. */
const tableOf = (rows: readonly number[]): Uint8Array => {
  const table: MatchTable = {
    count: rows.length,
    columns: new Map<string, unknown[]>([
      ['parcel_id', rows.map(row => `pcl_${row}`)],
      ['apn', rows.map(row => `7-${row}`)],
      ['lat', rows.map(() => 44.8)],
      ['lng', rows.map(() => -68.77)],
    ]),
    lacks: rows.map(() => ''),
    shapes: null,
  };
  return serialize(table);
};

describeStores('exports', kind => {
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
  const call = (
    { app, token }: Fixture,
    method: 'GET' | 'POST',
    url: string,
    payload?: object | string | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
  const upload = (fixture: Fixture, body: string | Buffer, type = 'text/csv') =>
    call(fixture, 'POST', '/v1/uploads', body, { 'content-type': type });
  const usage = (fixture: Fixture) => fixture.state.ledger.usage(fixture.account.id, '2026-01', fixture.clock.now());
  const ended = async (fixture: Fixture, poll: string) => {
    let body: { status: string } = { status: 'queued' };
    await vi.waitFor(
      async () => {
        body = (await call(fixture, 'GET', poll)).json();
        expect(['done', 'failed']).toContain(body.status);
      },
      { timeout: 20_000, interval: 50 },
    );
    return body as never as {
      status: string;
      counts: object;
      progress: object;
      files: { name: string; bytes: number; sha256: string }[];
      error: { error: string } | null;
    };
  };

  it('of an upload have a row for each of its rows, are followed to the end, charged by row and downloaded in pieces', async () => {
    const fixture = await fixtureOf();
    const sent = await upload(fixture, POINTS);
    expect([sent.statusCode, sent.json()]).toMatchObject([
      201,
      { rows: 4, columns: ['custom_id', 'lat', 'lng', 'note'] },
    ]);
    const body = { upload_id: sent.json().upload_id, fields: ['elevation', 'slope_degrees'], format: 'csv' };
    const quote = (await call(fixture, 'POST', '/v1/exports/quote', body)).json();
    expect(quote).toMatchObject({ locations: 4, credits_per_location: 2, credits_total: 8 });
    const accepted = await call(fixture, 'POST', '/v1/exports', body, { 'idempotency-key': 'export-0001' });
    expect(accepted.statusCode).toBe(202);
    const { export_id: id, poll, events } = accepted.json();
    const again = await call(fixture, 'POST', '/v1/exports', body, { 'idempotency-key': 'export-0001' });
    expect(again.json()).toEqual({ ...accepted.json(), replayed: true });
    expect((await call(fixture, 'GET', poll)).json()).toMatchObject({
      status: 'queued',
      progress: { done: 0, total: 4 },
      files: [],
      request: body,
    });
    expect(await usage(fixture)).toMatchObject({ spent: 0, held: 8 });
    const early = await call(fixture, 'GET', `${poll}/files/export.csv`);
    expect([early.statusCode, early.json().detail.error]).toEqual([409, 'export_not_ready']);

    const followed = call(fixture, 'GET', events);
    work(fixture);
    const frames: { event: string; data: object }[] = [];
    createParser({ onEvent: ({ event, data }) => frames.push({ event: event!, data: JSON.parse(data) }) }).feed(
      (await followed).payload,
    );
    const done = await ended(fixture, poll);
    expect(frames.at(-1)).toEqual({ event: 'final', data: done });
    expect(done).toMatchObject({
      status: 'done',
      progress: { done: 4, total: 4 },
      counts: { rows_ok: 3, rows_failed: 1, values_ok: 6, values_absent: 0, values_failed: 0 },
    });
    // The row without a place costs nothing.
    expect(await usage(fixture)).toMatchObject({ spent: 6, held: 0 });

    const file = await call(fixture, 'GET', `${poll}/files/export.csv`);
    const [csv, sidecar] = done.files;
    expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(csv!.sha256);
    expect(file.rawPayload.length).toBe(csv!.bytes);
    const rows = parse(file.payload, { columns: true }) as Record<string, string>[];
    expect(rows.map(row => [row.row, row.custom_id, row.elevation, row.status])).toEqual([
      ['1', 'a', '12.5', 'ok'],
      ['2', "'=SUM(A1)", '12.5', 'ok'],
      ['3', 'c', '', 'failed:coord_out_of_bounds'],
      ['4', "'-7", '12.5', 'ok'],
    ]);
    expect(Object.keys(rows[0]!)).toEqual([
      'row',
      'custom_id',
      'lat',
      'lng',
      'h3',
      'elevation',
      'slope_degrees',
      'status',
    ]);
    const cited = (await call(fixture, 'GET', `${poll}/files/${sidecar!.name}`)).json();
    expect(cited.fields.elevation).toMatchObject({ unit: 'm', sources: [{ source: 'test_dem' }] });
    expect(cited.rows_without_place).toEqual([{ row: 3, custom_id: 'c', status: 'failed:coord_out_of_bounds' }]);

    const part = await call(fixture, 'GET', `${poll}/files/export.csv`, undefined, { range: 'bytes=4-9' });
    expect([part.statusCode, part.headers['content-range'], part.payload]).toEqual([
      206,
      `bytes 4-9/${csv!.bytes}`,
      file.payload.slice(4, 10),
    ]);
    const rest = await call(fixture, 'GET', `${poll}/files/export.csv`, undefined, {
      range: 'bytes=-5',
      'if-range': `"${csv!.sha256}"`,
    });
    expect(rest.payload).toBe(file.payload.slice(-5));
    const changed = await call(fixture, 'GET', `${poll}/files/export.csv`, undefined, {
      range: 'bytes=-5',
      'if-range': '"another"',
    });
    expect([changed.statusCode, changed.payload]).toEqual([200, file.payload]);
    const beyond = await call(fixture, 'GET', `${poll}/files/export.csv`, undefined, { range: 'bytes=99999-' });
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${csv!.bytes}`]);
    expect((await call(fixture, 'GET', `${poll}/files/other.csv`)).statusCode).toBe(404);
    expect(existsSync(join(contextFor(fixture).home, 'exports', id))).toBe(false);

    const stranger = await fixture.state.openAccount('other@example.org', 'build');
    const token = await fixture.tokens.issue(stranger);
    for (const path of [poll, events, `${poll}/files/export.csv`])
      expect((await call({ ...fixture, token }, 'GET', path)).statusCode).toBe(404);
    expect((await call(fixture, 'GET', '/v1/exports')).json().exports).toMatchObject([{ export_id: id }]);
    expect((await call({ ...fixture, token }, 'GET', '/v1/exports')).json().exports).toEqual([]);
    const taken = await call({ ...fixture, token }, 'POST', '/v1/exports', body);
    expect([taken.statusCode, taken.json().detail.error]).toEqual([404, 'upload_not_found']);

    fixture.clock.time += 31 * 24 * 60 * 60 * 1000;
    while ((await fixture.state.exports.prune(fixture.clock.now())) > 0);
    while ((await fixture.state.uploads.prune(fixture.clock.now())) > 0);
    expect(await fixture.state.pieces.piece(id, 'export.csv', 0)).toBeNull();
    expect(await fixture.state.pieces.piece(body.upload_id, 'parts', 0)).toBeNull();
  });

  it('of a search go on where a process left off: every parcel once, charged once', async () => {
    const fixture = await fixtureOf();
    const { engine } = fixture;
    engine.counted = { ...(engine.counted as object), count: 3 } as never;
    const asked = await call(fixture, 'POST', '/v1/exports', {
      search: { filters: FILTERS },
      fields: ['elevation'],
      format: 'csv',
    });
    const { poll } = asked.json();
    const next = { county: 'ME/23019', row: 1 };
    let asks = 0;
    const parts = [
      { rows: [0, 1], next },
      { rows: [2], next: null },
    ];
    engine.before = async () => {
      const last = engine.partsAsked.at(-1);
      const { rows, next: after } = parts[last?.after ? 1 : 0]!;
      const table = tableOf(rows);
      const places = rows.map(row => ({ id: `pcl_${row}`, county: 'ME/23019', row, lng: -68.77, lat: 44.8 }));
      engine.part = { count: rows.length, table, places, next: after, unread: false, late: false };
      // The process is stopped while it makes the second part.
      if (last?.after && asks++ === 0) await new Promise(resolve => setTimeout(resolve, 500));
    };
    work(fixture);
    await vi.waitFor(() => expect(asks).toBe(1), { timeout: 10_000 });
    await endWork();
    const between = (await call(fixture, 'GET', poll)).json();
    expect(between.progress.done).toBeGreaterThanOrEqual(2);
    work(fixture);
    const done = await ended(fixture, poll);
    expect(done).toMatchObject({ status: 'done', progress: { done: 3, total: 3 }, error: null });
    const rows = parse((await call(fixture, 'GET', `${poll}/files/export.csv`)).payload, { columns: true });
    expect((rows as { parcel_id: string }[]).map(row => row.parcel_id)).toEqual(['pcl_0', 'pcl_1', 'pcl_2']);
    expect(await usage(fixture)).toMatchObject({ spent: 3, held: 0 });
    expect(engine.partsAsked.filter(({ after }) => after === null)).toHaveLength(1);
  });

  it('cost nothing and take nothing from the day when they are refused', async () => {
    const fixture = await fixtureOf('free');
    const rows = (count: number) =>
      ['lat,lng', ...Array.from({ length: count }, (_, i) => `44.${i + 1000},-68`)].join('\n');
    const { upload_id } = (await upload(fixture, rows(600))).json();
    const dear = await call(fixture, 'POST', '/v1/exports', {
      upload_id,
      fields: ['elevation', 'slope_degrees'],
      format: 'csv',
    });
    expect([dear.statusCode, dear.json().detail]).toMatchObject([
      402,
      { error: 'credits_exhausted', credits_required: 1200 },
    ]);
    const first = await call(fixture, 'POST', '/v1/exports', { upload_id, fields: ['elevation'], format: 'csv' });
    expect(first.statusCode).toBe(202);
    fixture.engine.counted = { ...(fixture.engine.counted as object), count: 401 } as never;
    const many = await call(fixture, 'POST', '/v1/exports', { search: { filters: FILTERS }, format: 'csv' });
    expect([many.statusCode, many.json().detail]).toMatchObject([
      402,
      { error: 'credits_exhausted', rows_required: 401, rows_a_day: 1000, rows_used: 600 },
    ]);
    expect(await usage(fixture)).toMatchObject({ spent: 0, held: 600 });
    const quote = await call(fixture, 'POST', '/v1/exports/quote', { search: { filters: FILTERS }, format: 'csv' });
    expect(quote.json().notes).toContain('The export would be refused with credits_exhausted.');
  });

  it('that cannot go on fail with their code and give back what they held', async () => {
    const fixture = await fixtureOf();
    const { upload_id } = (await upload(fixture, POINTS)).json();
    const { poll } = (
      await call(fixture, 'POST', '/v1/exports', { upload_id, fields: ['elevation'], format: 'arrow' })
    ).json();
    while (await fixture.state.pieces.drop(upload_id, 'parts'));
    work(fixture);
    expect(await ended(fixture, poll)).toMatchObject({ status: 'failed', error: { error: 'upload_not_found' } });
    expect(await usage(fixture)).toMatchObject({ spent: 0, held: 0 });
    const file = await call(fixture, 'GET', `${poll}/files/export.arrows`);
    expect([file.statusCode, file.json().detail.error]).toEqual([409, 'export_failed']);
  });
});
