import type { MessagePort } from 'node:worker_threads';
import { buildLayer } from './layer.ts';
import type { LayerJob, LayerResult } from './layer-job.ts';

const EVERY_MS = 100;

/** Builds one layer in a worker thread and reports rows read through `port`, a few times a second. */
export default async function work({ job, port }: { job: LayerJob; port: MessagePort }): Promise<LayerResult> {
  let last = 0;
  try {
    return await buildLayer(job, rows => {
      const now = performance.now();
      if (now - last < EVERY_MS) return;
      last = now;
      port.postMessage(rows);
    });
  } finally {
    port.close();
  }
}
