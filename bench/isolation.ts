// Measures what another account and a health probe notice of kinds of noisy neighbour. Beside each kind it sends one-field
// fetches at new places and GET /healthz, one after the other. The server runs as users run it, with default settings. The noise
// is a process of its own on the same cores. `BENCH_HOME` names a home to use again, `BENCH_SECONDS` the seconds of each kind,
// `BENCH_ROUNDS` how often all kinds come in turn, and `BENCH_ONLY` words, separated by commas, of the kinds to try (by default all).
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '../query/engine/settings.ts';
import { openRelease } from '../query/release/open-release.ts';
import { freePort } from '../test/free-port.ts';
import { bytesOf, CLASSES, type Material, placeOf } from './isolation/classes.ts';
import { type BenchRow, percentile, report } from './report.ts';
import { Connection } from './search/connection.ts';
import { residentMb } from './search/process.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SECONDS = Number(process.env.BENCH_SECONDS ?? 12);
/** Each kind comes three times: the 190 fetches of one alone have a slowest hundredth of two. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ONLY = process.env.BENCH_ONLY?.split(',').map(word => word.trim());
const PARCELS = 8_000;
const [PORT, METRICS_PORT] = [await freePort(), await freePort()];
/** The niceness (setpriority(2)) of the noise beside server and quiet account: that of the server's workers. */
const NOISE_NICER = 5;
const WARM_SECONDS = 10;
/** The bars: milliseconds, of what the event loop of the serving thread is late too, and how often the idle memory may stand beside what the setting allows. */
const [FETCH_MS, HEALTH_MS, DELAY_MS, TIMES_IDLE] = [100, 50, 15, 1.5];
/** Between two requests of the quiet account, which keeps within its plan. */
const [FETCH_EVERY_MS, HEALTH_EVERY_MS] = [60, 25];

/** A kind of noisy neighbour, and what was seen beside it. */
interface Kind {
  readonly name: string;
  readonly number: number;
  readonly fetches: number[];
  readonly healths: number[];
  readonly counts: Record<string, number>;
  /** Of each time that it came: what 999 of 1,000 turns of the event loop were late at most, in milliseconds. */
  readonly delays: number[];
  peak: number;
}

const home = process.env.BENCH_HOME ?? mkdtempSync(join(tmpdir(), 'plat-bench-isolation-'));
const env = {
  ...process.env,
  PLAT_HOME: home,
  PLAT_LOG: 'error',
  PORT: String(PORT),
  PLAT_METRICS_PORT: String(METRICS_PORT),
};
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
if (!existsSync(join(home, 'releases/current'))) {
  plat('world', 'generate', '--parcels', String(PARCELS), '--out', join(home, 'world'));
  plat('ingest', 'run', '--sources', join(home, 'world'), '--place', 'synthetic', '--no-overlay');
}
const tokenOf = (name: string) =>
  plat('token', 'create', '--account', `${name}-${Date.now()}@plat.invalid`, '--plan', 'market').trim();

function parcelBox(): readonly [number, number, number, number] {
  const boxes = (openRelease(home).layer('parcel_store', 'main')?.partitions ?? []).flatMap(p =>
    p.box ? [p.box] : [],
  );
  const least = (i: 0 | 1) => Math.min(...boxes.map(box => box[i]));
  const most = (i: 2 | 3) => Math.max(...boxes.map(box => box[i]));
  return [least(0), least(1), most(2), most(3)];
}

/** Milliseconds of requests, one after the other, until told to stop. */
async function times(request: (i: number) => Buffer, everyMs: number, until: () => boolean): Promise<number[]> {
  const out: number[] = [];
  let connection = await Connection.open(PORT);
  for (let i = 0; !until(); i++) {
    if (!connection.isOpen) connection = await Connection.open(PORT);
    const began = performance.now();
    const { status, body } = await connection.send(request(i), false);
    const took = performance.now() - began;
    if (status !== 200) throw new Error(`The quiet account was answered ${status}: ${body.toString()}`);
    out.push(took);
    await sleep(Math.max(0, everyMs - took));
  }
  connection.close();
  return out;
}

/** Milliseconds that 999 of 1,000 turns of the serving thread's event loop were late at most since it was asked last. */
async function loopDelay(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  return Number(/^plat_event_loop_delay_seconds (\S+)$/m.exec(text)![1]) * 1_000;
}

/** Paths of the map's tiles over an area, down to the street. */
function tilesOf(
  layers: readonly string[],
  [west, south, east, north]: readonly [number, number, number, number],
): string[] {
  const column = (lng: number, z: number) => Math.floor(((lng + 180) / 360) * 2 ** z);
  const row = (lat: number, z: number) =>
    Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z);
  return [11, 12, 13, 14].flatMap(z =>
    Array.from({ length: column(east, z) - column(west, z) + 1 }, (_, dx) =>
      Array.from(
        { length: row(south, z) - row(north, z) + 1 },
        (_, dy) => `/tiles/${layers.join(',')}/${z}/${column(west, z) + dx}/${row(north, z) + dy}.mvt`,
      ),
    ).flat(),
  );
}

const rows: BenchRow[] = [];
const missed: string[] = [];
function add(name: string, unit: string, ours: number, bar: number | null = null): void {
  rows.push({ case: name, unit, ours, peer: bar, ratio: bar === null ? null : bar / ours });
  const isMissed = bar !== null && ours > bar;
  if (isMissed) missed.push(name);
  process.stderr.write(
    `${name}: ${ours.toFixed(1)} ${unit}${bar === null ? '' : ` (at most ${Math.round(bar)})`}${isMissed ? ' MISSED' : ''}\n`,
  );
}

