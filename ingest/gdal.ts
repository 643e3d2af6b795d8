import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  type CrsAnswer,
  type CrsQuestion,
  chosenLayer,
  conversionArgs,
  type GdalAnswer,
  type GdalConversion,
  type GdalLayer,
  layersOfListing,
  rastersMarked,
} from './gdal-job.ts';
import { GdalStopped, GdalThread } from './gdal-thread.ts';
import type { RasterAnswer, RasterJob } from './raster/raster-info.ts';
import { ReadError } from './reader.ts';

const run = promisify(execFile);
/** Uncompressed bytes of the largest dataset for GDAL in WASM, which has a 32-bit memory. */
const LARGEST_FOR_WASM = 1 << 30;
/** Drivers whose larger files the machine's own GDAL may read. Its other drivers would follow a file to others. */
const LARGE_DRIVERS: readonly string[] = ['OpenFileGDB'];
const LISTING_BYTES = 64 * 1024 * 1024;
/** Uncompressed bytes up to which datasets share a thread. A larger one gets its own, so that its memory is freed. */
const LARGEST_SHARED = 64 << 20;
/** How long the shared thread waits for its next dataset. Loading GDAL takes longer than converting most of them. */
const IDLE_MS = 10_000;

let shared: GdalThread | null = null;

/** Returns the thread of GDAL that small jobs share. */
export const sharedThread = (): GdalThread => (shared ??= new GdalThread(IDLE_MS));

/** Whether a GDAL is installed on this machine. */
async function hasSystemGdal(): Promise<boolean> {
  try {
    await run('ogr2ogr', ['--version']);
    return true;
  } catch {
    return false;
  }
}

async function withSystem(job: GdalConversion): Promise<GdalAnswer> {
  // An absolute path cannot be mistaken for an option.
  const path = resolve(job.path);
  const gzipped = path.toLowerCase().endsWith('.gz') ? `/vsigzip/${path}` : path;
  const dataset = job.member === null ? gzipped : `/vsizip/${join(path, job.member)}`;
  try {
    const { stdout, stderr } = await run('ogrinfo', ['-ro', '-so', '-al', dataset], { maxBuffer: LISTING_BYTES });
    const layers = rastersMarked(layersOfListing(stdout));
    const layer = chosenLayer(layers, job.take.layer);
    // GDAL reports a table that it cannot read as empty.
    const complaint = layer?.count === 0 && /^ERROR \d+: (.*)/m.exec(stderr);
    if (complaint) return { error: complaint[1]! };
    if (layer) await run('ogr2ogr', [...conversionArgs(layer), join(job.folder, 'layer.fgb'), dataset]);
    return { layers };
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    return { error: (stderr || message).trim().split('\n')[0]! };
  }
}

async function withWasm(job: GdalConversion, bytes: number): Promise<GdalAnswer> {
  if (bytes <= LARGEST_SHARED) return sharedThread().run(job);
  const thread = new GdalThread(0);
  try {
    return await thread.run(job);
  } finally {
    await thread.close();
  }
}

/**
 * Converts one layer of features to `layer.fgb` in the job's folder. It uses GDAL in WASM up to
 * LARGEST_FOR_WASM bytes, and the machine's own GDAL beyond.
 * @param bytes uncompressed size of the dataset.
 * @returns all layers, rasters of a geodatabase among them. If `chosenLayer` finds none, nothing was converted.
 * @throws ReadError format_unsupported when it is too large for WASM and no GDAL is installed or the thread of GDAL cannot
 * run, file_corrupt when GDAL cannot read it.
 */
export async function convertWithGdal(job: GdalConversion, bytes: number): Promise<readonly GdalLayer[]> {
  const large = bytes > LARGEST_FOR_WASM;
  if (large && !LARGE_DRIVERS.includes(job.driver))
    throw new ReadError(
      'format_unsupported',
      job.path,
      null,
      `holds ${(bytes / (1 << 30)).toFixed(1)} GiB; up to 1 GiB of this format is read: convert it with "ogr2ogr -f FlatGeobuf layer.fgb" and take that file`,
    );
  if (large && !(await hasSystemGdal()))
    throw new ReadError(
      'format_unsupported',
      job.path,
      null,
      `holds ${(bytes / (1 << 30)).toFixed(1)} GiB; more than 1 GiB needs ogr2ogr on this machine: install GDAL (Debian package gdal-bin)`,
    );
  let answer: GdalAnswer;
  try {
    answer = await (large ? withSystem(job) : withWasm(job, bytes));
  } catch (error) {
    if (error instanceof GdalStopped) throw new ReadError('format_unsupported', job.path, null, error.message);
    throw error;
  }
  if ('error' in answer) throw new ReadError('file_corrupt', job.path, null, `GDAL cannot read it (${answer.error})`);
  return answer.layers;
}

/** Threads in which PROJ has an environment of its own. */
const apart = new Map<string, GdalThread>();

/**
 * Asks PROJ about coordinate reference systems.
 * @param env `grids`: folder of the datum grids that it may use; `PROJ_ONLY_BEST_DEFAULT`: whether it takes the best
 * transformation that it knows or none, otherwise the best for which it has what it needs.
 * @throws GdalStopped when the thread cannot begin.
 */
export async function askProj(question: CrsQuestion, env: Readonly<Record<string, string>> = {}): Promise<CrsAnswer> {
  const key = JSON.stringify(env);
  const thread = key === '{}' ? sharedThread() : (apart.get(key) ?? new GdalThread(IDLE_MS, undefined, env));
  if (key !== '{}') apart.set(key, thread);
  const answer = await thread.run(question);
  return 'error' in answer ? { refusal: answer.error } : answer;
}

/**
 * Asks GDAL in WASM about a raster or a CRS. Memory does not grow with the raster, because it is read by windows.
 * @param file named in errors.
 * @throws ReadError format_unsupported when the thread of GDAL cannot run, file_corrupt when GDAL refuses.
 */
export async function askRaster(job: RasterJob, file: string): Promise<RasterAnswer> {
  let answer: GdalAnswer;
  try {
    answer = await sharedThread().run(job);
  } catch (error) {
    if (error instanceof GdalStopped) throw new ReadError('format_unsupported', file, null, error.message);
    throw error;
  }
  const { error, raster } = 'error' in answer ? { error: answer.error } : { ...answer, error: null };
  const refused = error ?? (raster && 'refused' in raster ? raster.refused : null);
  if (refused !== null || !raster)
    throw new ReadError('file_corrupt', file, null, `GDAL cannot read it (${refused ?? 'it says nothing'})`);
  return raster;
}
