// Measures POST /v1/fetch of 50 mixed fields with one client: response cache off, points all over the area, none twice; on
// ground that nobody visited since the start, and on ground that others visited. Compares vector and key fields with PostGIS
// over the same layers, which answers all of them with one statement. Also measures cold start and memory. The server runs
// as users run it, on the synthetic area. `BENCH_HOME` names a home to use again, `BENCH_POINTS` another number of points.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { catalog } from '../datasets/catalog.ts';
import type { Box } from '../datasets/geometry.ts';
import { createEngine } from '../query/engine/engine.ts';
import type { Point } from '../query/evaluate/answer.ts';
import { evaluateBatch } from '../query/evaluate/batch-evaluate.ts';
import { hilbertOf } from '../query/geometry/hilbert.ts';
import { createCache } from '../query/release/cache.ts';
import { openRelease } from '../query/release/open-release.ts';
import { MAX_LOCATIONS } from '../server/fetch/batch-schema.ts';
import { freePort } from '../test/free-port.ts';
import { areaOf, groundOf, mixedFields, operatorsOf, pointsOf } from './fetch/mix.ts';
import { postgisVersion, startPostgis } from './postgis/cluster.ts';
import { loadLayers } from './postgis/layers.ts';
import { isComparable, pointStatement, sourcesOf } from './postgis/point.ts';
import { type BenchRow, percentile, report, versionOf } from './report.ts';
import { Connection } from './search/connection.ts';
import { cpuSeconds, residentMb } from './search/process.ts';
import { bar } from './search/result.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(tmpdir(), 'plat-bench-fetch');
const POINTS = Number(process.env.BENCH_POINTS ?? 10_000);
const STARTS = Number(process.env.BENCH_STARTS ?? 5);
const FIELDS = 50;
const PORT = await freePort();
const MEMORY_MB = 256;
const WORKERS = 2;
/** Locations of a batch request computed at once (server/fetch/batch.ts), and points a batch in bulk. */
const [AT_ONCE, BULK] = [4, 1000];
const ROUNDS = 5;
/** Points that a new server, and a new engine, answers elsewhere before it is measured: rates rise until V8 has compiled so many. */
const [SERVER_WARM, ENGINE_WARM] = [2000, 6000];
/** Milliseconds of the median on ground that nobody visited and on other ground; and how many times PostGIS's throughput. */
const [COLD_MS, WARM_MS, LEAST] = [6, 3, 5];
const say = (line: string) => process.stderr.write(`${line}\n`);
const rows: BenchRow[] = [];
function row(name: string, unit: string, ours: number, peer: number | null = null, ratio: number | null = null) {
  rows.push({ case: name, unit, ours, peer, ratio });
  say(`${name}: ${ours.toFixed(2)} ${unit}${peer === null ? '' : `, PostGIS ${peer.toFixed(2)}`}`);
}

const home = process.env.BENCH_HOME ?? join(CACHE, 'home');
const env = {
  ...process.env,
  PLAT_HOME: home,
  PLAT_FETCH_CACHE: 'off',
  PLAT_RATE_LIMIT: 'off',
  PLAT_LOG: 'error',
  PORT: String(PORT),
};
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
if (!existsSync(join(home, 'releases/current'))) {
  plat('world', 'generate', '--out', join(home, 'world'));
  plat('ingest', 'run', '--sources', join(home, 'world'), '--place', 'synthetic');
}
const token = plat('token', 'create', '--account', `bench-${Date.now()}@plat.invalid`, '--plan', 'market').trim();
const release = openRelease(home);
const box = areaOf(release);
const [west, south, east, north] = box;
/** V8 compiles in the south what is then met in the north, which nobody visited. */
const [known, unknown]: Box[] = [
  [west, south, east, south + (north - south) * 0.3],
  [west, south + (north - south) * 0.4, east, north],
];
let seeds = 1;

