import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Value } from '../datasets/dataset.ts';

/** One row that was left out, or kept after a certain repair. */
export interface Reject {
  readonly file: string;
  /** 1-based position in the file. */
  readonly row: number;
  /** The row's own identifier where the layer has a join key; null otherwise. */
  readonly id: Value;
  readonly action: 'rejected' | 'repaired';
  readonly reason: string;
}

/** Writes the rejects file of one layer: NDJSON, one object a row, made only when there is something to say. */
export class Rejects {
  readonly path: string;
  rejected = 0;
  repaired = 0;
  #stream: WriteStream | undefined;
  /** The first few, for messages. */
  readonly first: Reject[] = [];

  constructor(path: string) {
    this.path = path;
  }

  async add(reject: Reject): Promise<void> {
    this[reject.action]++;
    if (this.first.length < 5) this.first.push(reject);
    this.#stream ??= createWriteStream(this.path);
    if (!this.#stream.write(`${JSON.stringify(reject)}\n`)) await once(this.#stream, 'drain');
  }

  /** @returns rows written; 0 means there is no file. */
  async finish(): Promise<number> {
    if (this.#stream) await finished(this.#stream.end());
    return this.rejected + this.repaired;
  }
}
