import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { ReadError } from './reader.ts';

const run = promisify(execFile);
/** Uncompressed bytes above which the 32-bit memory of GDAL in WASM is not trusted with a dataset. */
export const LARGEST_FOR_WASM = 1 << 30;
const LISTING_BYTES = 64 * 1024 * 1024;
const workerUrl = new URL(import.meta.url.endsWith('.ts') ? './gdal_worker.ts' : './gdal_worker.js', import.meta.url);

/** A dataset to read with GDAL, and where its conversion goes. Plain data: it is sent to a thread. */
export interface GdalJob {
  readonly path: string;
  /** Path inside the zip that `path` is; null when it is none. Empty: the dataset is the zip's root. */
  readonly member: string | null;
  /** An existing folder; the conversion is written to `layer.fgb` or `grid.tif` in it. */
  readonly folder: string;
  /** A layer of features, null the only one; or a grid, with its CRS as `EPSG:n` or WKT where the file does not say it. */
  readonly take: { readonly layer: string | null } | { readonly gridCrs: string | null };
}

/** A layer as GDAL lists it. */
export interface GdalLayer {
  readonly name: string;
  readonly count: number;
  /** Name of the identifier column that GDAL keeps apart from the others, null when it has none. */
  readonly fid: string | null;
  readonly geometry: boolean;
}

export type GdalAnswer = { readonly layers: readonly GdalLayer[] } | { readonly error: string };

/** The layer a job is about; undefined when its choice is none of them or they are several. */
export function chosenLayer(layers: readonly GdalLayer[], layer: string | null): GdalLayer | undefined {
  return layer === null ? (layers.length === 1 ? layers[0] : undefined) : layers.find(l => l.name === layer);
}

/**
 * Arguments of ogr2ogr that convert a layer to unindexed FlatGeobuf (rows stay in file order) in its own CRS: curves
 * become lines, Z and M are dropped, and the identifier becomes a column of its own.
 */
export function conversionArgs(layer: GdalLayer): string[] {
  const geometry = layer.geometry ? ['-nlt', 'CONVERT_TO_LINEAR', '-dim', 'XY'] : ['-nlt', 'NONE'];
  const quote = (name: string) => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const fid = layer.fid === null ? '' : `FID AS ${quote(layer.fid)}, `;
  return [
    '-f',
    'FlatGeobuf',
    '-lco',
    'SPATIAL_INDEX=NO',
    ...geometry,
    '-sql',
    `SELECT ${fid}* FROM ${quote(layer.name)}`,
  ];
}

/** Arguments of gdal_translate that write a grid as tiled, losslessly compressed GeoTIFF. */
export function gridArgs(crs: string | null): string[] {
  const declared = crs === null ? [] : ['-a_srs', crs];
  return ['-of', 'GTiff', ...declared, '-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE'];
}

/** Whether a GDAL is installed on this machine. */
export async function hasSystemGdal(): Promise<boolean> {
  try {
    await run('ogr2ogr', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** Layers from the text of `ogrinfo -so -al`; its JSON output came only with GDAL 3.7. */
export function parseListing(text: string): GdalLayer[] {
  return text
    .split(/^Layer name: /m)
    .slice(1)
    .map(part => ({
      name: part.slice(0, part.indexOf('\n')).trim(),
      count: Number(/^Feature Count: (\d+)/m.exec(part)?.[1] ?? NaN),
      fid: /^FID Column = (.+)$/m.exec(part)?.[1]?.trim() ?? null,
      geometry: !/^Geometry: None/m.test(part),
    }));
}

async function withSystem(job: GdalJob): Promise<GdalAnswer> {
  // An absolute path cannot be taken for an option.
  const path = resolve(job.path);
  const gzipped = path.toLowerCase().endsWith('.gz') ? `/vsigzip/${path}` : path;
  const dataset = job.member === null ? gzipped : `/vsizip/${join(path, job.member)}`;
  const { take } = job;
  try {
    if ('gridCrs' in take) {
      await run('gdal_translate', ['-q', ...gridArgs(take.gridCrs), dataset, join(job.folder, 'grid.tif')]);
      return { layers: [] };
    }
    const { stdout } = await run('ogrinfo', ['-ro', '-so', '-al', dataset], { maxBuffer: LISTING_BYTES });
    const layers = parseListing(stdout);
    const layer = chosenLayer(layers, take.layer);
    if (layer) await run('ogr2ogr', [...conversionArgs(layer), join(job.folder, 'layer.fgb'), dataset]);
    return { layers };
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return { error: (stderr || message).trim().split('\n')[0]! };
  }
}

/** In a thread of its own: the library patches globals, blocks while it works, and its memory never shrinks. */
function withWasm(job: GdalJob): Promise<GdalAnswer> {
  return new Promise((done, fail) => {
    const worker = new Worker(workerUrl, {
      workerData: job,
      execArgv: workerUrl.pathname.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [],
    });
    let answer: GdalAnswer | null = null;
    worker.once('message', (message: GdalAnswer) => {
      answer = message;
      void worker.terminate();
    });
    worker.once('error', fail);
    worker.once('exit', code => {
      if (answer) done(answer);
      else fail(new Error(`GDAL stopped with code ${code}`));
    });
  });
}

/**
 * Converts one layer of features to `layer.fgb`, or a grid to `grid.tif`, in the job's folder: with GDAL in WASM up to
 * LARGEST_FOR_WASM bytes, with the machine's own beyond.
 * @param bytes uncompressed size of the dataset.
 * @returns all layers of features; none was converted when `chosenLayer` finds none.
 * @throws ReadError format_unsupported when it is too large for WASM and no GDAL is installed, file_corrupt when GDAL
 * cannot read it.
 */
export async function convertWithGdal(job: GdalJob, bytes: number): Promise<readonly GdalLayer[]> {
  const large = bytes > LARGEST_FOR_WASM;
  if (large && !(await hasSystemGdal()))
    throw new ReadError(
      'format_unsupported',
      job.path,
      null,
      `holds ${(bytes / (1 << 30)).toFixed(1)} GiB; more than 1 GiB needs ogr2ogr on this machine: install GDAL (Debian package gdal-bin)`,
    );
  const answer = await (large ? withSystem(job) : withWasm(job));
  if ('error' in answer) throw new ReadError('file_corrupt', job.path, null, `GDAL cannot read it (${answer.error})`);
  return answer.layers;
}
