/** What each part of a serving process may keep in memory, megabytes. */
interface MemoryShares {
  /** Each worker: decoded features, raster blocks, matches as text. */
  readonly workerMb: number;
  /** The serving thread: columns that workers handed over, and half as much of matches as text. */
  readonly servingMb: number;
  /** The 24-hour cache of fetch. */
  readonly responsesMb: number;
  /** Answers that are being made, or were not taken yet. */
  readonly answersMb: number;
}

/**
 * Divides PLAT_MEMORY_MB: half for the workers' caches, a quarter for the serving thread's, an eighth for answers on their
 * way, and 64 MB at most for the cache of fetch. The rest is slack: weights are estimates.
 */
export function memoryShares(megabytes: number, workers: number): MemoryShares {
  const share = (part: number) => Math.max(1, Math.floor(megabytes * part));
  return {
    workerMb: share(0.5 / workers),
    servingMb: share(0.17),
    responsesMb: Math.min(64, share(0.05)),
    answersMb: share(0.125),
  };
}
