import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, vi } from 'vitest';
import { type JobKind, jobOf } from '../../../server/jobs/job-kind.ts';
import { workOnJobs } from '../../../server/jobs/worker.ts';
import { openState } from '../../../server/state/open.ts';
import { contextFor, NO_CALLBACKS, openFixture } from '../service-fixture.ts';
import { startPgBouncer } from '../state/pgbouncer.ts';
import { sharedPostgres } from '../state/shared-postgres.ts';
import { mark } from './aging.ts';

/** Jobs that wait at any time. */
const WAITING = 20;
/** More than PgBouncer has connections of the database: each is asked. */
const ASKED = 12;

const ON_PURPOSE = 'on purpose';

/** What a connection of the database has that its next client would find. */
const LEFT = `
  select current_setting('statement_timeout') as statement_limit,
    current_setting('idle_in_transaction_session_timeout') as transaction_limit,
    (select count(*)::int from pg_listening_channels()) as channels,
    (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks,
    (select count(*)::int from pg_prepared_statements) as statements,
    (select count(*)::int from pg_class where relpersistence = 't') as temporary`;

const counting: JobKind<{ readonly name: string }> = {
  ...{ name: 'count', summary: 'Counts.', atOnce: 4, attempts: 3, retryMs: 1_000, mostMs: 1_000 },
  async run(_services, { data, attempt, progress }) {
    await progress(1, 2);
    if (attempt === 1 && data.name.endsWith('7')) throw new Error(ON_PURPOSE);
    return mark(data.name);
  },
};

/**
 * Two servers open one empty database behind PgBouncer at once, and work on jobs for a while. Each job has its effect once,
 * no outage is told of, and connections of the database are left as they were.
 * @returns how many jobs there were.
 */
export async function workBehindPooler(ms: number): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'plat-pooled-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const cluster = await sharedPostgres();
  onTestFinished(() => cluster.drop());
  const direct = await cluster.database();
  const pooler = await startPgBouncer(direct);
  onTestFinished(() => pooler.stop());
  const url = pooler.through(direct);
  const told: string[] = [];
  const tell = ({ err }: { err?: Error }, message: string) => {
    if (err?.message !== ON_PURPOSE) told.push(`${message}: ${err?.message}`);
  };
  const log = { error: tell, warn: tell };
  const stores = await Promise.all([openState(home, url, log), openState(home, url, log)]);
  await Promise.all(stores.map(state => state.jobs.maintain()));
  const workers = await Promise.all(
    stores.map(async state => {
      const services = contextFor(await openFixture({ state, cache: false }));
      return workOnJobs({ ...services, callbacks: NO_CALLBACKS, log }, [counting]);
    }),
  );
  const [one, other] = stores as [(typeof stores)[0], (typeof stores)[0]];
  const connected = async (connectionString: string) => {
    const client = new pg.Client({ connectionString });
    onTestFinished(() => client.end());
    await client.connect();
    return client;
  };
  const client = await connected(direct);
  const count = async (of: string) => Number((await client.query(`select count(*) as n from ${of}`)).rows[0].n);
  let jobs = 0;
  for (const end = performance.now() + ms; performance.now() < end || jobs < WAITING; ) {
    if ((await count(`plat_jobs.job where state < 'active'`)) >= WAITING) await sleep(50);
    else {
      const name = `job-${jobs++}`;
      await (jobs % 2 === 0 ? one : other).jobs.enqueue(jobOf(counting, name, { name }, jobs % 3 === 0 ? null : 'a'));
    }
  }
  await vi.waitFor(async () => expect(await count(`plat_jobs.job where state <> 'completed'`)).toBe(0), 60_000);
  await Promise.all(workers.map(worker => worker.stop()));
  const { rows } = await client.query<{ name: string }>(
    `select split_part(key, '/', 1) as name from attempts where period = 0`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Array.from({ length: jobs }, (_, i) => `job-${i}`).sort());
  expect(told).toEqual([]);
  await Promise.all(stores.map(store => store.close()));
  const next = await connected(url);
  const pids = new Set<number>();
  for (let i = 0; i < ASKED; i++) {
    pids.add((await next.query('select pg_backend_pid() as pid')).rows[0].pid);
    expect((await next.query(LEFT)).rows).toEqual([
      { statement_limit: '0', transaction_limit: '0', channels: 0, locks: 0, statements: 0, temporary: 0 },
    ]);
  }
  // They were not the last one alone.
  expect(pids.size).toBeGreaterThan(1);
  return jobs;
}
