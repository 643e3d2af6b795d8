import type { MessagePort } from 'node:worker_threads';
import { buildLayer } from './layer.ts';
import type { LayerJob, LayerResult } from './layer-job.ts';

const EVERY_MS = 100;

/** Builds one layer in a worker thread; `port` tells rows read a few times a second and takes any message as the order to stop. */
export default async function work({ job, port }: { job: LayerJob; port: MessagePort }): Promise<LayerResult> {
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
    return await buildLayer(job, report, stop.signal);
  } finally {
    port.close();
  }
}
