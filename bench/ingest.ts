// Measures rows a second from Bangor's published files to FlatGeobuf in WGS84, and compares with ogr2ogr on the same files. Plat
// also validates every polygon, maps columns, stores rejects, and writes GeoParquet if the layer has it. For parcels it also
// finds the pole of inaccessibility, the geodesic acreage, keys and stacks, and sorts them into stored order. Both run in turn,
// file by file, one process at a time. The time of `ogr2ogr --version` is subtracted from the peer's time, because Plat runs in a
// warm process, as in an ingest of a whole place. The fastest round counts: other work on the machine only adds time, and a
// median would subtract a disturbed start from an undisturbed conversion.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { places } from '../datasets/places.ts';
import { buildLayer } from '../pipelines/steps/layer.ts';
import type { LayerJob } from '../pipelines/steps/layer-job.ts';
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
try {
  const rows: BenchRow[] = [];
  let ourTotal = 0;
  let peerTotal = 0;
  let rowTotal = 0;
  for (const layer of jobs) {
    const ours: number[] = [];
    const peer: number[] = [];
    const starts: number[] = [];
    let read = 0;
    for (let round = 0; round <= ROUNDS; round++) {
      const folder = join(scratch, 'ours');
      const job: LayerJob = { place, layer, sources: SOURCES, folder, asOf: '2026-01-01' };
      const mine = await seconds(async () => {
        read = (await buildLayer(job)).counts[0]!.read;
      });
      const out = join(scratch, 'peer.fgb');
      starts.push(await seconds(() => execFileSync('ogr2ogr', ['--version'], { stdio: 'ignore' })));
      const theirs = await seconds(() =>
        execFileSync(
          'ogr2ogr',
          [
            '-f',
            'FlatGeobuf',
            '-t_srs',
            'EPSG:4326',
            '-nlt',
            'PROMOTE_TO_MULTI',
            '-skipfailures',
            out,
            vsi(join(SOURCES, layer.file)),
          ],
          {
            stdio: 'ignore',
          },
        ),
      );
      // The first round warms the page cache and the compiler, and is not counted.
      if (round > 0) {
        ours.push(mine);
        peer.push(theirs);
      }
      rmSync(folder, { recursive: true, force: true });
      rmSync(out, { force: true });
    }
    const mineBest = Math.min(...ours);
    // ogr2ogr takes at least a millisecond for a file, whatever the difference of two noisy times says.
    const theirBest = Math.max(1e-3, Math.min(...peer) - Math.min(...starts));
    ourTotal += mineBest;
    peerTotal += theirBest;
    rowTotal += read;
    rows.push({
      case: `${layer.file} (${read})`,
      unit: 'rows/s',
      ours: read / mineBest,
      peer: read / theirBest,
      ratio: theirBest / mineBest,
    });
  }
  rows.push({
    case: `all ${rowTotal}`,
    unit: 'rows/s',
    ours: rowTotal / ourTotal,
    peer: rowTotal / peerTotal,
    ratio: peerTotal / ourTotal,
  });
  report('ingest', { gdal }, rows);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
