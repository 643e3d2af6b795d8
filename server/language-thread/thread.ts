import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
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

/** The memory of the arrays in a value that share it with nothing. */
function ownMemory(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(part =>
    part instanceof Uint8Array && part.buffer instanceof ArrayBuffer && part.length === part.buffer.byteLength
      ? [part.buffer]
      : [],
  );
}

/** Does what the serving thread sends. Arrays in its output change hands without a copy. */
export default function answer({ name, input }: Delivery): Outcome {
  try {
    const output = doWork(catalog, name, input);
    const memory = ownMemory(output);
    if (memory.length === 0) return { output };
    return move({ [transferableSymbol]: memory, [valueSymbol]: { output } } as never) as object as Outcome;
  } catch (error) {
    return { error: (error as Error).stack ?? String(error) };
  }
}
