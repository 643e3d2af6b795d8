/** What each part of a serving process may keep in memory, megabytes. */
interface MemoryShares {
  /** Each worker: decoded features, raster blocks, matches as text. */
  readonly workerMb: number;
  /** The serving thread: columns that workers handed over, and a quarter as much of matches as text. */
  readonly servingMb: number;
  /** The 24-hour cache of fetch. */
  readonly responsesMb: number;
  /** Answers that are being made, or were not taken yet. */
  readonly answersMb: number;
  /** Bodies that are coming in, or whose request is not answered yet. */
  readonly bodiesMb: number;
}

/**
 * Divides PLAT_MEMORY_MB: half for the workers' caches, a fifth for the serving thread's, an eighth for answers and bodies
 * on their way, and 64 MB at most for the cache of fetch. The rest is slack: weights are estimates, and what all of it comes
 * to is watched (server/memory).
 */
export function memoryShares(megabytes: number, workers: number): MemoryShares {
  const share = (part: number) => Math.max(1, Math.floor(megabytes * part));
  return {
    workerMb: share(0.5 / workers),
    servingMb: share(0.17),
    responsesMb: Math.min(64, share(0.05)),
    answersMb: share(3 / 32),
    bodiesMb: share(1 / 32),
  };
}

/** Megabytes of a worker's heap beside what it keeps: the program, and what one request makes. */
const WORKING_MB = 512;

/** Where V8 ends a worker instead of letting its heap grow: its request is answered 503, and another one takes its place. */
export const heapMbOf = (workerMb: number): number => WORKING_MB + workerMb;

/** Megabytes that DuckDB may take in a worker: it needs some to read a row group, however little is kept. */
export const tablesMbOf = (workerMb: number): number => Math.max(128, workerMb);
