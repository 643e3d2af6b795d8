import { LRUCache } from 'lru-cache';

/**
 * What a worker keeps in memory: opened files, decoded features, raster blocks, table rows. Keys hold the file's
 * sha256, so entries of an unchanged file serve the next release too, and an old release's entries simply age out.
 */
export interface Cache {
  get(key: string): object | undefined;
  /** @param bytes what the value is thought to weigh. */
  set(key: string, value: object, bytes: number): void;
  delete(key: string): void;
}

/**
 * A least-recently-used cache bounded by bytes.
 * @param onEvict told about every value that leaves, so that files can be closed.
 */
export function createCache(megabytes: number, onEvict: (value: object) => void = () => {}): Cache {
  const lru = new LRUCache<string, object>({
    maxSize: megabytes * 1024 * 1024,
    dispose: value => onEvict(value),
  });
  return {
    get: key => lru.get(key),
    set: (key, value, bytes) => {
      lru.set(key, value, { size: Math.max(1, Math.ceil(bytes)) });
    },
    delete: key => {
      lru.delete(key);
    },
  };
}
