// Measures POST /v1/fetch of 50 mixed fields with one client: response cache off, 10,000 distinct points, warm tiles. Compares
// vector and key fields with PostGIS over the same layers, with one statement for each layer. Also measures cold start and
// memory. The server runs as users run it, on the synthetic area. `BENCH_HOME` names a home to use again, `BENCH_POINTS` another number of points.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { catalog } from '../datasets/catalog.ts';
import { createEngine } from '../query/engine/engine.ts';
import type { Point } from '../query/evaluate/answer.ts';
import { evaluateBatch } from '../query/evaluate/batch-evaluate.ts';
import { hilbertOf } from '../query/geometry/hilbert.ts';
import { createCache } from '../query/release/cache.ts';
import { openRelease } from '../query/release/open-release.ts';

import { MAX_LOCATIONS } from '../server/fetch/batch-schema.ts';
import { mixedFields, operatorsOf, pointsOf } from './fetch/mix.ts';
import { postgisVersion, startPostgis } from './postgis/cluster.ts';
import { loadLayers } from './postgis/layers.ts';
import { isComparable, pointStatements, sourcesOf } from './postgis/point.ts';
import { type BenchRow, percentile, report, versionOf } from './report.ts';
import { Connection } from './search/connection.ts';
import { cpuSeconds, residentMb } from './search/process.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CACHE = join(tmpdir(), 'plat-bench-fetch');
const POINTS = Number(process.env.BENCH_POINTS ?? 10_000);
const STARTS = Number(process.env.BENCH_STARTS ?? 5);
const FIELDS = 50;
const PORT = 18_081;
const MEMORY_MB = 256;
const WORKERS = 2;
/** Locations of a batch request computed at once (server/fetch/batch.ts), and points a batch in bulk. */
const [AT_ONCE, BULK] = [4, 1000];
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
  PLAT_MEMORY_MB: String(MEMORY_MB),
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
const box = release.manifest.datasets.parcel_store?.main?.partitions[0]?.box;
if (!box) throw new Error('The release holds no parcels to take points from');

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
async function latencies(fields: readonly string[], count: number, next: () => { lng: number; lat: number }) {
  const connection = await Connection.open(PORT);
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const request = fetchRequest({ ...next(), fields });
    const began = performance.now();
    const { status, body } = await connection.send(request, false);
    times.push(performance.now() - began);
    if (status !== 200) throw new Error(`A fetch was answered ${status}: ${body.toString('utf8', 0, 300)}`);
  }
  connection.close();
  return times;
}

const colds: number[] = [];
const computed: number[] = [];
for (let i = 0; i < STARTS; i++) {
  const { child, milliseconds } = await start();
  colds.push(milliseconds);
  computed.push(1000 * cpuSeconds(child.pid!));
  await stop(child);
}
row('cold start to ready, median', 'ms', percentile(colds, 50));
row('CPU time of it', 'ms', percentile(computed, 50));

const mix = mixedFields(FIELDS);
say(`${FIELDS} fields: ${operatorsOf(mix)}\n${mix.join(' ')}`);
const serving = await start();
try {
  row('memory of the server when ready', 'MB', residentMb(serving.child.pid!));
  await latencies(mix, Math.min(2000, POINTS), pointsOf(box, 7));
  const before = 1000 * cpuSeconds(serving.child.pid!);
  const times = await latencies(mix, POINTS, pointsOf(box, 42));
  const spent = 1000 * cpuSeconds(serving.child.pid!) - before;
  const label = `${FIELDS} mixed fields, ${POINTS} points, one client`;
  for (const p of [50, 90, 99]) row(`${label}, p${p}`, 'ms', percentile(times, p));
  row(`${label}, CPU time of the server a request`, 'ms', spent / times.length);
  row(`${label}, throughput`, 'requests/s', 1000 / (times.reduce((sum, t) => sum + t, 0) / times.length));
  row(
    `memory of the server afterwards, caches bounded to ${MEMORY_MB} MB a worker`,
    'MB',
    residentMb(serving.child.pid!),
  );
} finally {
  await stop(serving.child);
}

const asTheyCome = (points: Point[]): Point[] => points;

/** Points in Hilbert order, in which parcels are stored. */
const along = (points: Point[]): Point[] => points.sort((a, b) => hilbertOf(a.lng, a.lat) - hilbertOf(b.lng, b.lat));

/** Units a second of some work, which says how many it has done. */
async function timed(seconds: number, work: () => Promise<number>): Promise<number> {
  const began = performance.now();
  let done = 0;
  while (performance.now() - began < seconds * 1000) done += await work();
  return done / ((performance.now() - began) / 1000);
}