const server = spawn(join(ROOT, 'plat'), ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
const pid = server.pid!;
try {
  const base = `http://127.0.0.1:${PORT}`;
  while (!(await fetch(`${base}/readyz`).catch(() => null))?.ok) await sleep(50);
  const { fields } = (await (await fetch(`${base}/v1/meta/fields`)).json()) as {
    fields: { name: string; title: string; billing: { group: string }; installed: boolean }[];
  };
  const names = fields.flatMap(({ name, billing, installed }) =>
    installed && billing.group === 'default' ? [name] : [],
  );
  const box = parcelBox();
  const quiet = tokenOf('quiet');
  const tiles = (await (await fetch(`${base}/tiles.json`)).json()) as { vector_layers: { id: string }[] };
  const common = {
    port: PORT,
    fields: names.slice(0, 50),
    box,
    addresses: ['12 Main St', '7 Elm St', '101 High St'].map(street => `${street}, Synthetic, ME`),
    titles: fields.map(({ title }) => title),
    tiles: tilesOf(
      tiles.vector_layers.map(({ id }) => id),
      box,
    ),
  };
  const quietMaterial: Material = { ...common, token: quiet };
  let place = Date.now() % 1_000_000;
  const oneField = () =>
    bytesOf('POST', '/v1/fetch', quiet, { ...placeOf(quietMaterial, place++), fields: ['fema_flood_zone'] });
  const health = () => bytesOf('GET', '/healthz', null);
  const both = (until: () => boolean) =>
    Promise.all([times(oneField, FETCH_EVERY_MS, until), times(health, HEALTH_EVERY_MS, until)]);

  // The first requests of a process open files and compile code. They are judged by what `/readyz` says of warmth, not here.
  let end = performance.now() + WARM_SECONDS * 1_000;
  await both(() => performance.now() > end);
  end = performance.now() + 5_000;
  await loopDelay();
  const [alone] = await both(() => performance.now() > end);
  const delayAlone = await loopDelay();
  const idle = residentMb(pid);
  add('fetch of one field, nothing else running, p99', 'ms', percentile(alone, 99));
  add('event loop of the serving thread, nothing else running, p99.9', 'ms', delayAlone);
  add('memory, idle', 'MB', idle);
  const most = TIMES_IDLE * idle + SETTINGS.memory.parse(undefined);
  const kinds = CLASSES.map(
    ({ name }, number) => ({ name, number, fetches: [], healths: [], delays: [], peak: 0, counts: {} }) as Kind,
  );
  const tried = kinds.filter(({ name }) => ONLY === undefined || ONLY.some(word => name.includes(word)));
  for (let round = 1; round <= ROUNDS; round++) {
    for (const kind of tried) {
      const material: Material = { ...common, token: tokenOf(`noisy-${round}-${kind.number}`) };
      const noise = spawn(
        process.execPath,
        [...process.execArgv, join(ROOT, 'bench/isolation/noise.ts'), String(kind.number), String(SECONDS)],
        { stdio: ['pipe', 'pipe', 'inherit'] },
      );
      // Neighbors have machines of their own: what this one computes must not keep the server from answering.
      setPriority(noise.pid!, Math.min(19, getPriority() + NOISE_NICER));
      noise.stdin!.end(JSON.stringify(material));
      const lines = createInterface(noise.stdout!)[Symbol.asyncIterator]();
      await lines.next(); // `ready`
      const watch = setInterval(() => {
        kind.peak = Math.max(kind.peak, residentMb(pid));
      }, 200);
      // From the noise's first request on: an account spends what it may spend in a minute within the first seconds.
      await loopDelay();
      end = performance.now() + (SECONDS - 0.5) * 1_000;
      const [fetches, healths] = await both(() => performance.now() > end);
      clearInterval(watch);
      const delay = await loopDelay();
      kind.delays.push(delay);
      kind.fetches.push(...fetches);
      kind.healths.push(...healths);
      const p99 = [fetches, healths].map(each => percentile(each, 99).toFixed(0));
      const said = (await lines.next()).value!;
      process.stderr.write(
        `${round}: ${kind.name}: p99 of fetches ${p99[0]}, of GET /healthz ${p99[1]}, p99.9 of the event loop ${delay.toFixed(0)} ms; ${said}\n`,
      );
      for (const [what, count] of Object.entries(JSON.parse(said) as Record<string, number>))
        kind.counts[what] = (kind.counts[what] ?? 0) + count;
      await sleep(1_000);
    }
  }
  for (const { name, fetches, healths, delays, peak, counts } of tried) {
    add(`${name}: another account's fetch, p99`, 'ms', percentile(fetches, 99), FETCH_MS);
    add(`${name}: GET /healthz, p99`, 'ms', percentile(healths, 99), HEALTH_MS);
    add(`${name}: event loop of the serving thread, p99.9, most of the times`, 'ms', Math.max(...delays), DELAY_MS);
    add(`${name}: memory, most`, 'MB', peak, most);
    const faults = Object.entries(counts).filter(([what]) => what.startsWith('5') || what.includes('without'));
    add(
      `${name}: answers of 5xx or 429 without Retry-After`,
      'answers',
      faults.reduce((sum, [, n]) => sum + n, 0),
      0,
    );
  }
  await sleep(5_000);
  add('memory five seconds after the last', 'MB', residentMb(pid), most);
} finally {
  server.kill('SIGTERM');
  await new Promise(resolve => server.once('exit', resolve));
  if (!process.env.BENCH_HOME) rmSync(home, { recursive: true, force: true });
}
report(ONLY === undefined ? 'isolation' : null, { node: process.version }, rows);
if (missed.length > 0) {
  process.stderr.write(`Bars missed: ${missed.join('; ')}\n`);
  process.exitCode = 1;
}
