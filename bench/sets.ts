// Compares questions about all parcels that pass filters (counts, ranks, aggregates) with PostGIS on the same rows, and with
// DuckDB over the same GeoParquet files, in one process each. First the answers are compared, then each side is asked in turn,
// and clock and processor time of both are told. `--parcels N` (200,000), `--rounds N` (7), `--fresh` builds them anew.
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { catalog } from '../datasets/catalog.ts';
import { createEngine } from '../query/engine/engine.ts';
import { openRelease } from '../query/release/open-release.ts';
import { freeGeocoder } from '../server/geocoder/free.ts';
import { ReleaseChoice } from '../server/release/choice.ts';
import type { AreaCtx, SetServices } from '../server/sets/area-source.ts';
import { requirePostgis, startPostgis } from './postgis/cluster.ts';
import { loadParcels, partitionsInOrder, rowsPath } from './postgis/load.ts';
import { type BenchRow, report } from './report.ts';
import { CACHE, homeOf, nameOf } from './search/home.ts';
import { cpuSeconds } from './search/process.ts';
import { profileOf } from './search/profile.ts';
import { bar, geometricMean } from './search/result.ts';
import { scanSide } from './sets/duckdb.ts';
import { questionsOf, type SetQuestion } from './sets/question.ts';

const { values: options } = parseArgs({
  options: {
    parcels: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '7' },
    fresh: { type: 'boolean', default: false },
  },
});
const parcels = Number(options.parcels);
const rounds = Number(options.rounds);
if (!(Number.isInteger(parcels) && parcels >= 200 && parcels <= 5_000_000)) {
  process.stderr.write(`bench-sets --parcels ${options.parcels}: expected a whole number from 200 to 5000000\n`);
  process.exit(1);
}
requirePostgis('bench-sets');

/** Milliseconds that a block of each side takes at least. */
const BLOCK_MS = 500;
const LIMIT_MS = 180_000;
/** Questions that each side is asked before it is timed. */
const WARM = 5;

/** One side: what it answers, in a form that can be compared, and what it costs. */
interface Side {
  readonly name: string;
  /** Null where it does not answer such a question. */
  readonly ask: (question: SetQuestion) => Promise<readonly unknown[]> | null;
  readonly cpu: () => number;
}

/** Milliseconds a question took, by clock and by processor. */
interface Cost {
  readonly clock: number;
  readonly cpu: number;
}

async function costOf(side: Side, question: SetQuestion): Promise<Cost> {
  const [clock, cpu] = [performance.now(), side.cpu()];
  let asked = 0;
  do {
    await side.ask(question);
    asked++;
  } while (performance.now() - clock < BLOCK_MS);
  return { clock: (performance.now() - clock) / asked, cpu: (1000 * (side.cpu() - cpu)) / asked };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Numbers that differ in the last digits alone are the same. */
const plain = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(plain)
    : typeof value === 'number'
      ? Number(value.toPrecision(9))
      : typeof value === 'string' && value !== '' && Number.isFinite(Number(value)) && !/^0\d/.test(value)
        ? Number(Number(value).toPrecision(9))
        : value;

/** Groups come in no order. */
const textOf = (rows: unknown): string => JSON.stringify((rows as unknown[]).map(row => JSON.stringify(row)).sort());

const home = await homeOf(parcels, options.fresh);
const release = openRelease(home);
const profile = await profileOf(home, release, false);
const folder = join(CACHE, 'postgres');
mkdirSync(folder, { recursive: true });
const cluster = await startPostgis(folder);
const engine = await createEngine({ home, workers: 1, queue: 8, memoryMb: 1024, cores: availableParallelism() });
const client = new pg.Client({ connectionString: cluster.url(`sets-${nameOf(parcels)}`) });
try {
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  const name = `sets-${nameOf(parcels)}`;
  const { rows: databases } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (!databases.length)
    await admin.query(`CREATE DATABASE "${name}" TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'`);
  await admin.end();
  const columns = [profile.code, profile.text, profile.number] as const;
  await loadParcels({ url: cluster.url(name), folder, home, release, columns, calculated: null });
  await client.connect();
  const services: SetServices = {
    siteShape: async () => null,
    sitingTemplate: async () => null,
    keepMap: () => Promise.reject(new Error('no question of this bench makes a map')),
    upload: async () => null,
    drive: () => Promise.reject(new Error('no question of this bench is about a drive')),
    cursors: null,
    batch: 256,
    maxCandidates: null,
    maxEvaluated: null,
    maxVertices: 10_000,
    maxSquareKm: 1_000_000,
  };
  const geocoder = freeGeocoder(engine);
  const ctx = (): AreaCtx => ({
    catalog,
    engine,
    release: new ReleaseChoice(engine),
    geocoder,
    deadline: Date.now() + LIMIT_MS,
    signal: new AbortController().signal,
    account: null,
    requestId: 'bench',
  });
  const own = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  const scan = await scanSide(partitionsInOrder(release).map(partition => rowsPath(home, partition)));
  const sides: Side[] = [
    { name: 'Plat', ask: question => question.ours(ctx(), services), cpu: own },
    {
      name: 'PostGIS',
      ask: ({ sql, values }) =>
        client.query({ text: sql, values: [...values], rowMode: 'array' }).then(({ rows }) => rows as unknown[]),
      cpu: () => cpuSeconds(cluster.pid),
    },
    { name: 'DuckDB', ask: ({ scan: text, values }) => (text === null ? null : scan.ask(text, values)), cpu: own },
  ];
  const rows: BenchRow[] = [];
  const ratios: number[] = [];
  for (const question of questionsOf(profile)) {
    const [mine, ...others] = await Promise.all(sides.map(async side => plain(await side.ask(question))));
    for (const other of others)
      if (other !== null && textOf(other) !== textOf(mine)) {
        process.stderr.write(
          `${question.name}: the answers differ\n${JSON.stringify(mine)}\n${JSON.stringify(other)}\n`.slice(0, 4_000),
        );
        process.exitCode = 1;
      }
    // Code that is compiled on first use does not count as the cost of a question.
    for (const side of sides) for (let i = 0; i < WARM; i++) await side.ask(question);
    const costs = sides.map(() => [] as Cost[]);
    for (let round = 0; round < rounds; round++)
      for (const [i, side] of sides.entries()) if (side.ask(question)) costs[i]!.push(await costOf(side, question));
    const of = (i: number, what: keyof Cost) => median(costs[i]!.map(cost => cost[what]));
    for (const [i, { name: peer }] of sides.entries()) {
      if (i === 0 || !costs[i]!.length) continue;
      for (const what of ['clock', 'cpu'] as const) {
        const ratio = of(i, what) / of(0, what);
        if (peer === 'PostGIS' && what === 'clock') ratios.push(ratio);
        const unit = what === 'clock' ? 'ms' : 'ms of processor';
        rows.push({ case: `${question.name}, ${peer}`, unit, ours: of(0, what), peer: of(i, what), ratio });
      }
    }
    process.stderr.write(`${question.name}: ${of(0, 'clock').toFixed(2)} ms, ${ratios.at(-1)!.toFixed(2)} × PostGIS\n`);
  }
  rows.push(
    bar('geometric mean, PostGIS', '×', geometricMean(ratios), 3),
    bar('least ratio, PostGIS', '×', Math.min(...ratios), 1),
  );
  report(parcels === 200_000 ? 'sets' : `sets-${parcels / 1e6}m`, { plat: 'this checkout' }, rows);
  scan.close();
} finally {
  await client.end();
  await engine.close();
  await cluster.stop();
}
