import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file written from start to end through one buffer. Synchronous: a bulk writer gains nothing from waiting. */
export class Sink {
  readonly path: string;
  /** Bytes written so far, buffered ones included. */
  position = 0;
  readonly #buffer: Uint8Array;
  #fill = 0;
  #fd: number | null;

  /** Creates the file, or empties what a killed run left there. */
  constructor(path: string, bufferBytes = 1 << 20) {
    this.path = path;
    this.#buffer = new Uint8Array(bufferBytes);
    this.#fd = openSync(path, 'w');
  }

  write(bytes: Uint8Array): void {
    this.position += bytes.length;
    if (this.#fill + bytes.length > this.#buffer.length) this.flush();
    if (bytes.length > this.#buffer.length) this.#put(bytes);
    else {
      this.#buffer.set(bytes, this.#fill);
      this.#fill += bytes.length;
    }
  }

  flush(): void {
    this.#put(this.#buffer.subarray(0, this.#fill));
    this.#fill = 0;
  }

  /** Flushes, waits until the disk has it where the file must be durable, closes. */
  commit(durable = true): void {
    this.flush();
    if (durable) fsyncSync(this.#fd!);
    this.close();
  }

  /** Closes without flushing; harmless when already closed. */
  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #put(bytes: Uint8Array): void {
    if (this.#fd === null) throw new Error(`${this.path} is closed`);
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done, bytes.length - done);
  }
}

/** Makes the rename of a file to this path last through a power cut. */
export function syncFolder(path: string): void {
  const fd = openSync(dirname(path), 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
