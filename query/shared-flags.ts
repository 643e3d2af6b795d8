/** Flags of one block of shared memory. */
const BLOCK = 1024;

/**
 * Flags that a thread shares with its workers. A block of shared memory a request would cost more than many a request;
 * a flag is given out once only, so that a late reader of one never sees another request's.
 */
export class SharedFlags {
  #block = new SharedArrayBuffer(BLOCK * 4);
  #used = 0;

  /** A fresh flag, 0. The block it lies in is let go when no request holds one of its flags. */
  take(): Int32Array {
    if (this.#used === BLOCK) {
      this.#block = new SharedArrayBuffer(BLOCK * 4);
      this.#used = 0;
    }
    return new Int32Array(this.#block, this.#used++ * 4, 1);
  }
}
