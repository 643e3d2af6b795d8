import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Where Debian keeps the newest installed PostgreSQL server, or null. */
export const BIN: string | null = (() => {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const newest = readdirSync(root).sort((a, b) => Number(b) - Number(a))[0];
  return newest && existsSync(join(root, newest, 'bin/initdb')) ? join(root, newest, 'bin') : null;
})();

/** The server refuses to run as root; then it runs as the user that its package made, or as nobody. */
const IDENTITY = (() => {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => {
    try {
      return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    } catch {
      return 65_534;
    }
  };
  return { uid: id('-u'), gid: id('-g') };
})();

export const POSTGRES_INSTALLED = BIN !== null;

/** Its major version; 0 where it is not installed. */
export const POSTGRES_VERSION = Number(BIN?.split('/').at(-2) ?? 0);

export interface Cluster {
  /** Process id of the server. */
  readonly pid: number;
  /** URL of a database by name. */
  url(database: string): string;
  /** A new empty database. @returns its URL. */
  database(): Promise<string>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Kept when the cluster stops, and used again; by default a temporary one, removed then. */
  readonly folder?: string;
  /** `name=value` of postgresql.conf. */
  readonly settings?: readonly string[];
}

/** How a program of PostgreSQL is run: not as root, in a folder that it may enter. */
export const owned = (cwd: string) => ({ ...IDENTITY, cwd });

/** The data of a cluster in a folder, made when missing and given to whoever runs the server. @returns where they are. */
export function makeData(folder: string): string {
  if (IDENTITY.uid !== undefined) chownSync(folder, IDENTITY.uid, IDENTITY.gid!);
  const data = join(folder, 'data');
  if (!existsSync(data))
    execFileSync(join(BIN!, 'initdb'), ['-D', data, '-U', 'plat', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
      ...owned(folder),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  return data;
}

/** Ends the cluster whose data are in a folder, if one runs there, without waiting for its clients. */
export function stopData(folder: string): void {
  if (!existsSync(join(folder, 'data', 'postmaster.pid'))) return;
  execFileSync(join(BIN!, 'pg_ctl'), ['-D', join(folder, 'data'), '-m', 'immediate', '-w', 'stop'], {
    ...owned(folder),
    stdio: 'ignore',
  });
}

/** Of this process: a cluster that is started again has those of before. */
let databases = 0;

/** Starts a PostgreSQL of its own, reachable by a socket in its folder only. */
export async function startPostgres({ folder: kept, settings = [] }: ClusterOptions = {}): Promise<Cluster> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'plat-pg-'));
  mkdirSync(folder, { recursive: true });
  const data = makeData(folder);
  const socket = [`unix_socket_directories=${folder}`, 'listen_addresses='];
  const options = [...socket, 'fsync=off', 'max_connections=200', ...settings];
  const server: ChildProcess = spawn(join(BIN!, 'postgres'), ['-D', data, ...options.flatMap(o => ['-c', o])], {
    ...owned(folder),
    stdio: 'ignore',
  });
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  const url = (name: string) => `postgresql://plat@localhost/${name}?host=${encodeURIComponent(folder)}`;
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: url('postgres') });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  for (let attempt = 0; ; attempt++)
    try {
      await run('select 1');
      break;
    } catch (error) {
      if (attempt === 1_200 || server.exitCode !== null) throw error;
      await sleep(50);
    }
  return {
    pid: server.pid!,
    url,
    async database() {
      const name = `plat_${databases++}`;
      await run(`create database ${name}`);
      return url(name);
    },
    async stop() {
      const ended = new Promise(resolve => server.once('exit', resolve));
      // Immediate: what clients left open does not hold it up. What is kept is written out first.
      server.kill(kept === undefined ? 'SIGQUIT' : 'SIGINT');
      await ended;
      process.off('exit', kill);
      if (kept === undefined) rmSync(folder, { recursive: true });
    },
  };
}
