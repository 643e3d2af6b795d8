// Measures proximity over a made-up road graph of a million arcs, which is ingested like roads of OpenStreetMap: the time to build
// it and its memory; tables, nearest places and isochrones in the router of the workers; 50 × 70 over HTTP; and pgRouting on the
// same arcs if it is installed (Debian: postgresql, postgresql-15-pgrouting). `BENCH_SIDE` sets the crossings along a side.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openRelease } from '../query/release/open-release.ts';
import { nodeCount } from '../query/route/graph.ts';
import { isochrones, segmentsOfArcs } from '../query/route/isochrone.ts';
import { UNITS } from '../query/route/road-lines.ts';
import { Router } from '../query/route/router.ts';
import { graphIn, readGraphMemory } from '../query/route/shared-graph.ts';
import type { Snap } from '../query/route/snap.ts';
import { freePort } from '../test/free-port.ts';
import { largestDifference, PGROUTING_INSTALLED, pgRoutingSeconds } from '../test/query/route/pgrouting.ts';
import { startPostgres } from '../test/server/state/postgres.ts';
import { gridRoads, randomFrom } from './proximity/roads.ts';
import { type BenchRow, percentile, report, versionOf } from './report.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SIDE = Number(process.env.BENCH_SIDE ?? 560);
const PORT = await freePort();
const URL_BASE = `http://127.0.0.1:${PORT}`;
const MILLION = 1_000_000;
const HALF_HOUR = 1_800_000;

const rows: BenchRow[] = [];
function add(name: string, unit: string, ours: number, peer: number | null = null): void {
  rows.push({ case: name, unit, ours, peer, ratio: peer === null ? null : peer / ours });
  process.stderr.write(`${name}: ${ours.toPrecision(4)} ${unit}\n`);
}

/** Median milliseconds, after a few tries that warm it; the least is told too, because other work on the machine adds to all. */
function timed(name: string, tries: number, work: (i: number) => unknown): number {
  const times: number[] = [];
  for (let i = -5; i < tries; i++) {
    const began = performance.now();
    work(i + 5);
    if (i >= 0) times.push(performance.now() - began);
  }
  return median(name, times);
}

function median(name: string, times: readonly number[]): number {
  process.stderr.write(`${name}: best ${Math.min(...times).toPrecision(4)} ms, load ${loadavg()[0]!.toFixed(1)}\n`);
  return percentile(times, 50);
}

const CLASSES: Readonly<Record<number, string>> = {
  100: 'motorway',
  70: 'primary',
  50: 'secondary',
  30: 'residential',
};

