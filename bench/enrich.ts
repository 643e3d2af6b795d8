// Measures POST /v1/enrich over HTTP: all fields of parcels all over the area, with one client and with four, and a search
// page of 100 matches with full enrichment. The server runs as users run it, on the synthetic area with its overlays. The bench
// asks for each parcel once. `BENCH_HOME` names a home to use again, `BENCH_REQUESTS` another number of requests.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FeatureFile } from '../query/format/flatgeobuf.ts';
import { openRelease } from '../query/release/open-release.ts';
import { freePort } from '../test/free-port.ts';
import { type BenchRow, percentile, report } from './report.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 1000);
const PAGES = Number(process.env.BENCH_PAGES ?? 40);
const PARCELS = 20_000;
const PORT = await freePort();

const home = process.env.BENCH_HOME ?? mkdtempSync(join(tmpdir(), 'plat-bench-enrich-'));
const env = { ...process.env, PLAT_HOME: home, PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error', PORT: String(PORT) };
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
if (!existsSync(join(home, 'releases/current'))) {
  plat('world', 'generate', '--parcels', String(PARCELS), '--out', join(home, 'world'));
  plat('ingest', 'run', '--sources', join(home, 'world'), '--place', 'synthetic');
}
const token = plat('token', 'create', '--account', `bench-${Date.now()}@plat.invalid`, '--plan', 'market').trim();

/** Interior points of parcels that share their ground with none, in an order without neighbours. */
function parcelPoints(): { lng: number; lat: number }[] {
  const release = openRelease(home);
  const points: { lng: number; lat: number }[] = [];
  for (const partition of release.layer('parcel_store', 'main')?.partitions ?? []) {
    const file = new FeatureFile(release.pathOf(partition.files.find(f => f.role === 'features')!));
    for (let ord = 0; ord < file.count; ord++) {
      const { centroid_lon, centroid_lat, stack_count } = file.properties(ord);
      if (stack_count === 1) points.push({ lng: Number(centroid_lon), lat: Number(centroid_lat) });
    }
    file.close();
  }
  let state = 11;
  for (let i = points.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const j = state % (i + 1);
    [points[i], points[j]] = [points[j]!, points[i]!];
  }
  return points;
}

const points = parcelPoints();
let taken = 0;
const body = (more: object = {}) => JSON.stringify({ ...points[taken++ % points.length]!, ...more });

/** Milliseconds until the whole answer is there, and its bytes. */
function post(agent: Agent, path: string, text: string): Promise<{ ms: number; bytes: number; start: string }> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    };
    const outgoing = request({ agent, host: '127.0.0.1', port: PORT, path, method: 'POST', headers }, response => {
      let bytes = 0;
      let start = '';
      response.on('data', (chunk: Buffer) => {
        if (start.length < 2000) start += chunk.toString('latin1');
        bytes += chunk.length;
      });
      response.on('end', () =>
        response.statusCode === 200
          ? resolve({ ms: performance.now() - began, bytes, start })
          : reject(new Error(`HTTP ${response.statusCode}: ${start.slice(0, 300)}`)),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

const rows: BenchRow[] = [];
function add(name: string, unit: string, ours: number): void {
  rows.push({ case: name, unit, ours, peer: null, ratio: null });
  process.stderr.write(`${name}: ${ours.toFixed(2)} ${unit}\n`);
}

async function measure(label: string, path: string, text: () => string, requests: number, clients: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  let bytes = 0;
  let left = requests;
  const began = performance.now();
  const client = async () => {
    while (left-- > 0) {
      const answer = await post(agent, path, text());
      times.push(answer.ms);
      bytes += answer.bytes;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  add(`${label}, p50`, 'ms', percentile(times, 50));
  add(`${label}, p99`, 'ms', percentile(times, 99));
  add(`${label}, throughput`, 'requests/s', times.length / ((performance.now() - began) / 1000));
  add(`${label}, answer`, 'KB', bytes / times.length / 1000);
}

/** Searches a field, and those before them that read its column. */
const [FILTERED, FIRST] = [40, 5];

/**
 * What a filter on a number costs, of the attributes stored with parcels and of calculations, each asked for so little
 * that the first parcels with a value fill the page: medians of searches that differ in nothing but the field.
 */
async function filterCosts(): Promise<void> {
  type Listed = { name: string; kind?: string; type: string; surfaces: string[]; filter_operators: string[] };
  const meta = await fetch(`http://127.0.0.1:${PORT}/v1/meta/fields`);
  const { fields, further_names } = (await meta.json()) as { fields: Listed[]; further_names: Listed[] };
  const numbers = (listed: readonly Listed[]) =>
    listed
      .filter(({ type, surfaces }) => surfaces.includes('filter') && (type === 'number' || type === 'integer'))
      .map(({ name }) => name);
  const stored = numbers(further_names.filter(({ kind }) => kind === 'parcel_attribute'));
  const calculated = numbers(fields);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = new Map<string, number[]>();
  const ask = async (name: string, i: number) => {
    const filters = [
      { field: 'state', op: 'in', value: ['ME', 'NH'] },
      { field: name, op: 'gte', value: -1e9 - i },
    ];
    const { ms, start } = await post(agent, '/v1/search', JSON.stringify({ filters, fields: ['apn'], limit: 10 }));
    // A field without ten values in the area has no page to compare.
    if (i >= FIRST && start.split('"apn":').length > 10) times.set(name, [...(times.get(name) ?? []), ms]);
  };
  // In turn, so that what else the machine does meets all.
  for (let i = 0; i < FIRST + FILTERED; i++) for (const name of [...stored, ...calculated]) await ask(name, i);
  agent.destroy();
  for (const [kind, names] of [
    ['stored', stored],
    ['calculated', calculated],
  ] as const) {
    const medians = names.flatMap(name => (times.has(name) ? [percentile(times.get(name)!, 50)] : []));
    add(`search by a ${kind} number, median of ${medians.length} fields' p50`, 'ms', percentile(medians, 50));
    add(`search by a ${kind} number, greatest of them`, 'ms', Math.max(...medians));
  }
}

const server = spawn(join(ROOT, 'plat'), ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
try {
  for (let attempt = 0; ; attempt++) {
    const ready = await fetch(`http://127.0.0.1:${PORT}/readyz`).then(
      response => response.ok,
      () => false,
    );
    if (ready) break;
    if (attempt > 600) throw new Error('The server did not become ready');
    await new Promise(done => setTimeout(done, 100));
  }
  const warm = new Agent({ keepAlive: true, maxSockets: 4 });
  await Promise.all(Array.from({ length: 200 }, () => post(warm, '/v1/enrich', body())));
  const search = JSON.stringify({
    filters: [{ field: 'state', op: 'in', value: ['ME', 'NH'] }],
    limit: 100,
    enrich: true,
  });
  for (let i = 0; i < 5; i++) await post(warm, '/v1/search', search);
  warm.destroy();
  for (const clients of [1, 4])
    await measure(
      `all fields, ${clients} client${clients > 1 ? 's' : ''}`,
      '/v1/enrich',
      () => body(),
      REQUESTS,
      clients,
    );
  await measure('preset constraints, 1 client', '/v1/enrich', () => body({ preset: 'constraints' }), REQUESTS, 1);
  await measure('search page of 100 with enrichment', '/v1/search', () => search, PAGES, 1);
  await filterCosts();
  report('enrich', { plat: 'this checkout' }, rows);
} finally {
  server.kill('SIGTERM');
  if (!process.env.BENCH_HOME) rmSync(home, { recursive: true, force: true });
}
