import { Piscina } from 'piscina';
import type { Catalog } from '../../datasets/catalog.ts';
import { threadFile } from '../../query/engine/file-checker.ts';
import type { Language } from './language.ts';
import { type Delivery, LanguageQueue, type Outcome } from './queue.ts';

/** One keeps up with the questions that two cores can fetch for; what it holds of the catalog takes memory. */
const THREADS = 1;
/** Works that may wait: more than questions that a server answers at once by default. */
const MOST_WAITING = 128;
const HEAP_MB = 256;

/** What a thread is started with. */
export interface ThreadSetup {
  /** Null for that of this build. */
  readonly catalog: Catalog | null;
}

/** Threads for plain language, and how to end them. */
export interface LanguageThreads {
  readonly language: Language;
  close(): Promise<void>;
}

/**
 * Starts threads for plain language.
 * @param catalog null for that of this build. @param warn is told when a thread ended.
 */
export function startLanguage(catalog: Catalog | null, warn: (message: string) => void): LanguageThreads {
  const pool = new Piscina<Delivery, Outcome>({
    ...threadFile('../language-thread/thread', import.meta.url),
    minThreads: THREADS,
    maxThreads: THREADS,
    idleTimeout: Number.POSITIVE_INFINITY,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    recordTiming: false,
    workerData: { catalog } satisfies ThreadSetup,
  });
  // Kept for good: a thread that dies is replaced by the pool, and must not take the process with it.
  pool.on('error', () => {});
  // A thread answers that it knows no such work, but only once it has loaded its modules and indexes.
  const loaded = pool.run({ name: 'nothing', input: null }).catch(() => {});
  return {
    language: new LanguageQueue(pool, THREADS, MOST_WAITING, warn),
    close: async () => {
      // Node ends the process when a thread is ended that still loads its modules (nodejs/node#60755).
      await loaded;
      await pool.close();
    },
  };
}