/** Writes made-up roads as a file of features with the tags of OpenStreetMap. */
async function writeRoads(path: string): Promise<void> {
  const roads = gridRoads(SIDE);
  const out = createWriteStream(path);
  const xy = roads.xy.filled;
  for (let road = 0; road < roads.count; road++) {
    const coordinates: number[][] = [];
    for (let v = roads.first(road); v < roads.first(road + 1); v++)
      coordinates.push([xy[2 * v]! / UNITS, xy[2 * v + 1]! / UNITS]);
    const [forward, backward] = [roads.forward.array[road]!, roads.backward.array[road]!];
    const properties = { id: `way/${road}`, highway: CLASSES[forward], oneway: backward === 0 ? 'yes' : 'no' };
    const line = JSON.stringify({ type: 'Feature', properties, geometry: { type: 'LineString', coordinates } });
    if (!out.write(`${line}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}

const PLACE = {
  name: 'grid',
  title: 'Made-up roads',
  state: 'KS',
  county: '20999',
  synthetic: true,
  coverage: { extent: true },
  layers: [
    {
      dataset: 'osm_roads',
      layer: 'road_graph',
      file: 'roads.geojsonl',
      format: 'geojsonseq',
      columns: { osm_id: 'id', highway: 'highway', oneway: 'oneway' },
      unpublished: 'rest',
      provenance: {
        source: 'synthetic:osm_roads',
        title: 'Made-up roads',
        publisher: 'Plat',
        url: null,
        licence: 'CC0-1.0',
        vintage: 'synthetic',
        note: null,
      },
    },
  ],
};

const folder = mkdtempSync(join(tmpdir(), 'plat-bench-proximity-'));
const home = join(folder, 'home');
const env = { ...process.env, PLAT_HOME: home, PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error', PORT: String(PORT) };
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** Milliseconds of 50 × 70 over HTTP. */
async function overHttp(point: () => { lng: number; lat: number }): Promise<number> {
  const token = plat('token', 'create', '--account', 'bench@plat.invalid', '--plan', 'market').trim();
  const server = spawn(join(ROOT, 'plat'), ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    while (!(await fetch(`${URL_BASE}/readyz`).catch(() => null))?.ok) await sleep(50);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const times: number[] = [];
    for (let i = 0; i < 45; i++) {
      const some = (n: number) => Array.from({ length: n }, point);
      const body = JSON.stringify({ origins: some(50), destinations: some(70) });
      const began = performance.now();
      const reply = await fetch(`${URL_BASE}/v1/proximity/matrix`, { method: 'POST', headers, body });
      await reply.json();
      if (!reply.ok) throw new Error(`status ${reply.status}`);
      // The first ones read the graph and make the searches' memory, in each worker.
      if (i >= 10) times.push(performance.now() - began);
    }
    return median('over HTTP', times);
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}

try {
  await writeRoads(join(folder, 'roads.geojsonl'));
  writeFileSync(join(folder, 'grid.json'), JSON.stringify(PLACE));
  let began = performance.now();
  plat('ingest', 'run', '--sources', folder, '--place-file', join(folder, 'grid.json'), '--no-overlay');
  const ingest = (performance.now() - began) / 1000;
  const release = openRelease(home);
  const file = release.layer('osm_roads', 'road_graph')!.partitions[0]!.files.find(({ role }) => role === 'graph')!;
  const path = release.pathOf(file);
  began = performance.now();
  const graph = graphIn(await readGraphMemory(path));
  const opened = performance.now() - began;
  const arcs = graph.arcs.node.length;
  add('graph', 'million arcs', arcs / MILLION);
  add('ingest: read, contracted, written, published', 'arcs/s', arcs / ingest);
  add('graph read and checked', 'ms', opened);
  add('memory a million arcs, shared by all threads', 'MB', statSync(path).size / 1e6 / (arcs / MILLION));
  // Searches of three and of two 32-bit words a node, and the buckets' one.
  add('memory a million arcs, of each worker beside', 'MB', (24 * nodeCount(graph)) / 1e6 / (arcs / MILLION));

  const router = new Router(graph);
  const random = randomFrom(3);
  const [west, south, east, north] = graph.facts.box;
  const point = () => ({ lng: west + random() * (east - west), lat: south + random() * (north - south) });
  const snap = (): Snap => {
    for (;;) {
      const { lng, lat } = point();
      const found = router.snap(lng, lat, 1_000);
      if (found) return found;
    }
  };
  const places = (count: number) => Array.from({ length: count }, snap);
  const [origins, destinations, candidates] = [places(100), places(100), places(500)];
  const table = timed('matrix', 25, () => router.table(origins, destinations));
  const nearest = timed('nearest', 100, i =>
    router.nearest(origins[i % 100]!, candidates, 10, Number.MAX_SAFE_INTEGER),
  );
  const segments = segmentsOfArcs(graph);
  const isochrone = timed('isochrone', 30, i => {
    const from = origins[i % 100]!;
    return isochrones(graph, segments, from, router.reach(from, HALF_HOUR), [HALF_HOUR]);
  });
  let theirs: number | null = null;
  if (PGROUTING_INSTALLED) {
    const cluster = await startPostgres();
    try {
      const { seconds, ms } = await pgRoutingSeconds(await cluster.database(), graph, origins, destinations);
      theirs = ms;
      const { largest } = largestDifference(graph, origins, destinations, seconds);
      if (!(largest < 0.1)) throw new Error(`pgRouting's times differ by ${largest} s`);
    } finally {
      await cluster.stop();
    }
  } else process.stderr.write('pgRouting is not installed (Debian: postgresql-15-pgrouting): no peer\n');
  add('100 × 100 matrix, p50', 'ms', table, theirs);
  add('10 nearest of 500, p50', 'ms', nearest);
  add('isochrone of 30 minutes, p50', 'ms', isochrone);
  add('50 × 70 matrix over HTTP, p50', 'ms', await overHttp(point));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
report('proximity', { node: process.version, postgres: versionOf('postgres') ?? 'as installed' }, rows);
