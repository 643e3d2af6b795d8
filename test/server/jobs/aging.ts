import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Effect, JobQueue, NewJob } from '../../../server/state/jobs/queue.ts';
import { openSqlite } from '../../../server/state/sqlite.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { FakeClock } from '../fake-clock.ts';
import type { StatePlace, StoreKind } from '../state/state-stores.ts';

/** A job that counts. */
export const job = (key: string | null, more: Partial<NewJob> = {}): NewJob => ({
  kind: 'count',
  key,
  account: null,
  data: { n: 1 },
  attempts: 3,
  retryMs: 2_000,
  mostMs: 60_000,
  ...more,
});

/** A store whose jobs grow older at a word. */
export interface Aging {
  readonly state: StateStore;
  readonly jobs: JobQueue;
  readonly clock: FakeClock;
  readonly where: StatePlace;
  /** Lets time pass for jobs: as if it had been later all along. */
  pass(ms: number): Promise<void>;
  /** Effects that were committed. */
  effects(): Promise<string[]>;
}

/** Writes its name where the suite finds it. */
export const mark =
  (name: string): Effect =>
  async tx => {
    await tx
      .insertInto('attempts')
      .values({ key: `${name}/${crypto.randomUUID()}`, period: 0, attempts: 1, ends_at: 9e15 })
      .execute();
  };

/** One place for all tests of a kind of store: making a database takes longer than most of them. */
const places = new WeakMap<StoreKind, Promise<StatePlace>>();

async function ask(where: StatePlace, text: string): Promise<Record<string, unknown>[]> {
  if (where.url === '') {
    const file = new DatabaseSync(`${where.home}/state.sqlite`);
    const rows = file.prepare(text).all();
    file.close();
    return rows as Record<string, unknown>[];
  }
  const client = new pg.Client({ connectionString: where.url });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows as Record<string, unknown>[];
}

/** @param clear false: another connection to what an earlier one of the test filled. */
export async function aging(kind: StoreKind, clear = true): Promise<Aging> {
  const known = places.get(kind) ?? kind.place();
  places.set(kind, known);
  const where = await known;
  const clock = new FakeClock();
  const state = where.url === '' ? await openSqlite(`${where.home}/state.sqlite`, null, clock) : await kind.open(where);
  const { jobs } = state;
  await jobs.maintain();
  if (clear)
    for (const table of [
      'jobs',
      'job_turns',
      'job_schedules',
      'attempts',
      ...(where.url === '' ? [] : ['plat_jobs.job']),
    ])
      await ask(where, `delete from ${table}`);
  return {
    state,
    jobs,
    clock,
    where,
    async pass(ms) {
      clock.time += ms;
      if (where.url === '') return;
      const back = (column: string) => `${column} = ${column} - interval '${ms} ms'`;
      const columns = ['start_after', 'created_on', 'started_on', 'completed_on', 'heartbeat_on', 'keep_until'];
      await ask(where, `update plat_jobs.job set ${columns.map(back).join(', ')}`);
      await ask(
        where,
        `update plat_jobs.queue set ${['monitor_claim_on', 'monitor_on', 'maintain_on'].map(back).join(', ')}`,
      );
      await jobs.maintain();
    },
    async effects() {
      const rows = await ask(where, 'select key from attempts where period = 0');
      return rows.map(row => String(row.key).split('/')[0]!).sort();
    },
  };
}
