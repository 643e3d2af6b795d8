// Measures the cost of the bulk overlay, as parcels a second of processor time: for all fields together, for those without discs
// of raster cells and overlaps, for each operator (with its share of the whole), and for the calculations of enrichment alone. It
// uses the parcels of the synthetic area in stored order, with a warm cache. Then it measures the elapsed time of a whole
// `plat ingest overlay`, and the size of its files on disk.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputFields } from '../datasets/catalog.ts';
import type { Field } from '../datasets/dataset.ts';
import { overlayCatalog } from '../pipelines/overlay/attributes.ts';
import { onlyFindings } from '../pipelines/overlay/only.ts';
import { computableIn } from '../pipelines/overlay/plan.ts';
import type { BatchPoint } from '../query/evaluate/batch-evaluate.ts';
import { evaluateBatch } from '../query/evaluate/batch-evaluate.ts';
import type { Batch } from '../query/evaluate/context.ts';
import { createCache } from '../query/release/cache.ts';
import { Layers } from '../query/release/layers.ts';
import { openRelease } from '../query/release/open-release.ts';
import { type BenchRow, report } from './report.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PARCELS = process.env.BENCH_PARCELS ?? '12000';
/** Points a batch, as an ingest has them; batches measured, batches before them, megabytes of cache. */
const [BATCH, BATCHES, WARM, MEMORY] = [256, 32, 12, 512];

const home = process.env.BENCH_HOME ?? mkdtempSync(join(tmpdir(), 'plat-overlay-'));
const env = { ...process.env, PLAT_HOME: home };
const plat = (...args: string[]): string =>
  execFileSync(join(ROOT, 'plat'), args, { env, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28 }).toString();

/** Seconds of processor time that work takes. */
async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Whether a field, or one of its inputs, reads a disc of raster cells or measures an overlap. */
function isHeavy({ expression }: Field): boolean {
  if (/over=|overlap_fraction|, tpi,/.test(expression.text)) return true;
  return inputFields(expression).some(name => isHeavy(overlayCatalog().fields.get(name)!));
}

try {
  if (!existsSync(join(home, 'releases/current'))) {
    plat('world', 'generate', '--parcels', PARCELS, '--out', join(home, 'world'));
    plat('ingest', 'run', '--sources', join(home, 'world'), '--place', 'synthetic', '--no-overlay');
  }
  const release = openRelease(home);
  const catalog = overlayCatalog();
  const batches: BatchPoint[][] = [];
  for (const partition of release.layer('parcel_store', 'main')!.partitions) {
    const { file } = await new Layers(release, createCache(MEMORY)).features(partition);
    for (let start = 0; start + BATCH <= file.count && batches.length < WARM + BATCHES; start += BATCH)
      batches.push(
        Array.from({ length: BATCH }, (_, i) => {
          const { centroid_lon: lng, centroid_lat: lat } = file.properties(start + i);
          return { lng: Number(lng), lat: Number(lat), parcel: { partition, ord: start + i } };
        }),
      );
  }
  const cache = createCache(MEMORY);
  const fields = [...computableIn(catalog, release).fields.values()].flat();
  const operators = [...new Set(fields.map(f => f.expression.op))].sort();
  const spent = new Map<string, number>();
  let whole = 0;
  let light = 0;
  let only = 0;
  let measured = 0;
  for (const [i, batch] of batches.entries()) {
    const evaluation = { release, catalog, cache };
    const names = (of: readonly Field[]) => of.map(f => f.name);
    const all = await seconds(() => evaluateBatch(names(fields), batch, evaluation));
    const easy = await seconds(() => evaluateBatch(names(fields.filter(f => !isHeavy(f))), batch, evaluation));
    // The first batches open files and warm the code, as in a release of a million parcels.
    if (i < WARM) continue;
    measured += batch.length;
    whole += all;
    light += easy;
    for (const op of operators) {
      const own = fields.filter(f => f.expression.op === op);
      const taken = await seconds(() => evaluateBatch(names(own), batch, evaluation));
      spent.set(op, (spent.get(op) ?? 0) + taken);
    }
    const first = async (of: Batch) => void (await onlyFindings(of, computableIn(catalog, release).only, batch));
    only += await seconds(() => evaluateBatch([], batch, { ...evaluation, first }));
  }
  const row = (name: string, taken: number): BenchRow => ({
    case: name,
    unit: 'parcels/s/core',
    ours: measured / taken,
    peer: null,
    ratio: null,
  });
  const sum = [...spent.values()].reduce((a, b) => a + b, 0);
  const rows: BenchRow[] = [
    row(`all ${fields.length} stored fields and attributes`, whole),
    row(`without raster discs and overlaps, ${fields.filter(f => !isHeavy(f)).length} fields`, light),
    ...[...spent]
      .sort(([, a], [, b]) => b - a)
      .map(([op, taken]) =>
        row(
          `${op}, ${fields.filter(f => f.expression.op === op).length} fields, ${Math.round((100 * taken) / sum)}%`,
          taken,
        ),
      ),
  ];
  rows.push(row('the 3 calculations of enrichment alone', only));
  const made = JSON.parse(plat('ingest', 'overlay', '--json')) as { parcels: number; bytes: number; seconds: number };
  if (made.parcels) {
    const clock = { unit: 'parcels/s, 2 threads', peer: null, ratio: null };
    rows.push({ case: 'plat ingest overlay, cold, by the clock', ...clock, ours: made.parcels / made.seconds });
    const gib = (made.bytes / made.parcels) * 1e6;
    rows.push({ case: 'disk of a million parcels', unit: 'MiB', ours: gib / 1_048_576, peer: null, ratio: null });
  }
  report('overlay', { plat: 'this checkout' }, rows);
} finally {
  if (!process.env.BENCH_HOME) rmSync(home, { recursive: true, force: true });
}
