import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BIN, type Cluster, startPostgres } from '../../test/server/state/postgres.ts';

/** What PostgreSQL may use on a small machine with fast storage; the planner is told so, and keeps its other defaults. */
const SETTINGS = [
  'shared_buffers=4GB',
  'effective_cache_size=12GB',
  'work_mem=256MB',
  'maintenance_work_mem=1GB',
  'random_page_cost=1.1',
  'effective_io_concurrency=200',
  'max_wal_size=8GB',
  'wal_level=minimal',
  'max_wal_senders=0',
  'synchronous_commit=off',
  'autovacuum=off',
  // Compiling a plan takes longer than most of these queries run.
  'jit=off',
  // Two cores, eight clients: workers would take the cores of other requests.
  'max_parallel_workers_per_gather=0',
];

/** Major version of the newest PostgreSQL whose PostGIS is installed too, or null. */
export function postgisVersion(): string | null {
  if (BIN === null) return null;
  const share = execFileSync(join(BIN, 'pg_config'), ['--sharedir'], { encoding: 'utf8' }).trim();
  return existsSync(join(share, 'extension/postgis.control')) ? BIN.split('/').at(-2)! : null;
}

/** Ends the bench with what to install where PostgreSQL or PostGIS is missing. */
export function requirePostgis(bench: string): void {
  if (postgisVersion() !== null) return;
  const major = BIN === null ? '15' : BIN.split('/').at(-2)!;
  process.stderr.write(
    `${bench} compares with PostGIS, which is not installed. On Debian: apt-get install postgresql-${major} postgresql-${major}-postgis-3\n`,
  );
  process.exit(1);
}

/** A private cluster, reachable by a socket in its folder only, whose databases stay there for the next run. */
export function startPostgis(folder: string): Promise<Cluster> {
  return startPostgres({ folder, settings: SETTINGS });
}
