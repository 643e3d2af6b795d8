// Measures parcels a second of processor time for each operator: the bulk form and the point form, over the analysis points of
// the synthetic area's parcels in stored (Hilbert) order. A parcel counts when all fields of the operator are answered for it.
// Both forms run in this thread with a warm cache of the same size.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalog } from '../datasets/catalog.ts';
import type { OperatorName } from '../datasets/grammar/expression.ts';
import type { Point } from '../query/evaluate/answer.ts';
import { evaluateBatch } from '../query/evaluate/batch-evaluate.ts';
import { evaluate } from '../query/evaluate/evaluate.ts';
import { OPERATORS } from '../query/evaluate/operators/registry.ts';
import { createCache } from '../query/release/cache.ts';
import { Layers } from '../query/release/layers.ts';
import { openRelease } from '../query/release/open-release.ts';
import { type BenchRow, report } from './report.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PARCELS = process.env.BENCH_PARCELS ?? '3000';
/** Points a batch, seconds a case, megabytes a cache. */
const [BATCH, SECONDS, MEMORY] = [1000, 2, 512];

const home = process.env.BENCH_HOME ?? mkdtempSync(join(tmpdir(), 'plat-bulk-'));
const env = { ...process.env, PLAT_HOME: home };
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, { env, stdio: ['ignore', 'ignore', 'inherit'] });

/** Analysis points of all parcels, in the order in which they are stored. */
async function analysisPoints(layers: Layers): Promise<Point[]> {
  const points: Point[] = [];
  for (const partition of layers.version('parcel_store', 'main').partitions) {
    const { file } = await layers.features(partition);
    for (let i = 0; i < file.count; i++) {
      const { centroid_lat: lat, centroid_lon: lng } = file.properties(i);
      if (typeof lat === 'number' && typeof lng === 'number') points.push({ lng, lat });
    }
  }
  return points;
}

/**
 * Parcels a second of processor time, which other programs on the machine do not change: rounds over the points, whole
 * batches at a time, until the time is up.
 */
async function rate(points: readonly Point[], size: number, answer: (some: readonly Point[]) => Promise<unknown>) {
  await answer(points.slice(0, size));
  const start = process.cpuUsage();
  const seconds = () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  };
  let [done, at] = [0, 0];
  while (seconds() < SECONDS) {
    const some = points.slice(at, at + size);
    await answer(some);
    done += some.length;
    at = at + size < points.length ? at + size : 0;
  }
  return done / seconds();
}

try {
  if (!existsSync(join(home, 'releases/current'))) {
    plat('world', 'generate', '--parcels', PARCELS, '--out', join(home, 'world'));
    plat('ingest', 'run', '--sources', join(home, 'world'), '--place', 'synthetic', '--no-overlay');
  }
  const release = openRelease(home);
  const points = await analysisPoints(new Layers(release, createCache(MEMORY)));
  if (!points.length) throw new Error('The release holds no parcels to take points from');
  const rows: BenchRow[] = [];
  for (const op of [...OPERATORS.keys()].sort() as OperatorName[]) {
    const names = [...catalog.fields.values()].filter(f => f.expression.op === op).map(f => f.name);
    const probe = await evaluateBatch(names, points.slice(0, 50), { release, catalog, cache: createCache(MEMORY) });
    // Fields whose layers the area does not have fail at once and would flatter both forms.
    const answered = names.filter(name => probe.get(name)!.every(finding => finding.status !== 'failed'));
    if (!answered.length) {
      process.stderr.write(`${op}: no field of it is answered in the synthetic area\n`);
      continue;
    }
    const [bulkCache, pointCache] = [createCache(MEMORY), createCache(MEMORY)];
    const bulk = await rate(points, BATCH, some =>
      evaluateBatch(answered, some, { release, catalog, cache: bulkCache }),
    );
    const point = await rate(points, 20, async some => {
      for (const at of some)
        await evaluate(answered, at, { release, catalog, cache: pointCache, deadline: Date.now() + 60_000 });
    });
    const label = `${op}, ${answered.length} field${answered.length > 1 ? 's' : ''}`;
    rows.push({ case: label, unit: 'parcels/s/core', ours: bulk, peer: point, ratio: bulk / point });
  }
  process.stdout.write(`${points.length} parcels; ours is the bulk form, peer the point form\n`);
  report('bulk', { plat: 'this checkout' }, rows);
} finally {
  if (!process.env.BENCH_HOME) rmSync(home, { recursive: true, force: true });
}
