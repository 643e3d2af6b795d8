import { Worker } from 'node:worker_threads';
import { threadFile } from '../../../query/engine/file-checker.ts';

/**
 * Starts a thread that copies the write-ahead log of a database into its file. A commit that finds 32 MB in the log copies them
 * itself, which takes 140 to 180 ms on a slow disk, and the event loop waits: without the thread the slowest hundredth of fetches
 * beside lookups (`make bench-isolation`) takes 1.7 times as long. If the thread ends, commits go on copying.
 * @param file of the database.
 * @returns a function that ends the thread. Call it before the database is closed, so that the last one out removes the log.
 */
export function keepCheckpoints(file: string): () => Promise<unknown> {
  const { filename, execArgv } = threadFile('checkpoint-thread', import.meta.url);
  const thread = new Worker(filename, { workerData: file, execArgv });
  thread.on('error', () => {});
  thread.unref();
  return () => thread.terminate();
}
