import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A worker as a process of its own. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  /** What it has told so far. */
  told(): string;
  /** Its exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Ends it by a signal, and waits for that. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

const LOADER = ['--import', join(ROOT, 'node_modules/tsx/dist/loader.mjs')];

/**
 * Starts a program of the sources: those that this process runs, whose tasks it shall take.
 * @param within a command that becomes the one after it.
 */
export function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  within: readonly string[] = [],
): WorkerProcess {
  const [command, ...rest] = [...within, process.execPath, ...LOADER, ...args];
  const child = spawn(command!, rest, {
    cwd: ROOT,
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr!.on('data', chunk => (told += chunk));
  const ended = new Promise<number | null>(resolve => child.once('close', resolve));
  return {
    child,
    told: () => told,
    ended,
    async end(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
    },
  };
}

/** Starts `plat ingest worker`. @param home its PLAT_HOME. */
export const startWorker = (
  home: string,
  queue: string,
  store: string,
  env: Readonly<Record<string, string>> = {},
  threads = 1,
  within: readonly string[] = [],
  more: readonly string[] = [],
): WorkerProcess =>
  startProgram(
    ['plat.ts', 'ingest', 'worker', '--queue', queue, '--store', store, '--threads', String(threads), ...more],
    { PLAT_HOME: home, ...env },
    within,
  );

/** Asks a database one thing. */
export async function askOf<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Lets the heartbeats of all workers be a minute old. */
export const ageHeartbeats = (url: string) =>
  askOf(url, `update plat_ingest_tasks.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`);
