import type { MessagePort } from 'node:worker_threads';
import { buildCounty } from './county/county.ts';
import { buildLayer } from './layer.ts';
import type { CountyJob, LayerJob, LayerResult } from './layer-job.ts';

const EVERY_MS = 100;

/** Builds one layer, or the parcels of one county. Parameters and what it throws as of `buildLayer`. */
export const build = (
  job: LayerJob | CountyJob,
  report: (rows: number) => void,
  signal: AbortSignal,
): Promise<LayerResult> => ('layers' in job ? buildCounty(job, report, signal) : buildLayer(job, report, signal));

/** Does so in a worker thread; `port` tells rows read a few times a second and takes any message as the order to stop. */
export default async function work({
  job,
  port,
}: {
  job: LayerJob | CountyJob;
  port: MessagePort;
}): Promise<LayerResult> {
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
    return await build(job, report, stop.signal);
  } finally {
    port.close();
  }
}
