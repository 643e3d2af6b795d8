import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { owned } from './postgres.ts';

/** A PgBouncer in transaction mode. */
export interface Pooler {
  /** URL of a database through it. @param url of the same database without it. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** Fewer than a store has: its connections share them. */
const SERVER_CONNECTIONS = 4;

/**
 * Starts a PgBouncer, reachable by a socket in its folder only, in front of a PostgreSQL that is reachable by one too. Each
 * transaction gets another connection of the database than the one before, so that nothing of a connection can be relied on.
 * @param url of any database there.
 */
export async function startPgBouncer(url: string): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'plat-pgbouncer-'));
  const { uid, gid } = owned(folder) as { readonly uid?: number; readonly gid?: number };
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const settings = join(folder, 'pgbouncer.ini');
  const socket = new URL(url).searchParams.get('host')!;
  writeFileSync(
    settings,
    `[databases]
* = host=${socket} user=plat
[pgbouncer]
pool_mode = transaction
unix_socket_dir = ${folder}
listen_port = 6432
auth_type = any
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 1000
server_round_robin = 1
logfile = ${folder}/log
`,
  );
  chmodSync(settings, 0o644);
  const server: ChildProcess = spawn('pgbouncer', ['-q', settings], {
    ...owned(folder),
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: 'ignore',
  });
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  const through = (direct: string) => {
    const { pathname } = new URL(direct);
    return `postgresql://plat@localhost:6432${pathname}?host=${encodeURIComponent(folder)}`;
  };
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ connectionString: through(url) });
    try {
      await client.connect();
      await client.end();
      break;
    } catch (error) {
      if (attempt === 600 || server.exitCode !== null) throw error;
      await sleep(20);
    }
  }
  return {
    through,
    async stop() {
      const ended = new Promise(resolve => server.once('exit', resolve));
      kill();
      await ended;
      process.off('exit', kill);
      rmSync(folder, { recursive: true });
    },
  };
}
