import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { PlaceState } from '../../../query/release/home/place-states.ts';
import { noteBackup } from '../../../server/metrics/last-backup.ts';
import { exposeMetrics } from '../../../server/metrics/listener.ts';
import { Metrics } from '../../../server/metrics/metrics.ts';
import { METRICS } from '../../../server/metrics/registry.ts';
import { openSqlite } from '../../../server/state/sqlite.ts';
import { FakeClock } from '../fake-clock.ts';
import { openFixture } from '../service-fixture.ts';

/** An application whose metrics are counted, and what Prometheus would read of it. */
async function counted() {
  const metrics = new Metrics();
  const clock = new FakeClock();
  const places: Record<string, PlaceState> = {};
  const home = mkdtempSync(join(tmpdir(), 'plat-metrics-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const state = metrics.watch(await openSqlite(':memory:'));
  const fixture = await openFixture({ metrics, state, clock });
  metrics.read({
    engine: fixture.engine,
    cache: null,
    replica: { state: { number: 3, bytes: 10, progress: null, problem: null } },
    state,
    places: () => places,
    home,
    now: () => clock.now(),
  });
  const ask = (fields: readonly string[], headers = { authorization: `Bearer ${fixture.token}` }) =>
    fixture.app.inject({ method: 'POST', url: '/v1/fetch', headers, payload: { lat: 44.8, lng: -68.77, fields } });
  const read = async () => {
    const values = new Map<string, number>();
    for (const line of (await metrics.registry.metrics()).split('\n')) {
      const [, name, value] = /^(\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
      if (name) values.set(name, Number(value));
    }
    return values;
  };
  return { metrics, fixture, ask, read, clock, places, home };
}

it('requests, credits, workers, queue, release, ages, damage and store are what they are', async () => {
  const { fixture, ask, read, clock } = await counted();
  for (let i = 0; i < 3; i++) expect((await ask(['elevation', 'flood_note'])).statusCode).toBe(200);
  fixture.engine.answers.set('slope_degrees', { status: 'failed', value: null, error: 'x', retryable: true } as never);
  await ask(['slope_degrees', 'flood_note']);
  await ask(['elevation'], { authorization: 'Bearer nonsense' });
  await fixture.app.inject('/nowhere');
  const retrievedAt = new Date(clock.now() - 3_600_000).toISOString();
  fixture.engine.sources = [{ dataset: 'test_dem', retrievedAt }] as never;
  const damage = [{ file: 'features file 0', layers: ['a:b', 'c:d'], problem: 'p' }];
  fixture.engine.current = { ...fixture.engine.current, waiting: 7, damage, workers: { size: 2, ready: 1 } };
  const values = await read();
  expect(Object.fromEntries(values)).toMatchObject({
    'plat_requests_total{route="/v1/fetch",method="POST",status="200"}': 4,
    'plat_requests_total{route="/v1/fetch",method="POST",status="401"}': 1,
    'plat_requests_total{route="none",method="GET",status="404"}': 1,
    'plat_request_seconds_count{route="/v1/fetch"}': 5,
    'plat_requests_running{class="build"}': 0,
    'plat_credits_reserved_total{endpoint="fetch"}': 8,
    plat_credits_spent_total: 7,
    plat_workers: 2,
    plat_workers_ready: 1,
    plat_queue_waiting: 7,
    plat_state_up: 1,
    'plat_release_info{release="r1"}': 1,
    'plat_dataset_age_seconds{dataset="test_dem"}': 3600,
    plat_release_age_seconds: 3600,
    'plat_damaged_files{layer="a:b"}': 1,
    'plat_damaged_files{layer="c:d"}': 1,
  });
  expect(values.get('plat_state_seconds_count')).toBeGreaterThan(8);
  // What is over is not told for ever.
  fixture.engine.current = { ...fixture.engine.current, release: 'r2', damage: [] };
  const after = await read();
  expect([...after.keys()].filter(name => /^plat_(?:damaged|release_info)/.test(name))).toEqual([
    'plat_release_info{release="r2"}',
  ]);
  await fixture[Symbol.asyncDispose]();
});

it('a request that runs is counted by the plan of its account', async () => {
  const { fixture, ask, read } = await counted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  fixture.engine.before = () => {
    began.resolve();
    return promise;
  };
  const running = ask(['elevation']);
  await began.promise;
  expect((await read()).get('plat_requests_running{class="build"}')).toBe(1);
  resolve();
  await running;
  expect((await read()).get('plat_requests_running{class="build"}')).toBe(0);
  await fixture[Symbol.asyncDispose]();
});

it('a refused allowance is counted', async () => {
  const { fixture, ask, read } = await counted();
  await fixture.state.setMonthlyCreditLimit(fixture.account.id, 0);
  expect((await ask(['elevation'])).statusCode).toBe(402);
  expect((await read()).get('plat_credits_refused_total{endpoint="fetch"}')).toBe(1);
  await fixture[Symbol.asyncDispose]();
});

it('places have a label each, beyond 500 the rest has one together, and those that fail come first', async () => {
  const { fixture, read, clock, places } = await counted();
  const ago = (seconds: number) => new Date(clock.now() - 1000 * seconds).toISOString();
  const well = { askedAt: ago(60), newAt: ago(600), failedSince: null, why: null };
  for (let i = 0; i < 510; i++) places[`place-${String(i).padStart(3, '0')}`] = { ...well, files: {} };
  places['place-509'] = { ...well, files: { 'a.csv': { ...well, failedSince: ago(900), why: 'gone' } } };
  places['place-508'] = { ...well, newAt: ago(4000), files: {} };
  const values = await read();
  expect(values.get('plat_place_failing_seconds{place="place-509"}')).toBe(900);
  expect(values.get('plat_place_failing_seconds{place="place-001"}')).toBe(0);
  expect(values.get('plat_place_asked_seconds{place="place-001"}')).toBe(60);
  expect(values.get('plat_place_age_seconds{place="other"}')).toBe(4000);
  expect([...values.keys()].filter(name => name.startsWith('plat_place_age_seconds'))).toHaveLength(501);
  await fixture[Symbol.asyncDispose]();
});

it('jobs, the disk and the last backup are told', async () => {
  const { fixture, read, clock, home } = await counted();
  const job = { kind: 'counting', key: null, account: null, data: {}, attempts: 1, retryMs: 1, mostMs: 1 };
  await fixture.state.jobs.enqueue(job);
  await fixture.state.jobs.enqueue({ ...job, kind: 'failing' });
  const claim = await fixture.state.jobs.claim('failing');
  await fixture.state.jobs.fail(claim!, 'broken', true);
  expect((await read()).has('plat_backup_age_seconds')).toBe(false);
  noteBackup(home, clock.now() - 7_200_000);
  const values = await read();
  expect(values.get('plat_jobs{kind="counting",status="waiting"}')).toBe(1);
  expect(values.get('plat_jobs{kind="failing",status="failed"}')).toBe(1);
  expect(values.has('plat_jobs_waiting_seconds{kind="failing"}')).toBe(false);
  expect(values.get('plat_backup_age_seconds')).toBe(7200);
  const { bsize, blocks } = statfsSync(home);
  expect(values.get('plat_disk_bytes')).toBe(bsize * blocks);
  expect(values.get('plat_disk_free_bytes')).toBeGreaterThan(0);
  await fixture[Symbol.asyncDispose]();
});

it('every metric of the registry is there, with those of the process and the event loop', async () => {
  const { metrics, fixture } = await counted();
  const names = (await metrics.registry.getMetricsAsJSON()).map(({ name }) => name);
  expect(names.filter(name => name.startsWith('plat_')).sort()).toEqual(Object.keys(METRICS).sort());
  expect(names).toEqual(expect.arrayContaining(['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds']));
  await fixture[Symbol.asyncDispose]();
});

it('answers on a port of its own, only for what it is there for', async () => {
  const { registry } = new Metrics();
  const listener = await exposeMetrics(
    { contentType: registry.contentType, metrics: () => registry.metrics() },
    '127.0.0.1',
    0,
  );
  const base = `http://127.0.0.1:${listener.port}`;
  const reply = await fetch(`${base}/metrics`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, registry.contentType]);
  expect(await reply.text()).toContain('# TYPE plat_requests_total counter');
  expect((await fetch(`${base}/v1/meta/plans`)).status).toBe(404);
  expect((await fetch(`${base}/metrics`, { method: 'POST' })).status).toBe(404);
  await listener.close();
  const failing = { contentType: 'x', metrics: () => Promise.reject(new Error('Operation timed out.')) };
  const other = await exposeMetrics(failing, '127.0.0.1', 0);
  expect((await fetch(`http://127.0.0.1:${other.port}/metrics`)).status).toBe(503);
  await other.close();
});
