// Measures exports over HTTP: 100,000 points of an upload with 50 vector and key fields, in points a second of processor time, and
// what memory the server takes for them beside what 1,000 take; and every parcel of 0.2 million with its columns and boundary, beside
// ogr2ogr from PostGIS over the same rows, in clock and processor time. The server runs as users run it. BENCH_CACHE keeps the homes.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { catalog } from '../datasets/catalog.ts';
import { openRelease } from '../query/release/open-release.ts';
import { freePort } from '../test/free-port.ts';
import { areaOf, mixedFields, pointsOf } from './fetch/mix.ts';
import { requirePostgis, startPostgis } from './postgis/cluster.ts';
import { loadParcels, partitionsInOrder } from './postgis/load.ts';
import { isComparable } from './postgis/point.ts';
import { type BenchRow, report, versionOf } from './report.ts';
import { CACHE, homeOf, nameOf } from './search/home.ts';
import { cpuSeconds, treeMb } from './search/process.ts';
import { profileOf } from './search/profile.ts';

requirePostgis('bench-exports');
const gdal = versionOf('ogr2ogr');
if (gdal === null) {
  process.stderr.write(
    'bench-exports compares with ogr2ogr, which is not installed. On Debian: apt-get install gdal-bin\n',
  );
  process.exit(1);
}

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PLAT = join(ROOT, 'plat');
/** Points of the small and of the large upload. */
const [FEW, MANY] = [1_000, Number(process.env.BENCH_POINTS ?? 100_000)];
const FIELDS = 50;
/** Parcels of the area that points lie in, and those that are exported whole. */
const [AREA, PARCELS] = [20_000, 200_000];
/** Milliseconds between two looks at memory and state. */
const LOOK_MS = 100;

const rows: BenchRow[] = [];
function row(name: string, unit: string, ours: number, peer: number | null = null): void {
  rows.push({ case: name, unit, ours, peer, ratio: peer === null ? null : peer / ours });
  process.stderr.write(`${name}: ${ours.toFixed(2)} ${unit}${peer === null ? '' : `, ogr2ogr ${peer.toFixed(2)}`}\n`);
}

/** The cost of an export: seconds by the clock and of the processor, and the most megabytes of the server and its children. */
interface Cost {
  readonly clock: number;
  readonly cpu: number;
  readonly peakMb: number;
}

/** A server over a home, and what exports through it cost. */
class ExportServer {
  readonly #home: string;
  readonly #origin: string;
  readonly #child: ReturnType<typeof spawn>;
  #accounts = 0;

