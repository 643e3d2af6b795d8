import { mkdirSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { catalog, layerOf } from '../../datasets/catalog.ts';
import { buildCounty } from './county/county.ts';
import { buildLayer } from './layer.ts';
import type { CountyJob, LayerJob, LayerResult } from './layer-job.ts';
import { stageRaster } from './raster/raster.ts';
import { stageRoads } from './roads/roads.ts';
import type { ArchiveJob, ArchiveResult } from './tiles/archive-job.ts';
import { drawArchive } from './tiles/draw.ts';

const EVERY_MS = 100;

/** What the threads of a run do: build a layer, build the parcels of a county, draw the tiles of a map layer. */
export type Job = LayerJob | CountyJob | ArchiveJob;
/** What comes of a job. */
export type Result<J extends Job> = J extends ArchiveJob ? ArchiveResult : LayerResult;

function carriedOut(
  job: Job,
  report: (rows: number) => void,
  signal: AbortSignal,
): Promise<LayerResult | ArchiveResult> {
  if ('map' in job) return drawArchive(job, report, signal);
  if ('layers' in job) return buildCounty(job, report, signal);
  mkdirSync(job.folder, { recursive: true });
  const layer = layerOf(catalog.datasets, job.layer.dataset, job.layer.layer);
  if (layer.kind === 'raster') return stageRaster(job, layer, report, signal);
  if (layer.kind === 'roads') return stageRoads(job, layer, report, signal);
  return buildLayer(job, layer, report, signal);
}

/** Carries out a job. Parameters and what it throws as of `buildLayer` and `drawArchive`. */
export const carryOut = <J extends Job>(job: J, report: (rows: number) => void, signal: AbortSignal) =>
  carriedOut(job, report, signal) as Promise<Result<J>>;

/** Does so in a worker thread; `port` tells rows read a few times a second and takes any message as the order to stop. */
export default async function work({ job, port }: { job: Job; port: MessagePort }): Promise<Result<Job>> {
  const stop = new AbortController();
  port.on('message', () => stop.abort(new Error('another layer failed')));
  let last = 0;
  const report = (rows: number) => {
    const now = performance.now();
    if (now - last < EVERY_MS) return;
    last = now;
    port.postMessage(rows);
  };
  try {
    return await carryOut(job, report, stop.signal);
  } finally {
    port.close();
  }
}
