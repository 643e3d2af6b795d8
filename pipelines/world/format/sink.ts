import { type FileHandle, open } from 'node:fs/promises';

const CHUNK = 1 << 18;

/** A file written front to back in large chunks. */
export class FileSink {
  readonly #file: FileHandle;
  #pending: Buffer[] = [];
  #size = 0;
  /** Bytes given so far: the offset of the next one. */
  offset = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<FileSink> {
    return new FileSink(await open(path, 'w'));
  }

  /** Takes bytes; waits only when a chunk is full. */
  async write(bytes: Buffer | string): Promise<void> {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    this.#pending.push(buffer);
    this.#size += buffer.length;
    this.offset += buffer.length;
    if (this.#size >= CHUNK) await this.#flush();
  }

  async #flush(): Promise<void> {
    const chunk = Buffer.concat(this.#pending);
    this.#pending = [];
    this.#size = 0;
    await this.#file.write(chunk);
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#file.close();
  }
}

/** Overwrites the head of a finished file: what is known only after its body was written. */
export async function patchFile(path: string, head: Buffer): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(head, 0, head.length, 0);
  await file.close();
}
