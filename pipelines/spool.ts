import { deserialize, serialize } from 'node:v8';
import { Scratch } from '../ingest/writers/scratch.ts';

/** Where a record stands in a spool, bytes. */
export interface Slot {
  readonly offset: number;
  readonly size: number;
}

/** Records written once and read back in any order by their slots, which the caller keeps; on disk beyond a budget. */
export class Spool<T> {
  readonly #scratch: Scratch;

  /** @param path of the file in which records wait that memory has no room for. */
  constructor(path: string) {
    this.#scratch = new Scratch(path);
  }

  add(record: T): Slot {
    const bytes = serialize(record);
    const slot = { offset: this.#scratch.position, size: bytes.length };
    this.#scratch.write(bytes);
    return slot;
  }

  read({ offset, size }: Slot): T {
    // A copy, because the record's arrays are views of the bytes they are read from.
    return deserialize(this.#scratch.read(offset, size).slice()) as T;
  }

  close(): void {
    this.#scratch.discard();
  }
}
