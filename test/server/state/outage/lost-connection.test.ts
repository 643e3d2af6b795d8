import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { openState } from '../../../../server/state/open.ts';
import { type SharedPostgres, sharedPostgres } from '../shared-postgres.ts';

let shared: SharedPostgres | undefined;
afterAll(async () => shared?.drop());

it('a connection that the database closes between two statements of a transaction fails that work, not the process', {
  tags: ['PostgreSQL'],
}, async () => {
  shared = await sharedPostgres();
  const url = await shared.migrated();
  // As commands and migrations open it: without a watch.
  const state = await openState('', url);
  const operator = new pg.Client({ connectionString: url });
  await operator.connect();
  await state.jobs.enqueue({
    kind: 'screening',
    key: null,
    account: null,
    data: {},
    attempts: 1,
    retryMs: 1_000,
    mostMs: 1_000,
  });
  const claim = (await state.jobs.claim('screening'))!;
  const end = async () => {
    const others = 'pid <> pg_backend_pid() and datname = current_database()';
    await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
    await sleep(100);
  };
  await expect(state.jobs.finish(claim, end)).rejects.toThrow();
  expect((await state.jobs.jobs({ limit: 10 })).map(({ status }) => status)).toEqual(['running']);
  await operator.end();
  await state.close();
});
