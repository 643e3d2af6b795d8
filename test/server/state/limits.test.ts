import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { databaseOn } from '../../../server/state/postgres/dialect.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { sharedPostgres } from './shared-postgres.ts';

it('limits of time hold for each statement and transaction behind PgBouncer, and for nobody after them', {
  tags: ['PostgreSQL', 'PgBouncer'],
}, async () => {
  const cluster = await sharedPostgres();
  onTestFinished(() => cluster.drop());
  const direct = await cluster.database();
  const pooler = await startPgBouncer(direct);
  onTestFinished(() => pooler.stop());
  const pool = new pg.Pool({ connectionString: pooler.through(direct), max: 1 });
  onTestFinished(() => pool.end());
  const [limited, free] = [databaseOn(pool, 250), databaseOn(pool, null)];
  const limits = async (db: Pick<typeof free, 'getExecutor'>) =>
    (
      await sql<{ statement: string; transaction: string }>`
        select current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as transaction`.execute(db)
    ).rows[0];
  const both = { statement: '250ms', transaction: '250ms' };
  expect(await limits(limited)).toEqual(both);
  expect(await limited.transaction().execute(limits)).toEqual(both);
  expect(await limited.transaction().setIsolationLevel('serializable').execute(limits)).toEqual(both);
  await expect(sql`select pg_sleep(60)`.execute(limited)).rejects.toMatchObject({ code: '57014' });
  expect(await limits(free)).toEqual({ statement: '0', transaction: '0' });
});
