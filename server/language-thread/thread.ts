import { workerData } from 'node:worker_threads';
import { catalog as builtIn } from '../../datasets/catalog.ts';
import { yieldToServingThread } from '../../query/engine/queue/thread-priority.ts';
import type { Delivery, Outcome } from '../language/queue.ts';
import type { ThreadSetup } from '../language/threads.ts';
import { doWork } from './works.ts';

// Piscina puts the options' workerData second in its own pair.
const setup = (Array.isArray(workerData) ? workerData[1] : workerData) as ThreadSetup;
const catalog = setup.catalog ?? builtIn;
yieldToServingThread();

/** Does what the serving thread sends. */
export default function answer({ name, input }: Delivery): Outcome {
  try {
    return { output: doWork(catalog, name, input) };
  } catch (error) {
    return { error: (error as Error).stack ?? String(error) };
  }
}
