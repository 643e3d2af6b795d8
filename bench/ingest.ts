// Measures rows a second from Bangor's published files to what a release stores of them. ogr2ogr makes FlatGeobuf in WGS84
// of the same files beside it; if a layer is stored as Parquet too, GDAL and DuckDB make that. Plat also validates every
// polygon, maps columns and stores rejects. For parcels it finds the pole of inaccessibility, the geodesic acreage, keys,
// stacks and addresses, and sorts them into stored order. All run in turn, file by file, one process at a time. The time
// of `ogr2ogr --version` is subtracted from the peers' time, because Plat runs in a warm process, as in an ingest of a
// whole place. The fastest round counts: other work on the machine only adds time, and a median would subtract a disturbed
// start from an undisturbed conversion. One more round runs under the sampling profiler, which says what each stage takes
// of Plat's thread.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { catalog, layerOf } from '../datasets/catalog.ts';
import { places } from '../datasets/places.ts';
import { isParcelLayer } from '../pipelines/release/parcel-layer.ts';
import type { LayerResult } from '../pipelines/steps/layer-job.ts';
import { carryOut } from '../pipelines/steps/layer-worker.ts';
import { duckdbParquet } from './ingest/duckdb-peer.ts';
import { isConversion, stagesOf } from './ingest/stages.ts';
import { type BenchRow, report, versionOf } from './report.ts';

const SOURCES = resolve(process.env.BENCH_SOURCES ?? '../shared/data');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);

const gdal = versionOf('ogr2ogr');
if (!gdal) {
  process.stderr.write(
    'bench-ingest compares with ogr2ogr, which is not installed. On Debian: apt-get install gdal-bin\n',
  );
  process.exit(1);
}
if (!existsSync(join(SOURCES, 'bangor-me'))) {
  process.stderr.write(
    `bench-ingest reads Bangor's published files; ${SOURCES}/bangor-me is absent. Set BENCH_SOURCES.\n`,
  );
  process.exit(1);
}

const seconds = async (work: () => unknown): Promise<number> => {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e9;
};

/** How GDAL names a published file. */
const vsi = (file: string) =>
  file.endsWith('.zip') ? `/vsizip/${file}` : file.endsWith('.gz') ? `/vsigzip/${file}` : file;

const { layers, ...place } = places.get('bangor-me')!;
const files = new Set<string>();
const jobs = layers.filter(layer => {
  // One layer a file, and nothing that ogr2ogr would not do by itself: joins and dissolves.
  if (!layer.file.startsWith('bangor-me/') || layer.join || layer.dissolve || files.has(layer.file)) return false;
  files.add(layer.file);
  return true;
});
const scratch = mkdtempSync(join(tmpdir(), 'plat-bench-ingest-'));
const OURS = join(scratch, 'ours');

/** Builds a layer as an ingest does, parcels as those of their county. @returns rows read. */
async function build(layer: (typeof jobs)[number]): Promise<number> {
  rmSync(OURS, { recursive: true, force: true });
  const common = { place, sources: SOURCES, folder: OURS, asOf: '2026-01-01' };
  const key = `${place.state}/${place.county}`;
  const job = isParcelLayer(layer) ? { ...common, key, layers: [layer], before: [] } : { ...common, layer };
  const { counts }: LayerResult = await carryOut(job, () => {}, new AbortController().signal);
  return counts[0]!.read;
}

function toFlatGeobuf(file: string): void {
  const out = join(scratch, 'peer.fgb');
  const options = ['-f', 'FlatGeobuf', '-t_srs', 'EPSG:4326', '-nlt', 'PROMOTE_TO_MULTI', '-skipfailures'];
  execFileSync('ogr2ogr', [...options, out, vsi(file)], { stdio: 'ignore' });
  rmSync(out, { force: true });
}

/** A table of parcels, or of a layer that is scanned, is stored beside the features. */
function hasParquet(layer: (typeof jobs)[number]): boolean {
  const definition = layerOf(catalog.datasets, layer.dataset, layer.layer);
  return isParcelLayer(layer) || (definition.kind === 'vector' && (definition.parquet ?? false));
}

interface Measured {
  readonly ours: number;
  readonly flatgeobuf: number;
  readonly parquet: number | null;
}

/** Seconds of the fastest round of each. */
async function measure(layer: (typeof jobs)[number]): Promise<Measured> {
  const file = join(SOURCES, layer.file);
  const best = { ours: Infinity, flatgeobuf: Infinity, parquet: Infinity, start: Infinity };
  for (let round = 0; round <= ROUNDS; round++) {
    const taken = {
      ours: await seconds(() => build(layer)),
      start: await seconds(() => execFileSync('ogr2ogr', ['--version'], { stdio: 'ignore' })),
      flatgeobuf: await seconds(() => toFlatGeobuf(file)),
      parquet: hasParquet(layer) ? await seconds(() => duckdbParquet(vsi(file), scratch)) : Infinity,
    };
    // The first round warms the page cache and the compiler, and is not counted.
    if (round > 0)
      for (const name of Object.keys(best) as (keyof typeof best)[]) best[name] = Math.min(best[name], taken[name]);
  }
  // ogr2ogr takes at least a millisecond for a file, whatever the difference of two noisy times says.
  const withoutStart = (time: number) => Math.max(1e-3, time - best.start);
  return {
    ours: best.ours,
    flatgeobuf: withoutStart(best.flatgeobuf),
    parquet: hasParquet(layer) ? withoutStart(best.parquet) : null,
  };
}

try {
  const rows: BenchRow[] = [];
  const stageRows: BenchRow[] = [];
  const all = { rows: 0, ours: 0, flatgeobuf: 0 };
  for (const layer of jobs) {
    const { ours, flatgeobuf, parquet } = await measure(layer);
    let read = 0;
    const stages = await stagesOf(async () => {
      read = await build(layer);
    });
    all.rows += read;
    all.ours += ours;
    all.flatgeobuf += flatgeobuf;
    const rate = (name: string, mine: number, peer: number | null): BenchRow => ({
      case: name,
      unit: 'rows/s',
      ours: read / mine,
      peer: peer === null ? null : read / peer,
      ratio: peer === null ? null : peer / mine,
    });
    rows.push(rate(`${layer.file} (${read})`, ours, flatgeobuf));
    if (parquet !== null) rows.push(rate(`${layer.file}, beside GDAL + DuckDB to Parquet`, ours, parquet));
    const whole = [...stages.values()].reduce((sum, taken) => sum + taken, 0);
    const shares = [...stages].map(([stage, taken]) => `${stage} ${Math.round((100 * taken) / whole)}%`);
    process.stdout.write(`${layer.file}: ${shares.join(', ')}\n`);
    if (!isParcelLayer(layer)) continue;
    // Shares of the profiled round, on the time of the fastest: the profiler itself takes some.
    const spent = [...stages].map(([stage, taken]) => [stage, (ours * taken) / whole] as const);
    for (const [stage, taken] of spent)
      stageRows.push(rate(`parcels, ${stage}${isConversion(stage) === false ? ' (not in ogr2ogr)' : ''}`, taken, null));
    const conversion = spent.reduce((sum, [stage, taken]) => sum + (isConversion(stage) ? taken : 0), 0);
    stageRows.push(rate('parcels, the stages that ogr2ogr has', conversion, flatgeobuf));
  }
  rows.push({
    case: `all ${all.rows}`,
    unit: 'rows/s',
    ours: all.rows / all.ours,
    peer: all.rows / all.flatgeobuf,
    ratio: all.flatgeobuf / all.ours,
  });
  report('ingest', { gdal }, [...rows, ...stageRows]);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