/** A server as users start it, and the milliseconds until it says that it is ready. */
async function start() {
  const began = performance.now();
  const child = spawn(join(ROOT, 'plat'), ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  for (;;) {
    const ready = await fetch(`http://127.0.0.1:${PORT}/readyz`).then(
      response => response.ok,
      () => false,
    );
    if (ready) return { child, milliseconds: performance.now() - began };
    if (performance.now() - began > 60_000) throw new Error('The server did not become ready');
    await new Promise(done => setTimeout(done, 5));
  }
}

async function stop(child: Awaited<ReturnType<typeof start>>['child']) {
  const ended = new Promise(done => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

/** The bytes of POST /v1/fetch. */
function fetchRequest(body: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(body));
  const head = `POST /v1/fetch HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), text]);
}

/** Latencies of one request after the other on one connection. */
async function latencies(fields: readonly string[], points: readonly Point[]) {
  const connection = await Connection.open(PORT);
  const times: number[] = [];
  for (const point of points) {
    const request = fetchRequest({ ...point, fields });
    const began = performance.now();
    const { status, body } = await connection.send(request, false);
    times.push(performance.now() - began);
    if (status !== 200) throw new Error(`A fetch was answered ${status}: ${body.toString('utf8', 0, 300)}`);
  }
  connection.close();
  return times;
}

/** So many points that nobody asked about. */
function fresh(count: number, of = box): Point[] {
  const next = pointsOf(of, seeds++);
  return Array.from({ length: count }, next);
}

const mix = mixedFields(FIELDS);
say(`${FIELDS} fields: ${operatorsOf(mix)}\n${mix.join(' ')}`);
const starts: number[] = [];
const computed: number[] = [];
const cold: number[] = [];
for (let i = 0; i < STARTS; i++) {
  const { child, milliseconds } = await start();
  starts.push(milliseconds);
  computed.push(1000 * cpuSeconds(child.pid!));
  await latencies(mix, fresh(SERVER_WARM, known));
  cold.push(...(await latencies(mix, groundOf(unknown!, seeds++))));
  await stop(child);
}
row('cold start to ready, median', 'ms', percentile(starts, 50));
row('CPU time of it', 'ms', percentile(computed, 50));
for (const p of [50, 90, 99])
  row(`${FIELDS} mixed fields, ground nobody visited, one client, p${p}`, 'ms', percentile(cold, p));
rows.push(bar('p50 on ground nobody visited', 'ms', percentile(cold, 50), COLD_MS, true));

const serving = await start();
try {
  row('memory of the server when ready', 'MB', residentMb(serving.child.pid!));
  await latencies(mix, fresh(Math.min(2000, POINTS)));
  const before = 1000 * cpuSeconds(serving.child.pid!);
  const times = await latencies(mix, fresh(POINTS));
  const spent = 1000 * cpuSeconds(serving.child.pid!) - before;
  const label = `${FIELDS} mixed fields, ground visited before, ${POINTS} points, one client`;
  for (const p of [50, 90, 99]) row(`${label}, p${p}`, 'ms', percentile(times, p));
  rows.push(bar('p50 on ground visited before', 'ms', percentile(times, 50), WARM_MS, true));
  row(`${label}, CPU time of the server a request`, 'ms', spent / times.length);
  row(`${label}, throughput`, 'requests/s', 1000 / (times.reduce((sum, t) => sum + t, 0) / times.length));
  row('memory of the server afterwards', 'MB', residentMb(serving.child.pid!));
} finally {
  await stop(serving.child);
}

const engineOf = () => createEngine({ home, workers: WORKERS, queue: 1000, memoryMb: MEMORY_MB });
const median = (of: readonly number[]) => percentile(of, 50);

/** Rounds of both sides in turn, so that what else the machine does meets both. @returns the median of their ratios. */
async function compared(
  name: string,
  unit: string,
  ours: (round: number) => Promise<number>,
  peer: (round: number) => Promise<number>,
): Promise<number> {
  const rounds: [number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push([await ours(round), await peer(round)]);
  const ratio = median(rounds.map(([mine, theirs]) => mine / theirs));
  row(name, unit, median(rounds.map(([mine]) => mine)), median(rounds.map(([, theirs]) => theirs)), ratio);
  return ratio;
}

/** Points a second that so many clients are answered who ask one after the other. */
async function rateAt(points: readonly Point[], clients: number, one: (at: Point) => Promise<unknown>) {
  const queue = points.values();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (const at of queue) await one(at);
    }),
  );
  return points.length / ((performance.now() - began) / 1000);
}

/** Throughput of vector and key fields, ours in worker threads and the peer's in its processes, clients in this one. */
async function againstPostgis(): Promise<void> {
  const names = mixedFields(FIELDS, [...catalog.fields.values()].filter(isComparable));
  const chosen = names.map(name => catalog.fields.get(name)!);
  const { text, setText } = pointStatement(chosen, release.manifest.asOf);
  say(`${names.length} vector and key fields: ${operatorsOf(names)}`);
  mkdirSync(CACHE, { recursive: true });
  const cluster = await startPostgis(join(CACHE, 'postgis'));
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  await admin.query('DROP DATABASE IF EXISTS plat_fetch');
  await admin.query('CREATE DATABASE plat_fetch');
  await admin.end();
  const url = cluster.url('plat_fetch');
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  // Connections that end with the cluster.
  pool.on('error', () => {});
  let engine = await engineOf();
  try {
    say(`${await loadLayers(url, home, release, sourcesOf(chosen))} rows in PostGIS`);
    const ours = (at: Point) => engine.fetch(names, at, { deadline: Date.now() + 60_000 });
    const ask = async (at: Point): Promise<unknown[]> =>
      (await pool.query({ name: 'fetch', text, values: [at.lng, at.lat], rowMode: 'array' })).rows[0]!;
    const askSet = async (points: readonly Point[], client: pg.Pool | pg.PoolClient = pool): Promise<unknown[][]> => {
      const values = [points.map(({ lng }) => lng), points.map(({ lat }) => lat)];
      return (await client.query({ name: 'fetch a set', text: setText, values, rowMode: 'array' })).rows;
    };
    // The same answers first, at places that the area maps. Edges are geodesics in PostGIS's geography and straight in
    // lng/lat in Plat, and its nearest feature is the sphere's: among equally near ones another may answer.
    let answers = 0;
    let apart = 0;
    for (const [i, at] of fresh(300).entries()) {
      const [mine, theirs] = [await ours(at), await ask(at)];
      if (i < 10 && String((await askSet([at]))[0]) !== String(theirs))
        throw new Error('A set of points is answered otherwise');
      for (const [k, name] of names.entries()) {
        const { status, value, notes } = mine[name]!;
        if (status === 'failed') throw new Error(`${name} failed: ${mine[name]!.error}`);
        if (status === 'absent' && /outside the coverage|does not map/.test(notes ?? '')) continue;
        answers++;
        const other = (theirs[k] ?? null) as typeof value;
        const { expression, precision } = catalog.fields.get(name)!;
        const { op } = expression;
        // Plat rounds to the step that the field declares.
        const near =
          op === 'nearest_distance'
            ? 1 + Math.abs(Number(value)) * 1e-3
            : (precision ?? 0) / 2 + Math.abs(Number(value)) * 1e-9;
        if (value === other || String(value) === String(other)) continue;
        if (typeof value === 'number' && other !== null && Math.abs(value - Number(other)) <= near) continue;
        apart++;
        if (op.startsWith('nearest') || op === 'count_within') continue;
        throw new Error(`${name} at ${at.lng},${at.lat} is ${value} (${notes}), in PostGIS ${other}`);
      }
    }
    say(`${answers} answers compared, ${apart} apart where features are equally near`);
    if (apart > answers / 200) throw new Error('The two answer differently');
    const label = `${names.length} vector and key fields`;
    for (const clients of [1, 4, 16]) {
      const many = `${clients} client${clients > 1 ? 's' : ''}`;
      // Before it is measured: V8 compiles, PostgreSQL plans and reads what it needs.
      await rateAt(fresh(ENGINE_WARM), clients, ours);
      await rateAt(fresh(300), clients, ask);
      const ratio = await compared(
        `${label}, ground visited before, ${many}`,
        'points/s',
        () => rateAt(fresh(4000), clients, ours),
        () => rateAt(fresh(800), clients, ask),
      );
      rows.push(bar(`ground visited before, ${many}`, '× PostGIS', ratio, LEAST));
      let ground: Point[] = [];
      const unvisited = await compared(
        `${label}, ground nobody visited, ${many}`,
        'points/s',
        async () => {
          await engine.close();
          engine = await engineOf();
          await rateAt(fresh(ENGINE_WARM, known), clients, ours);
          ground = groundOf(unknown!, seeds++);
          return rateAt(ground, clients, ours);
        },
        () => rateAt(ground, clients, ask),
      );
      rows.push(bar(`ground nobody visited, ${many}`, '× PostGIS', unvisited, LEAST));
    }

    // Batches: as the route of POST /v1/fetch/batch asks, so many locations a request and a few of them at once.
    await compared(
      `${label}, batches of ${MAX_LOCATIONS}, PostGIS with one statement for all`,
      'points/s',
      () => rateAt(fresh(80 * MAX_LOCATIONS), AT_ONCE, ours),
      async () => MAX_LOCATIONS * (await rateAt(fresh(30), 1, () => askSet(fresh(MAX_LOCATIONS)))),
    );
    // The bulk form, which computes overlays, on one thread against one backend, along the order in which parcels stand.
    const cache = createCache(MEMORY_MB);
    const along = () => fresh(BULK).sort((a, b) => hilbertOf(a.lng, a.lat) - hilbertOf(b.lng, b.lat));
    const backend = await pool.connect();
    try {
      await compared(
        `${label}, batches of ${BULK} in the bulk form, one thread; PostGIS with one statement for all, one backend`,
        'points/s',
        async () =>
          BULK * (await rateAt(fresh(5), 1, () => evaluateBatch(names, along(), { release, catalog, cache }))),
        async () => BULK * (await rateAt(fresh(2), 1, () => askSet(along(), backend))),
      );
    } finally {
      backend.release();
    }
  } finally {
    await engine.close();
    await pool.end().catch(() => {});
    await cluster.stop();
  }
}
if (postgisVersion() === null)
  say('PostGIS is not installed (Debian: postgresql-15-postgis-3); nothing to compare with');
else await againstPostgis();
report(
  'fetch-mixed',
  {
    plat: 'this checkout',
    postgres: versionOf('psql') ?? 'not installed',
    load: `${loadavg()[1]!.toFixed(1)} processes ran at the same time`,
    fields: mix.join(' '),
  },
  rows,
);
