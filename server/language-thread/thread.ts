import { workerData } from 'node:worker_threads';
import { catalog as builtIn } from '../../datasets/catalog.ts';
import { yieldToServingThread } from '../../query/engine/queue/thread-priority.ts';
import type { Delivery, Outcome } from '../language/queue.ts';
import type { ThreadSetup } from '../language/threads.ts';
import type { NameQuery } from '../mcp/name-search.ts';
import { doWork } from './works.ts';

// Piscina puts the options' workerData second in its own pair.
const setup = (Array.isArray(workerData) ? workerData[1] : workerData) as ThreadSetup;
const catalog = setup.catalog ?? builtIn;
yieldToServingThread();
// Builds the indexes now, so that the first question need not wait for them.
for (const surface of ['fetch', 'enrich'] as const)
  doWork(catalog, 'search', { query: 'elevation', surface, limit: 1 } satisfies NameQuery);

/** Does what the serving thread sends. */
export default function answer({ name, input }: Delivery): Outcome {
  try {
    return { output: doWork(catalog, name, input) };
  } catch (error) {
    return { error: (error as Error).stack ?? String(error) };
  }
}
