import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Where Debian keeps the newest installed PostgreSQL server, or null. */
const BIN: string | null = (() => {
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

export interface Cluster {
  /** A new empty database. @returns its URL. */
  database(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a PostgreSQL of its own in a temporary folder, reachable by a socket there only. */
export async function startPostgres(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'plat-pg-'));
  if (IDENTITY.uid !== undefined) chownSync(folder, IDENTITY.uid, IDENTITY.gid!);
  const data = join(folder, 'data');
  execFileSync(join(BIN!, 'initdb'), ['-D', data, '-U', 'plat', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...IDENTITY,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const options = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off', 'max_connections=200'];
  const server: ChildProcess = spawn(join(BIN!, 'postgres'), ['-D', data, ...options.flatMap(o => ['-c', o])], {
    ...IDENTITY,
    cwd: folder,
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
  let databases = 0;
  return {
    async database() {
      const name = `plat_${databases++}`;
      await run(`create database ${name}`);
      return url(name);
    },
    async stop() {
      const ended = new Promise(resolve => server.once('exit', resolve));
      // Immediate: what clients left open does not hold it up.
      server.kill('SIGQUIT');
      await ended;
      process.off('exit', kill);
      rmSync(folder, { recursive: true });
    },
  };
}
