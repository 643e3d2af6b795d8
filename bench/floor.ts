// Measures what the machine itself allows, in processor time: node:http and Fastify that answer with the same bytes as Plat, then
// searches of an R-tree, predicates, geodesic distances, a scan of DuckDB and reads of SQLite. The distance of Plat's requests to the bare
// servers stands beside them. `BENCH_HOME` names a home to use again.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Box } from '../datasets/geometry.ts';
import { Random } from '../pipelines/world/random.ts';
import { BoxIndex } from '../query/format/box-index.ts';
import { distance } from '../query/geometry/geodesic.ts';
import { contains } from '../query/geometry/point-in-polygon.ts';
import { freePort } from '../test/free-port.ts';
import { fromGeoJSON } from '../test/oracle/geojson.ts';
import { type BenchRow, percentile, report } from './report.ts';
import { cpuSeconds } from './search/process.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const ROUNDS = 7;
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 2000);
const WARM = 3 * REQUESTS;

const home = process.env.BENCH_HOME ?? mkdtempSync(join(tmpdir(), 'plat-bench-floor-'));
const env = { ...process.env, PLAT_HOME: home, PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error' };
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
if (!existsSync(join(home, 'releases/current'))) {
  plat('world', 'generate', '--out', join(home, 'world'));
  plat('ingest', 'run', '--sources', join(home, 'world'), '--place', 'synthetic', '--no-overlay');
}
const token = plat('token', 'create', '--account', 'bench@plat.invalid', '--plan', 'market').trim();
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

/** A process that answers on a port. */
interface Served {
  readonly child: ChildProcess;
  readonly base: string;
}
const children: ChildProcess[] = [];
async function serve(command: (port: string) => readonly string[], ready: string): Promise<Served> {
  const port = String(await freePort());
  const [program, ...args] = command(port);
  const child = spawn(program!, args, { env: { ...env, PORT: port }, stdio: ['ignore', 'ignore', 'inherit'] });
  children.push(child);
  const base = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${base}${ready}`, {
      method: ready === '/' ? 'POST' : 'GET',
      headers,
      ...(ready === '/' ? { body: '{}' } : {}),
    });
  while (
    !(await answers().then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(100);
  return { child, base };
}
async function post({ base }: Served, path: string, body: object): Promise<string> {
  const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status} ${text}`);
  return text;
}

/** Every search names a state. */
const STATE = { field: 'state2', op: 'eq', value: 'ME' };
const random = new Random(74, 3);
const place = () => ({ lat: 43.04 + random.next() * 0.06, lng: -70.74 + random.next() * 0.06 });

/** Requests whose answers do much or little beside the socket. */
async function requestsOf(service: Served): Promise<readonly (readonly [string, string, () => object])[]> {
  const page = JSON.parse(await post(service, '/v1/search', { filters: [STATE], limit: 100 })) as {
    readonly matches: readonly { readonly apn: string }[];
  };
  const numbers = page.matches.map(({ apn }) => apn);
  const fields = (
    JSON.parse(await fetch(`${service.base}/v1/meta/fields`, { headers }).then(response => response.text())) as {
      readonly fields: readonly { readonly name: string }[];
    }
  ).fields.map(({ name }) => name);
  const mixed = fields.filter((_, i) => i % Math.floor(fields.length / 50) === 0).slice(0, 50);
  let turn = 0;
  return [
    [
      'search of a parcel number',
      '/v1/search',
      () => ({
        filters: [STATE, { field: 'apn', op: 'eq', value: numbers[turn++ % numbers.length] }],
        limit: 10,
      }),
    ],
    ['fetch of one field, new ground', '/v1/fetch', () => ({ fields: ['elevation'], ...place() })],
    ['fetch of 50 mixed fields, new ground', '/v1/fetch', () => ({ fields: mixed, ...place() })],
  ];
}

/** Milliseconds of processor time a request, of each server in turn. */
async function timed(sides: readonly Served[], path: string, body: () => object): Promise<number[]> {
  const took = sides.map((): number[] => []);
  for (const side of sides) for (let i = 0; i < WARM; i++) await post(side, path, body());
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, side] of sides.entries()) {
      const before = cpuSeconds(side.child.pid!);
      for (let n = 0; n < REQUESTS; n++) await post(side, path, body());
      took[i]!.push((1_000 * (cpuSeconds(side.child.pid!) - before)) / REQUESTS);
    }
  return took.map(list => percentile(list, 50));
}

