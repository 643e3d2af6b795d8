// A worker as they are, that ends as soon as it has begun with a task while there is a file `die` in its home.
import { existsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import answerAll from '../../../query/engine/worker.ts';

const setup = (Array.isArray(workerData) ? workerData[1] : workerData) as { readonly home: string };
const order = join(setup.home, 'die');
// A task begins by claiming its flag, and nothing else here exchanges.
const { compareExchange } = Atomics;
Atomics.compareExchange = ((...args: Parameters<typeof compareExchange>) => {
  const was = compareExchange(...args);
  if (existsSync(order)) {
    unlinkSync(order);
    process.exit(7);
  }
  return was;
}) as typeof compareExchange;

export default answerAll;
