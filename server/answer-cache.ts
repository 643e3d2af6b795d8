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
  /** The stored answers at a place, each with its own fetchedAt. @param versions of the fields that are asked for, by field. */
  get(versions: ReadonlyMap<string, string>, point: Point): Map<string, Answer>;
  counts(): CacheCounts;
  /** Keeps `ok` and `absent`; a `failed` answer is never kept. @param versions of the fields that were answered, or of more. */
  set(versions: ReadonlyMap<string, string>, point: Point, answers: Readonly<Record<string, Answer>>): void;
}

/** An answer, the version of what it was read from, and the moment until which it stands. */
interface Stored {
  readonly answer: Answer;
  readonly version: string;
  readonly until: number;
}

const keyOf = ({ lng, lat }: Point) => `${lng.toFixed(7)} ${lat.toFixed(7)}`;

/**
 * Makes an in-memory cache of what is known of a place, by its coordinate rounded to 7 decimals (about a centimetre). Fifty
 * answers are one entry: with an entry for each, the cache took a quarter of the serving thread beside full batches
 * (`make bench-isolation`), and V8 had their keys to move too.
 * @param clock decides when 24 hours have passed.
 * @param maxBytes estimated heap it may hold.
 */
export function createAnswerCache(clock: Clock, maxBytes = 64 * 1024 * 1024): AnswerCache {
  const places = new LRUCache<string, Map<string, Stored>>({
    maxSize: maxBytes,
    sizeCalculation: (stored, key) =>
      [...stored.values()].reduce((sum, { answer }) => sum + weigh(answer), 2 * key.length),
  });
  let [hits, misses] = [0, 0];
  return {
    counts: () => ({ bytes: places.calculatedSize, hits, misses }),
    get(versions, point) {
      const found = new Map<string, Answer>();
      const stored = places.get(keyOf(point));
      const now = clock.now();
      for (const [field, version] of stored ? versions : []) {
        const one = stored!.get(field);
        if (one?.version === version && one.until >= now) found.set(field, one.answer);
      }
      hits += found.size;
      misses += versions.size - found.size;
      return found;
    },
    set(versions, point, answers) {
      const key = keyOf(point);
      const stored = new Map(places.peek(key));
      const until = clock.now() + DAY_MS;
      for (const [field, answer] of Object.entries(answers))
        if (answer.status !== 'failed') stored.set(field, { answer, version: versions.get(field)!, until });
      if (stored.size > 0) places.set(key, stored);
    },
  };
}
