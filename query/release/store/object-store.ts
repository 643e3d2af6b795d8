import type { Readable } from 'node:stream';

/** What became of a write that may only make an object: `lost` means that another one is there, or is just being made. */
export type Creation = 'made' | 'lost';

/**
 * A place for releases beyond this machine: files named by their content, small objects that are made once and never changed, and
 * one that is replaced. Keys are relative paths of lower-case names with `/` between. All methods reject with Error where the place
 * cannot be reached or refuses.
 */
export interface ObjectStore {
  /** As the caller named it, for messages. */
  readonly name: string;
  /** How much of a file it takes at once, in bytes. */
  readonly partBytes: number;
  /** Length of an object in bytes; null where there is none. */
  size(key: string): Promise<number | null>;
  /** A small object, whole; null where there is none. */
  read(key: string): Promise<Buffer | null>;
  /** The bytes of an object from an offset below its length on; null where there is none. They may break off. */
  open(key: string, from: number, signal?: AbortSignal): Promise<Readable | null>;
  /** Makes an object where there is none. */
  create(key: string, bytes: Buffer): Promise<Creation>;
  /**
   * Stores a file whole or not at all.
   * @param bytes its length.
   * @param md5s of each `partBytes` of its content, in base64: what arrives otherwise is refused.
   */
  put(key: string, path: string, bytes: number, md5s: readonly string[]): Promise<void>;
  /** Keys that begin so and come after another, in order. They may lack what was made a moment ago. */
  list(prefix: string, after?: string): Promise<string[]>;
}

/** Two writes to one key, of which the second must lose: whether this store keeps publishers apart. */
export async function fences(store: ObjectStore): Promise<boolean> {
  const probe = () => store.create('fence-probe', Buffer.from('A second write here must be refused.\n'));
  return (await probe()) === 'lost' || (await probe()) === 'lost';
}
