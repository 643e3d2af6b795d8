import { LRUCache } from 'lru-cache';

/**
 * What a worker keeps in memory: opened files, decoded features, raster blocks, table rows. Keys hold the file's
 * sha256 and stamp, so entries of an unchanged file serve the next release too, and those of an old release or of bytes
 * that were changed simply age out.
 */
export interface Cache {
  get(key: string): object | undefined;
  /** @param bytes what the value is thought to weigh. */
  set(key: string, value: object, bytes: number): void;
  /** Said by work before it uses files: none is closed until all that entered has left. */
  enter(): void;
  /** Said when the work is done. The last to leave closes the files that were pushed out meanwhile. */
  leave(): void;
  /** Lets go of what was used longest ago until it keeps at most this share of its capacity. */
  shrink(share: number): void;
  /** Drops everything. */
  clear(): void;
  /** Bytes it keeps at most. */
  readonly capacity: number;
}

/** A least-recently-used cache bounded by bytes. */
export function createCache(megabytes: number): Cache {
  const leaving: { close(): void }[] = [];
  const leave = (value: object) => {
    if ('close' in value && typeof value.close === 'function') leaving.push(value as { close(): void });
  };
  const maxSize = megabytes * 1024 * 1024;
  const lru = new LRUCache<string, object>({ maxSize, dispose: leave });
  let inside = 0;
  const sweep = () => {
    if (inside === 0) for (const value of leaving.splice(0)) value.close();
  };
  return {
    capacity: maxSize,
    get: key => lru.get(key),
    set(key, value, bytes) {
      const size = Math.max(1, Math.ceil(bytes));
      if (size > maxSize) leave(value);
      else lru.set(key, value, { size });
    },
    enter() {
      inside++;
    },
    leave() {
      inside--;
      sweep();
    },
    shrink(share) {
      while (lru.calculatedSize > maxSize * share) lru.pop();
      sweep();
    },
    clear() {
      lru.clear();
      sweep();
    },
  };
}