/** Throughput of vector and key fields, ours in worker threads and the peer's in its processes, clients in this one. */
async function againstPostgis(): Promise<void> {
  const fields = [...catalog.fields.values()].filter(isComparable);
  const names = mixedFields(FIELDS, fields);
  const chosen = names.map(name => catalog.fields.get(name)!);
  const statements = pointStatements(chosen, release.manifest.asOf);
  say(`${names.length} vector and key fields: ${operatorsOf(names)}; ${statements.length} statements a point`);
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
  const engine = await createEngine({ home, workers: WORKERS, queue: 1000, memoryMb: MEMORY_MB });
  try {
    say(`${await loadLayers(url, home, release, sourcesOf(chosen))} rows in PostGIS`);
    const ours = (at: { lng: number; lat: number }) => engine.fetch(names, at, { deadline: Date.now() + 60_000 });
    const peer = async ({ lng, lat }: { lng: number; lat: number }) => {
      const found = new Map<string, unknown>();
      await Promise.all(
        statements.map(async ({ name, text, fields: asked }) => {
          const { rows: answers } = await pool.query({ name, text, values: [lng, lat], rowMode: 'array' });
          for (const [i, field] of asked.entries()) found.set(field, answers[0]![i]);
        }),
      );
      return found;
    };
    const peerSetAt = async ({ lng, lat }: Point) => {
      const found = new Map<string, unknown>();
      for (const { setText, fields: asked } of statements) {
        const { rows: answers } = await pool.query({ text: setText, values: [[lng], [lat]], rowMode: 'array' });
        for (const [i, field] of asked.entries()) found.set(field, answers[0]![i]);
      }
      return found;
    };
    // The same answers first, at places that the area maps. Edges are geodesics in PostGIS's geography and straight in
    // lng/lat in Plat, and its nearest feature is the sphere's: among equally near ones another may answer.
    const next = pointsOf(box!, 42);
    let compared = 0;
    let apart = 0;
    for (let i = 0; i < 300; i++) {
      const at = next();
      const [mine, theirs] = [await ours(at), await peer(at)];
      if (i < 10)
        for (const [name, value] of await peerSetAt(at))
          if (String(value) !== String(theirs.get(name)))
            throw new Error(`${name}: a set of points is answered otherwise`);
      for (const name of names) {
        const { status, value, notes } = mine[name]!;
        if (status === 'failed') throw new Error(`${name} failed: ${mine[name]!.error}`);
        if (status === 'absent' && /outside the coverage|does not map/.test(notes ?? '')) continue;
        compared++;
        const other = (theirs.get(name) ?? null) as typeof value;
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
    say(`${compared} answers compared, ${apart} apart where features are equally near`);
    if (apart > compared / 200) throw new Error('The two answer differently');
    const rate = async (
      clients: number,
      seconds: number,
      one: (at: { lng: number; lat: number }) => Promise<unknown>,
    ) => {
      const points = pointsOf(box!, 99);
      let done = 0;
      const began = performance.now();
      const client = async () => {
        while (performance.now() - began < seconds * 1000) {
          await one(points());
          done++;
        }
      };
      await Promise.all(Array.from({ length: clients }, client));
      return done / ((performance.now() - began) / 1000);
    };
    for (const clients of [1, 4, 16]) {
      const rounds: [number, number][] = [];
      // In turn, so that what else the machine does meets both.
      for (let round = 0; round < 5; round++) rounds.push([await rate(clients, 2, ours), await rate(clients, 2, peer)]);
      const middle = (i: 0 | 1) =>
        percentile(
          rounds.map(r => r[i]),
          50,
        );
      row(
        `${names.length} vector and key fields, ${clients} client${clients > 1 ? 's' : ''}, throughput`,
        'requests/s',
        middle(0),
        middle(1),
        percentile(
          rounds.map(([mine, theirs]) => mine / theirs),
          50,
        ),
      );
    }

    // Batches: as the route of POST /v1/fetch/batch asks, so many locations a request and a few of them at once.
    const lane = async (points: readonly Point[], one: (at: Point) => Promise<unknown>) => {
      const queue = points.values();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const at of queue) await one(at);
        }),
      );
    };
    const sets = (points: readonly Point[], client: pg.Pool | pg.PoolClient) => {
      const values = [points.map(({ lng }) => lng), points.map(({ lat }) => lat)];
      const ask = ({ name, setText }: (typeof statements)[number]) =>
        client.query({ name: `set of ${name}`.slice(0, 60), text: setText, values, rowMode: 'array' });
      return ask;
    };
    const peerSets = async (points: readonly Point[]) => {
      const ask = sets(points, pool);
      await Promise.all(statements.map(ask));
    };
    const label = `${names.length} vector and key fields, batches of`;
    const middle = (of: readonly number[]) => percentile(of, 50);
    const batches: [string, (points: readonly Point[]) => Promise<unknown>][] = [
      ['one statement a layer and point', points => lane(points, peer)],
      ['one statement a layer for all points', peerSets],
    ];
    const rateOf = (size: number, work: (points: readonly Point[]) => Promise<unknown>, order = asTheyCome) => {
      const points = pointsOf(box!, 77);
      return timed(2, async () => {
        await work(order(Array.from({ length: size }, points)));
        return size;
      });
    };
    for (const [how, asked] of batches) {
      const rounds: [number, number][] = [];
      for (let round = 0; round < 5; round++)
        rounds.push([await rateOf(MAX_LOCATIONS, points => lane(points, ours)), await rateOf(MAX_LOCATIONS, asked)]);
      row(
        `${label} ${MAX_LOCATIONS}, PostGIS with ${how}`,
        'points/s',
        middle(rounds.map(([mine]) => mine)),
        middle(rounds.map(([, theirs]) => theirs)),
        middle(rounds.map(([mine, theirs]) => mine / theirs)),
      );
    }
    // The bulk form, which computes overlays, on one thread against one backend.
    const cache = createCache(MEMORY_MB);
    const bulk = (points: readonly Point[]) => evaluateBatch(names, points, { release, catalog, cache });
    const backend = await pool.connect();
    try {
      const oneByOne = async (points: readonly Point[]) => {
        const ask = sets(points, backend);
        for (const statement of statements) await ask(statement);
      };
      const rounds: [number, number][] = [];
      for (let round = 0; round < 5; round++)
        rounds.push([await rateOf(BULK, bulk, along), await rateOf(BULK, oneByOne, along)]);
      row(
        `${label} ${BULK} in the bulk form, one thread; PostGIS with one statement a layer for all points, one backend`,
        'points/s',
        middle(rounds.map(([mine]) => mine)),
        middle(rounds.map(([, theirs]) => theirs)),
        middle(rounds.map(([mine, theirs]) => mine / theirs)),
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
