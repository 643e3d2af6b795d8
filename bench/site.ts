// POST /v1/sites over HTTP until the site is ready: sites of 100 acres in places that nobody asked about, one of 200,000
// acres, and one-field fetches of another account while the large one is screened; the buildable ground of parcels by each
// template. The server runs as users run it, on the synthetic area. `BENCH_HOME` names a home to use again, `BENCH_REQUESTS`
// another number of small sites.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SITING_TEMPLATES } from '../datasets/siting-templates.ts';
import { ACRE_M2 } from '../query/geometry/acre.ts';
import { openRelease } from '../query/release/open-release.ts';
import { freePort } from '../test/free-port.ts';
import { type BenchRow, percentile, report } from './report.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SITES = Number(process.env.BENCH_REQUESTS ?? 25);
const PARCELS = 20_000;
/** Parcels whose buildable ground is asked for by each template. */
const PARCELS_ASKED = 100;
const PORT = await freePort();
const DEGREE_M = 111_195;

const home = process.env.BENCH_HOME ?? mkdtempSync(join(tmpdir(), 'plat-bench-site-'));
const env = { ...process.env, PLAT_HOME: home, PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error', PORT: String(PORT) };
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
if (!existsSync(join(home, 'releases/current'))) {
  plat('world', 'generate', '--parcels', String(PARCELS), '--out', join(home, 'world'));
  plat('ingest', 'run', '--sources', join(home, 'world'), '--place', 'synthetic', '--no-overlay');
}
const tokenOf = (name: string) =>
  plat('token', 'create', '--account', `${name}-${Date.now()}@plat.invalid`, '--plan', 'market').trim();
const [token, other] = [tokenOf('bench'), tokenOf('other')];
const URL_BASE = `http://127.0.0.1:${PORT}`;
const headers = (of: string) => ({ authorization: `Bearer ${of}`, 'content-type': 'application/json' });

/** Box of the area's parcels. */
function parcelBox(): readonly [number, number, number, number] {
  const boxes = (openRelease(home).layer('parcel_store', 'main')?.partitions ?? []).flatMap(p =>
    p.box ? [p.box] : [],
  );
  return [
    Math.min(...boxes.map(b => b[0])),
    Math.min(...boxes.map(b => b[1])),
    Math.max(...boxes.map(b => b[2])),
    Math.max(...boxes.map(b => b[3])),
  ];
}

/** A polygon of 200 vertices about a place, with a bay in it. */
function polygon(lng: number, lat: number, acres: number) {
  const radius = Math.sqrt((acres * ACRE_M2) / Math.PI) / DEGREE_M;
  const ring = Array.from({ length: 199 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 199;
    const reach = radius * (1 + 0.15 * Math.sin(5 * angle));
    return [lng + (reach * Math.cos(angle)) / Math.cos((lat * Math.PI) / 180), lat + reach * Math.sin(angle)];
  });
  return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
}

/** Milliseconds from the registration until the site is ready. */
async function ready(site: object): Promise<number> {
  const began = performance.now();
  const posted = await fetch(`${URL_BASE}/v1/sites`, {
    method: 'POST',
    headers: headers(token),
    body: JSON.stringify({ site }),
  });
  const { site_id, status, detail } = (await posted.json()) as { site_id: string; status: string; detail?: unknown };
  if (posted.status === 202 && status === 'ready')
    throw new Error(`${site_id} was screened before: nothing to measure`);
  if (posted.status !== 202) throw new Error(`HTTP ${posted.status}: ${JSON.stringify(detail)}`);
  for (;;) {
    const { status } = (await (await fetch(`${URL_BASE}/v1/sites/${site_id}`, { headers: headers(token) })).json()) as {
      status: string;
    };
    if (status === 'ready') return performance.now() - began;
    if (status === 'failed') throw new Error(`${site_id} failed`);
    await sleep(10);
  }
}

const rows: BenchRow[] = [];
function add(name: string, unit: string, ours: number): void {
  rows.push({ case: name, unit, ours, peer: null, ratio: null });
  process.stderr.write(`${name}: ${ours.toFixed(2)} ${unit}\n`);
}

const server = spawn(join(ROOT, 'plat'), ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
try {
  for (;;) {
    const up = await fetch(`${URL_BASE}/readyz`).catch(() => null);
    if (up?.ok) break;
    await sleep(50);
  }
  const [west, south, east, north] = parcelBox();
  // Other places in every run: a home that is used again has screened those of the last one.
  let state = Date.now() >>> 0;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const place = (): [number, number] => [
    west + (0.1 + 0.8 * random()) * (east - west),
    south + (0.1 + 0.8 * random()) * (north - south),
  ];
  /** Milliseconds of one-field fetches at fresh places, one after the other, until told to stop. */
  const fetches = async (until: () => boolean): Promise<number[]> => {
    const times: number[] = [];
    while (!until()) {
      const [lng, lat] = place();
      const began = performance.now();
      const body = JSON.stringify({ lat, lng, fields: ['fema_flood_zone'] });
      const reply = await fetch(`${URL_BASE}/v1/fetch`, { method: 'POST', headers: headers(other), body });
      await reply.arrayBuffer();
      times.push(performance.now() - began);
    }
    return times;
  };

  const small: number[] = [];
  for (let i = 0; i < SITES; i++) small.push(await ready(polygon(...place(), 100)));
  add('site of 100 acres until ready, p50', 'ms', percentile(small, 50));
  add('site of 100 acres until ready, p99', 'ms', percentile(small, 99));
  for (const template of SITING_TEMPLATES.keys()) {
    const times: number[] = [];
    while (times.length < PARCELS_ASKED) {
      const [lng, lat] = place();
      const began = performance.now();
      const body = JSON.stringify({ lat, lng, template });
      const reply = await fetch(`${URL_BASE}/v1/buildable`, { method: 'POST', headers: headers(token), body });
      const answer = await reply.text();
      // Roads and water between parcels have no ground to build on.
      if (reply.status === 404) continue;
      if (reply.status !== 200) throw new Error(`HTTP ${reply.status}: ${answer}`);
      times.push(performance.now() - began);
    }
    add(`buildable ground of a parcel, template ${template}, p50`, 'ms', percentile(times, 50));
    add(`buildable ground of a parcel, template ${template}, p99`, 'ms', percentile(times, 99));
  }
  let calls = 0;
  const alone = await fetches(() => ++calls > 500);
  add('fetch of one field, nothing else running, p99', 'ms', percentile(alone, 99));
  let done = false;
  const large = ready(polygon((west + east) / 2 + random() / 1000, (south + north) / 2, 195_000)).finally(() => {
    done = true;
  });
  const beside = await fetches(() => done);
  add('site of 195,000 acres until ready', 's', (await large) / 1000);
  add("another account's fetch of one field meanwhile, p50", 'ms', percentile(beside, 50));
  add("another account's fetch of one field meanwhile, p99", 'ms', percentile(beside, 99));
} finally {
  server.kill('SIGTERM');
  await new Promise(resolve => server.once('exit', resolve));
  if (!process.env.BENCH_HOME) rmSync(home, { recursive: true, force: true });
}
report('site', { node: process.version }, rows);
