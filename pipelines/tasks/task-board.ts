import { hostname } from 'node:os';
import pg from 'pg';
import { type Db, type JobAttempt, type JobWithMetadata, PgBoss } from 'pg-boss';
import { buildVersion } from '../ledger/code-version.ts';
import { makeTables, reasonOf, requirePostgres } from '../release/push/database.ts';
import type { Task, TaskFile, TaskOutput } from './task.ts';

/** Schema of pg-boss's tables. */
const SCHEMA = 'plat_ingest_tasks';
/** The queue of tasks that failed for good. */
const DEAD = 'dead';
/** The least that pg-boss allows: a worker that says nothing for so long has lost its task. */
const HEARTBEAT_SECONDS = 10;
/** Longest time a task may take, even with heartbeats. */
const LONGEST_SECONDS = 12 * 60 * 60;
/** A kill counts as an attempt, and machines may come and go as they like. */
const MOST_ATTEMPTS = 10_000;
/** Errors of one key until it is given up. */
const MOST_ERRORS = 3;
/** Seconds until the second attempt after an error; three times as many until the third. */
const WAIT_SECONDS = 5;
/** Seconds between two searches for workers that died, over all processes together. */
const LOOK_SECONDS = 2;
/** Tasks of one statement. */
const AT_ONCE = 1_000;

/** A machine that is cut off holds no row for longer than others wait. A pooler knows no limits of connections. */
const BEGIN = `begin; set local idle_in_transaction_session_timeout = '30 s'`;

const TABLES = `
  create schema if not exists plat_ingest;
  create table if not exists plat_ingest.output (
    key text primary key,
    files jsonb not null,
    rows bigint not null,
    attempt integer not null,
    worker text not null,
    took_ms bigint not null,
    made_at timestamptz not null default now()
  );
  create table if not exists plat_ingest.failure (
    key text primary key,
    errors integer not null,
    message text not null,
    worker text not null,
    failed_at timestamptz not null default now()
  )`;

/** A task that this process holds. */
export interface Claim {
  readonly task: Task;
  /** From 1; that of a worker that died counts. */
  readonly attempt: number;
  readonly held: JobAttempt;
}

/** Why a task was given up. */
export interface Failure {
  readonly key: string;
  readonly message: string;
  readonly worker: string;
}

const affected = (response: object) => (response as { readonly affected: number }).affected === 1;

/**
 * The tasks of ingests in PostgreSQL: what waits and who does it (pg-boss), what came of each (`plat_ingest.output`, the ledger),
 * and what failed (`plat_ingest.failure`). Every process of an ingest has one. Each build of Plat has a queue of its own.
 */
export class TaskBoard {
  /** Who takes tasks here. */
  readonly worker = `${hostname()}:${process.pid}`;
  readonly #pool: pg.Pool;
  readonly #boss: PgBoss;
  /** Gets what whoever watches should know. */
  readonly told: (line: string) => void;
  /** Its build: workers of another one do not see its tasks. */
  readonly build = `build-${buildVersion().slice(0, 16)}`;

  private constructor(pool: pg.Pool, boss: PgBoss, told: (line: string) => void) {
    this.#pool = pool;
    this.#boss = boss;
    this.told = told;
  }

  /**
   * Connects, and makes the tables where there are none.
   * @param told gets what goes wrong in the background.
   * @throws Error that never repeats the URL, which may hold a password.
   */
  static async open(url: string, told: (problem: string) => void): Promise<TaskBoard> {
    requirePostgres(url);
    const pool = new pg.Pool({
      connectionString: url,
      max: 4,
      connectionTimeoutMillis: 10_000,
      // A machine that is cut off learns of it.
      query_timeout: 15_000,
      keepAlive: true,
      application_name: 'plat ingest',
    });
    pool.on('error', error => told(error.message));
    const boss = new PgBoss({
      db: { executeSql: (text, values) => pool.query(text, values) },
      schema: SCHEMA,
      supervise: true,
      superviseIntervalSeconds: LOOK_SECONDS,
      monitorIntervalSeconds: LOOK_SECONDS,
      schedule: false,
      registerInstance: false,
      monitorVacuum: false,
      openTelemetry: { enabled: false },
    });
    boss.on('error', error => told(error.message));
    const board = new TaskBoard(pool, boss, told);
    try {
      await board.#begin();
      return board;
    } catch (error) {
      await board.close();
      throw new Error(`--queue: the database cannot be used (${reasonOf(error)})`, { cause: error });
    }
  }

