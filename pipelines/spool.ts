import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';

const FLUSH_BYTES = 1 << 20;

/** Records on disk that are written once in any order and read back by number; memory holds 16 bytes a record. */
export class Spool<T> {
  readonly #path: string;
  readonly #fd: number;
  readonly #offsets: number[] = [];
  readonly #sizes: number[] = [];
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #end = 0;

  constructor(path: string) {
    this.#path = path;
    this.#fd = openSync(path, 'w+');
  }

  get length(): number {
    return this.#offsets.length;
  }

  add(record: T): void {
    const bytes = serialize(record);
    this.#offsets.push(this.#end);
    this.#sizes.push(bytes.length);
    this.#end += bytes.length;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= FLUSH_BYTES) this.#flush();
  }

  /** The record that was added as number `index`, from 0. */
  read(index: number): T {
    if (this.#pendingBytes > 0) this.#flush();
    const size = this.#sizes[index]!;
    const bytes = Buffer.allocUnsafe(size);
    for (let done = 0; done < size; ) {
      const read = readSync(this.#fd, bytes, done, size - done, this.#offsets[index]! + done);
      if (read === 0) throw new Error(`${this.#path} ended early; was it changed while being written?`);
      done += read;
    }
    return deserialize(bytes) as T;
  }

  close(): void {
    closeSync(this.#fd);
    rmSync(this.#path, { force: true });
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#pending);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done);
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}