  private constructor(home: string, port: number) {
    this.#home = home;
    this.#origin = `http://127.0.0.1:${port}`;
    const env = { ...process.env, PLAT_HOME: home, PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error', PORT: String(port) };
    this.#child = spawn(PLAT, ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  static async start(home: string): Promise<ExportServer> {
    const server = new ExportServer(home, await freePort());
    for (;;) {
      const up = await fetch(`${server.#origin}/readyz`).catch(() => null);
      if (up?.ok) return server;
      await sleep(LOOK_MS);
    }
  }

  /** A token of an account of its own: a hundred thousand points take all credits of a month. */
  #token(): string {
    const account = `bench-${Date.now()}-${this.#accounts++}@plat.invalid`;
    return execFileSync(PLAT, ['token', 'create', '--account', account, '--plan', 'market'], {
      env: { ...process.env, PLAT_HOME: this.#home },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim();
  }

  /** Submits an export, of an upload where `csv` is given, and waits until it is done. @throws Error where it is refused or fails. */
  async export(body: object, csv: string | null): Promise<Cost> {
    const authorization = `Bearer ${this.#token()}`;
    const post = async (path: string, type: string, sent: string) => {
      const reply = await fetch(`${this.#origin}${path}`, {
        method: 'POST',
        headers: { authorization, 'content-type': type },
        body: sent,
      });
      if (!reply.ok) throw new Error(`HTTP ${reply.status}: ${await reply.text()}`);
      return (await reply.json()) as Record<string, string>;
    };
    const source = csv === null ? {} : { upload_id: (await post('/v1/uploads', 'text/csv', csv)).upload_id };
    const pid = this.#child.pid!;
    const [began, cpu] = [performance.now(), cpuSeconds(pid)];
    let peakMb = 0;
    const { export_id: id } = await post('/v1/exports', 'application/json', JSON.stringify({ ...body, ...source }));
    for (;;) {
      peakMb = Math.max(peakMb, treeMb(pid));
      const reply = await fetch(`${this.#origin}/v1/exports/${id}`, { headers: { authorization } });
      const { status } = (await reply.json()) as { readonly status: string };
      if (status === 'failed') throw new Error(`the export ${id} failed`);
      if (status === 'done') return { clock: (performance.now() - began) / 1000, cpu: cpuSeconds(pid) - cpu, peakMb };
      await sleep(LOOK_MS);
    }
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await new Promise(resolve => this.#child.once('exit', resolve));
  }
}

/** A home with all layers of the synthetic area, made once. */
function areaHome(): string {
  const home = join(CACHE, `area-${AREA}`);
  if (existsSync(join(home, 'releases/current'))) return home;
  mkdirSync(home, { recursive: true });
  const plat = (...args: string[]) =>
    execFileSync(PLAT, args, { env: { ...process.env, PLAT_HOME: home }, stdio: ['ignore', 'ignore', 'inherit'] });
  plat('world', 'generate', '--parcels', String(AREA), '--out', join(home, 'world'));
  plat('ingest', 'run', '--sources', join(home, 'world'), '--place', 'synthetic', '--no-overlay');
  return home;
}

/** Points of an upload, no two alike. */
async function exportPoints(): Promise<void> {
  const home = areaHome();
  const fields = mixedFields(FIELDS, [...catalog.fields.values()].filter(isComparable));
  const next = pointsOf(areaOf(openRelease(home)), Date.now() >>> 0);
  const csvOf = (count: number) => {
    const lines = Array.from({ length: count }, (_, i) => {
      const { lng, lat } = next();
      return `p${i},${lat},${lng}`;
    });
    return ['custom_id,lat,lng', ...lines].join('\n');
  };
  const server = await ExportServer.start(home);
  try {
    const body = { fields, format: 'geoparquet' };
    const few = await server.export(body, csvOf(FEW));
    const many = await server.export(body, csvOf(MANY));
    row(
      `${MANY} points, ${fields.length} vector and key fields, a second of processor time`,
      'points/s',
      MANY / many.cpu,
    );
    row('the same by the clock', 'points/s', MANY / many.clock);
    row(`memory of the server for ${FEW} points, peak`, 'MB', few.peakMb);
    row(`memory of the server for ${MANY} points, peak`, 'MB', many.peakMb);
  } finally {
    await server.stop();
  }
}

/** Columns of parcels that both sides write. */
const COLUMNS = ['apn', 'address', 'city', 'owner', 'zoning', 'acreage', 'yearbuilt', 'saleprice', 'landval', 'parval'];
const FORMATS = [
  ['flatgeobuf', 'FlatGeobuf', 'fgb'],
  ['geojsonseq', 'GeoJSONSeq', 'geojsons'],
] as const;

/** Every parcel, beside ogr2ogr from PostGIS. */
async function exportParcels(): Promise<void> {
  const home = await homeOf(PARCELS, false);
  const release = openRelease(home);
  const profile = await profileOf(home, release, false);
  const folder = join(CACHE, 'postgres');
  mkdirSync(folder, { recursive: true });
  const cluster = await startPostgis(folder);
  const name = `sets-${nameOf(PARCELS)}`;
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  const server = await ExportServer.start(home);
  try {
    await admin.connect();
    const { rows: databases } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (!databases.length)
      await admin.query(`CREATE DATABASE "${name}" TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'`);
    const columns = [profile.code, profile.text, profile.number] as const;
    await loadParcels({ url: cluster.url(name), folder, home, release, columns, calculated: null });
    const states = [...new Set(partitionsInOrder(release).map(({ key }) => key.split('/')[0]!))];
    for (const [format, driver, extension] of FORMATS) {
      const ours = await server.export(
        { search: { filters: [{ field: 'state', op: 'in', value: states }] }, fields: COLUMNS, format },
        null,
      );
      const out = join(folder, `parcels.${extension}`);
      rmSync(out, { force: true });
      const list = COLUMNS.map(column => `"${column}"`).join(', ');
      const [began, cpu] = [performance.now(), cpuSeconds(cluster.pid)];
      const child = spawn(
        'ogr2ogr',
        ['-f', driver, out, `PG:${cluster.url(name)}`, '-sql', `SELECT ${list}, geom FROM parcel`],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      );
      let own = 0;
      let postgres = 0;
      const timer = setInterval(() => {
        own = Math.max(own, cpuSeconds(child.pid!));
        postgres = Math.max(postgres, cpuSeconds(cluster.pid));
      }, 10);
      await new Promise(resolve => child.once('exit', resolve));
      clearInterval(timer);
      if (statSync(out).size === 0) throw new Error(`${out} is empty`);
      const peer = { clock: (performance.now() - began) / 1000, cpu: own + Math.max(0, postgres - cpu) };
      row(`${PARCELS} parcels to ${driver}`, 's', ours.clock, peer.clock);
      row(`${PARCELS} parcels to ${driver}, processor`, 's', ours.cpu, peer.cpu);
    }
  } finally {
    await admin.end();
    await server.stop();
    await cluster.stop();
  }
}

await exportPoints();
await exportParcels();
report('exports', { node: process.version, gdal }, rows);