  async #begin(): Promise<void> {
    await makeTables(this.#pool, TABLES);
    for (let attempt = 1; ; attempt++)
      try {
        await this.#boss.start();
        break;
      } catch (error) {
        // Of several that make the tables at once one wins, and the others may wait for it longer than they like.
        const { code, message } = error as { readonly code?: string; readonly message?: string };
        if (attempt === 5 || (code !== '23505' && message !== 'Query read timeout')) throw error;
      }
    await this.#boss.createQueue(DEAD, { deleteAfterSeconds: 0 });
    await this.#boss.createQueue(this.build, {
      policy: 'exclusive',
      deadLetter: DEAD,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: LONGEST_SECONDS,
      retryLimit: MOST_ATTEMPTS,
      retryDelay: 0,
    });
  }

  /** Forgets earlier failures of tasks, and lets each wait once, whoever else enqueued it. */
  async enqueue(tasks: readonly Task[]): Promise<void> {
    await this.#pool.query('delete from plat_ingest.failure where key = any($1)', [tasks.map(({ key }) => key)]);
    for (let from = 0; from < tasks.length; from += AT_ONCE) {
      const some = tasks.slice(from, from + AT_ONCE);
      const jobs = some.map(task => ({ data: task, singletonKey: task.key, priority: task.weight }));
      await this.#boss.insert(this.build, jobs);
    }
  }

  /** Those of some keys that are in the ledger. */
  async outputs(keys: readonly string[]): Promise<Map<string, TaskOutput>> {
    const { rows } = await this.#pool.query<{ key: string; files: TaskFile[]; rows: string }>(
      'select key, files, rows from plat_ingest.output where key = any($1)',
      [keys],
    );
    return new Map(rows.map(({ key, files, rows }) => [key, { files, rows: Number(rows) }]));
  }

  /** Removes a row of the ledger whose files are gone. */
  async forget(keys: readonly string[]): Promise<void> {
    await this.#pool.query('delete from plat_ingest.output where key = any($1)', [keys]);
  }

  /** Whether some worker does a task of this build. */
  async isAtWork(): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `select 1 from ${SCHEMA}.job where name = $1 and state = 'active' limit 1`,
      [this.build],
    );
    return rowCount === 1;
  }

  /** Whether any task of this build waits or is being done. */
  async hasTasks(): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `select 1 from ${SCHEMA}.job where name = $1 and state in ('created', 'retry', 'active') limit 1`,
      [this.build],
    );
    return rowCount === 1;
  }

  /** Those of some keys that were given up. */
  async failures(keys: readonly string[]): Promise<Failure[]> {
    const { rows } = await this.#pool.query<Failure>(
      'select key, message, worker from plat_ingest.failure where key = any($1) and errors >= $2 order by key',
      [keys, MOST_ERRORS],
    );
    return rows;
  }

  /** Takes the heaviest waiting task; null where none waits. */
  async claim(): Promise<Claim | null> {
    const [job] = (await this.#boss.fetch<Task>(this.build, { includeMetadata: true })) as JobWithMetadata<Task>[];
    if (!job) return null;
    const { id, retryCount, data } = job;
    return { task: data, attempt: retryCount + 1, held: { id, retryCount } };
  }

  /** Tells that the task is being done. @returns whether it is still ours. */
  async heartbeat({ held }: Claim): Promise<boolean> {
    return affected(await this.#boss.touch(this.build, held));
  }

  /**
   * Ends a task and writes its row of the ledger, both or neither.
   * @returns false where another worker has the task: nothing was written.
   */
  async finish(claim: Claim, { files, rows }: TaskOutput, tookMs: number): Promise<boolean> {
    const { task, attempt, held } = claim;
    const done = await this.#within(async db => {
      if (!affected(await this.#boss.complete(this.build, held, null, { db }))) return false;
      await db.executeSql(
        `insert into plat_ingest.output (key, files, rows, attempt, worker, took_ms) values ($1, $2, $3, $4, $5, $6)
         on conflict (key) do update set files = excluded.files, rows = excluded.rows, attempt = excluded.attempt,
           worker = excluded.worker, took_ms = excluded.took_ms, made_at = now()`,
        [task.key, JSON.stringify(files), rows, attempt, this.worker, Math.round(tookMs)],
      );
      return true;
    });
    return done || this.#isOurs(claim);
  }

  /** Whether the row of the ledger is this attempt's: the answer to a commit may be lost. */
  async #isOurs({ task, attempt }: Claim): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      'select 1 from plat_ingest.output where key = $1 and worker = $2 and attempt = $3',
      [task.key, this.worker, attempt],
    );
    return rowCount === 1;
  }

  /** Notes that a task failed with an error; after the third time it is not tried again. @returns false as of `finish`. */
  async fail({ task, held }: Claim, message: string): Promise<boolean> {
    return this.#within(async db => {
      const { rows } = await db.executeSql(
        `insert into plat_ingest.failure (key, errors, message, worker) values ($1, 1, $2, $3)
         on conflict (key) do update set errors = failure.errors + 1, message = excluded.message,
           worker = excluded.worker, failed_at = now()
         returning errors`,
        [task.key, message, this.worker],
      );
      const { errors } = rows[0] as { errors: number };
      const of = `where name = $1 and id = $2 and retry_count = $3`;
      const at = [this.build, held.id, held.retryCount];
      if (errors >= MOST_ERRORS)
        await db.executeSql(`update ${SCHEMA}.job set retry_limit = retry_count ${of} and state = 'active'`, at);
      if (!affected(await this.#boss.fail(this.build, held, { message }, { db }))) return false;
      const wait = WAIT_SECONDS * 3 ** (errors - 1);
      await db.executeSql(
        `update ${SCHEMA}.job set start_after = now() + $4 * interval '1 second' ${of} and state = 'retry'`,
        [...at, wait],
      );
      return true;
    });
  }

  /** Gives a task back that this process will not end. */
  async handBack({ held }: Claim): Promise<void> {
    await this.#pool.query(
      `update ${SCHEMA}.job set state = 'retry', start_after = now(), heartbeat_on = null
       where name = $1 and id = $2 and retry_count = $3 and state = 'active'`,
      [this.build, held.id, held.retryCount],
    );
  }

  /** Does something in a transaction, which is undone where it returns false or throws. */
  async #within(what: (db: Db) => Promise<boolean>): Promise<boolean> {
    const client = await this.#pool.connect();
    let broken = true;
    try {
      await client.query(BEGIN);
      const done = await what({ executeSql: (text, values) => client.query(text, values) });
      await client.query(done ? 'commit' : 'rollback');
      broken = false;
      return done;
    } finally {
      // The database undoes what a connection left open.
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false }).catch(() => {});
    await this.#pool.end();
  }
}
