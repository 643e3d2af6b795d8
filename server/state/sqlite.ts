import { Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { changesWithin } from './changes/changes.ts';
import { storeIn } from './database.ts';
import { embeddedJobs } from './jobs/embedded.ts';
import { migrate, NewerTables } from './migrations.ts';
import type { Watch } from './outage/watch.ts';
import { keepCheckpoints } from './sqlite/checkpoints.ts';
import { nodeSqlite } from './sqlite/dialect.ts';
import type { StateStore } from './store.ts';
import type { Tables } from './tables.ts';

/** Free pages of 4 kB that are kept, so that the file does not shrink and grow all day. */
const SPARE_PAGES = 1_000;
/** Pages returned at once, which takes 3 ms. */
const PORTION_PAGES = 200;

/** Milliseconds without a heartbeat after which a job's process counts as dead. A busy machine may miss a few. */
const LEASE_MS = 15_000;

async function giveBack(db: Kysely<Tables>): Promise<boolean> {
  const free = async () => (await sql<{ freelist_count: number }>`pragma freelist_count`.execute(db)).rows[0]!;
  const { freelist_count: before } = await free();
  if (before < SPARE_PAGES + PORTION_PAGES) return false;
  await sql`pragma incremental_vacuum(${sql.lit(PORTION_PAGES)})`.execute(db);
  return (await free()).freelist_count < before;
}

/**
 * Opens (and migrates) the state store in an SQLite file.
 * @param file `:memory:` or a path.
 * @param watch is told of every statement that has finished. It is a server's: a thread then keeps the log short.
 * @param clock by which leases of jobs are measured.
 * @throws Error when a migration fails.
 */
export async function openSqlite(file: string, watch: Watch | null = null, clock: Clock = Date): Promise<StateStore> {
  const db = new Kysely<Tables>({ dialect: nodeSqlite(file, watch) });
  try {
    await db.transaction().execute(tx => migrate(tx));
  } catch (cause) {
    await db.destroy();
    const why = cause instanceof NewerTables ? cause.message : 'its tables could not be brought up to date';
    throw new Error(`State store ${file}: ${why}`, { cause });
  }
  const changes = changesWithin();
  const jobs = embeddedJobs(db, changes, clock, LEASE_MS);
  const store = storeIn(db, { changes, jobs, giveBack: () => giveBack(db) });
  if (watch === null || file === ':memory:') return store;
  const endCheckpoints = keepCheckpoints(file);
  const close = async () => {
    await endCheckpoints();
    await store.close();
  };
  return { ...store, close };
}
