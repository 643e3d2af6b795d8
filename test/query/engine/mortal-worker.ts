// A worker as they are, that ends as soon as a task looks at the clock while there is a file `die` in its home.
import { existsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import answerAll from '../../../query/engine/worker.ts';

const setup = (Array.isArray(workerData) ? workerData[1] : workerData) as { readonly home: string };
const order = join(setup.home, 'die');
const { now } = Date;
Date.now = () => {
  if (existsSync(order)) {
    unlinkSync(order);
    process.exit(7);
  }
  return now();
};

export default answerAll;
