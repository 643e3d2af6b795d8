import { LRUCache } from 'lru-cache';
import type { Answer, Point } from '../query/evaluate/answer.ts';
import type { Clock } from './clock.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Estimates the bytes of an answer on the heap, so that memory and not a count limits the cache. */
function weigh(answer: Answer): number {
  const { value } = answer;
  const content = typeof value === 'object' && value !== null ? JSON.stringify(value).length : String(value).length;
  return 400 + 2 * (content + (answer.notes?.length ?? 0));
}

/** The size of a cache, and its hits and misses. */
export interface CacheCounts {
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
}

/** The 24-hour layer cache of fetch. */
export interface AnswerCache {
  /** The stored answer with its own fetchedAt, or undefined. */
  get(field: string, version: string, point: Point): Answer | undefined;
  counts(): CacheCounts;
  /** Keeps `ok` and `absent`; a `failed` answer is never kept. */
  set(field: string, version: string, point: Point, answer: Answer): void;
}

const keyOf = (field: string, version: string, { lng, lat }: Point) =>
  `${field} ${version} ${lng.toFixed(7)} ${lat.toFixed(7)}`;

/**
 * Makes an in-memory cache keyed by field, dataset version and coordinate rounded to 7 decimals (about a centimetre).
 * @param clock decides when 24 hours have passed.
 * @param maxBytes estimated heap it may hold.
 */
export function createAnswerCache(clock: Clock, maxBytes = 64 * 1024 * 1024): AnswerCache {
  const entries = new LRUCache<string, Answer>({
    maxSize: maxBytes,
    ttl: DAY_MS,
    ttlResolution: 0,
    perf: clock,
    sizeCalculation: (answer, key) => weigh(answer) + 2 * key.length,
  });
  let [hits, misses] = [0, 0];
  return {
    counts: () => ({ bytes: entries.calculatedSize, hits, misses }),
    get(field, version, point) {
      const answer = entries.get(keyOf(field, version, point));
      if (answer) hits++;
      else misses++;
      return answer;
    },
    set(field, version, point, answer) {
      if (answer.status !== 'failed') entries.set(keyOf(field, version, point), answer);
    },
  };
}