/** Microseconds of processor time of a call. */
function microseconds(calls: number, call: (i: number) => unknown): number {
  for (let i = 0; i < calls; i++) call(i);
  const took = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < calls; i++) call(i);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / calls;
  });
  return percentile(took, 50);
}

const rows: BenchRow[] = [];
const floor = (name: string, unit: string, ours: number) =>
  rows.push({ case: name, unit, ours, peer: null, ratio: null });

try {
  const service = await serve(() => [join(ROOT, 'plat'), 'serve'], '/readyz');
  for (const [name, path, body] of await requestsOf(service)) {
    const file = join(home, 'answer.json');
    writeFileSync(file, await post(service, path, body()));
    const bare = (kind: string) =>
      serve(
        port => [
          process.execPath,
          '--experimental-strip-types',
          '--no-warnings',
          join(ROOT, 'bench/floor/bare-server.ts'),
          kind,
          port,
          file,
        ],
        '/',
      );
    const [node, fastify] = [await bare('node'), await bare('fastify')];
    const [ours, ofNode, ofFastify] = await timed([service, node, fastify], path, body);
    for (const [peer, of] of [
      ['node:http', ofNode!],
      ['Fastify', ofFastify!],
    ] as const)
      rows.push({
        case: `${name}, ${peer} with the same bytes`,
        unit: 'ms of processor',
        ours: ours!,
        peer: of,
        ratio: of / ours!,
      });
    node.child.kill();
    fastify.child.kill();
  }
} finally {
  for (const child of children) child.kill();
}

const BOXES = 200_000;
const boxes = Array.from({ length: BOXES }, (): Box => {
  const [x, y] = [-70 + random.next(), 43 + random.next()];
  return [x, y, x + 0.0005, y + 0.0005];
});
const tree = new BoxIndex(boxes);
const points = Array.from({ length: 4_096 }, () => [-70 + random.next(), 43 + random.next()] as const);
const pointAt = (i: number) => points[i % points.length]!;
floor(
  `R-tree of ${BOXES} boxes, a point`,
  'µs',
  microseconds(20_000, i => {
    const [x, y] = pointAt(i);
    return tree.meeting([[x, y, x, y]]);
  }),
);
const ring = Array.from({ length: 500 }, (_, i) => {
  const angle = (2 * Math.PI * i) / 500;
  return [-69.5 + 0.4 * Math.cos(angle), 43.5 + 0.4 * Math.sin(angle)];
});
const polygon = fromGeoJSON({ type: 'Polygon', coordinates: [[...ring, ring[0]!]] });
floor(
  'a point in a polygon of 500 vertices',
  'µs',
  microseconds(200_000, i => contains(polygon, ...pointAt(i))),
);
floor(
  'a geodesic distance',
  'µs',
  microseconds(200_000, i => distance(...pointAt(i), ...pointAt(i + 1))),
);

const duckdb = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
await duckdb.run(
  'CREATE TABLE parcels AS SELECT range AS ord, (range * 7919) % 100000 / 10.0 AS acreage FROM range(2000000)',
);
const scans: number[] = [];
for (let round = 0; round <= ROUNDS; round++) {
  const before = process.cpuUsage();
  await duckdb.runAndReadAll('SELECT count(*), sum(acreage) FROM parcels WHERE acreage > 5000');
  const { user, system } = process.cpuUsage(before);
  scans.push((user + system) / 1000);
}
floor('DuckDB, a scan of two million numbers', 'ms', percentile(scans.slice(1), 50));

const file = join(home, 'floor.sqlite');
rmSync(file, { force: true });
const sqlite = new DatabaseSync(file);
sqlite.exec('CREATE TABLE rows (ord INTEGER PRIMARY KEY, body TEXT); BEGIN');
const insert = sqlite.prepare('INSERT INTO rows VALUES (?, ?)');
const WRITTEN = 100_000;
const before = process.cpuUsage();
for (let i = 0; i < WRITTEN; i++) insert.run(i, 'x'.repeat(400));
sqlite.exec('COMMIT');
const { user, system } = process.cpuUsage(before);
floor('SQLite, a row of 400 bytes written', 'µs', (user + system) / WRITTEN);
const read = sqlite.prepare('SELECT body FROM rows WHERE ord = ?');
floor(
  'SQLite, a row of 400 bytes by key',
  'µs',
  microseconds(50_000, i => read.get((i * 7919) % 100_000)),
);
sqlite.close();
rmSync(file, { force: true });

report('floor', { node: process.version }, rows);
if (!process.env.BENCH_HOME) rmSync(home, { recursive: true, force: true });
