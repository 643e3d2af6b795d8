import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

/** Bytes that all scratch space of a thread may hold in memory; the rest goes to disk. */
const BUDGET_BYTES = 32 << 20;
const FIRST_BYTES = 64 << 10;
const BUFFER_BYTES = 1 << 20;

let held = 0;

/**
 * Holds bytes that are written once and read back at any position: in memory up to the thread's budget, then in a file. A layer
 * of ordinary size never uses the disk, and a layer of any size uses no more memory than the budget.
 */
export class Scratch {
  /** Bytes written so far. */
  position = 0;
  readonly #path: string;
  #buffer: Uint8Array = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #fill = 0;
  #fd: number | null = null;
  /** Buffer for pieces of the file; valid until the next read. */
  #piece = new Uint8Array(0);

  /** @param path of the file, which is made only when it is needed. */
  constructor(path: string) {
    this.#path = path;
    held += FIRST_BYTES;
  }

  /** Adds a copy of the bytes. */
  write(bytes: Uint8Array): void {
    if (this.#fill + bytes.length > this.#buffer.length) this.#makeRoom(bytes.length);
    if (bytes.length > this.#buffer.length) this.#put(bytes);
    else {
      this.#buffer.set(bytes, this.#fill);
      this.#fill += bytes.length;
    }
    this.position += bytes.length;
  }

  /**
   * Reads bytes that were written before.
   * @returns a view that is valid until the next write or read.
   * @throws Error when the file no longer has them.
   */
  read(at: number, length: number): Uint8Array {
    if (this.#fd === null) return this.#buffer.subarray(at, at + length);
    if (this.#fill > 0) this.#flush();
    if (this.#piece.length < length) this.#piece = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const read = readSync(this.#fd, this.#piece, done, length - done, at + done);
      if (read === 0) throw new Error(`${this.#path} ended early; was it changed while being written?`);
      done += read;
    }
    return this.#piece.subarray(0, length);
  }

  /** Frees the memory and removes the file. A second call does nothing. */
  discard(): void {
    held -= this.#buffer.length;
    this.#buffer = this.#piece = new Uint8Array(0);
    this.#fill = 0;
    if (this.#fd === null) return;
    closeSync(this.#fd);
    this.#fd = null;
    rmSync(this.#path, { force: true });
  }

  #makeRoom(bytes: number): void {
    const { length } = this.#buffer;
    const wanted = Math.max(2 * length, this.#fill + bytes);
    if (this.#fd === null && held + wanted - length <= BUDGET_BYTES) {
      const old = this.#buffer;
      this.#resize(wanted);
      this.#buffer.set(old.subarray(0, this.#fill));
      return;
    }
    this.#fd ??= openSync(this.#path, 'w+');
    this.#flush();
    if (length !== BUFFER_BYTES) this.#resize(BUFFER_BYTES);
  }

  #resize(length: number): void {
    held += length - this.#buffer.length;
    this.#buffer = Buffer.allocUnsafeSlow(length);
  }

  #flush(): void {
    this.#put(this.#buffer.subarray(0, this.#fill));
    this.#fill = 0;
  }

  #put(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd!, bytes, done, bytes.length - done);
  }
}
