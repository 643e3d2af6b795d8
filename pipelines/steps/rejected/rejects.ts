import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { TableLayer, VectorLayer } from '../../../datasets/dataset.ts';
import { loadGeos } from '../../../query/geometry/geos.ts';
import type { StagedFile } from '../../../query/release/home/store.ts';
import { rejectedGround } from './ground.ts';
import type { Reject, RejectedRow } from './reject.ts';
import { RejectedRows } from './rows.ts';

/**
 * Writes what was left out of one layer, only when there is something: the rejects file (NDJSON, one object a row, repaired
 * ones too) says why, the rejected file keeps the ground and the values of rejected rows, so that no answer passes over
 * them.
 */
export class Rejects {
  rejected = 0;
  repaired = 0;
  readonly #path: string;
  #stream: WriteStream | undefined;
  readonly #rows: RejectedRows;
  /** The first few, for messages. */
  readonly first: Reject[] = [];

  /** @param folder that the files are written to. @param name of the layer, for their headers. */
  constructor(folder: string, name: string, layer: Pick<VectorLayer | TableLayer, 'columns'>) {
    this.#path = join(folder, 'rejects.ndjson');
    this.#rows = new RejectedRows(join(folder, 'rejected.fgb'), name, layer.columns);
  }

  /** Records a row that is kept after a certain repair. */
  async repair(reject: Omit<Reject, 'action'>): Promise<void> {
    this.repaired++;
    await this.#say({ ...reject, action: 'repaired' });
  }

  /** Records a row that is left out, with what is known of it. */
  async reject(reject: Omit<Reject, 'action'>, row: RejectedRow): Promise<void> {
    this.rejected++;
    await this.#say({ ...reject, action: 'rejected' });
    const ground = row.geometry && rejectedGround(row.geometry, await loadGeos());
    await this.#rows.add(reject, { ...row, geometry: ground });
  }

  async #say(reject: Reject): Promise<void> {
    if (this.first.length < 5) this.first.push(reject);
    this.#stream ??= createWriteStream(this.#path);
    if (!this.#stream.write(`${JSON.stringify(reject)}\n`)) await once(this.#stream, 'drain');
  }

  /** @returns the files that there are. */
  async finish(): Promise<StagedFile[]> {
    if (!this.#stream) return [];
    await finished(this.#stream.end());
    const said: StagedFile = { role: 'rejects', path: this.#path, rows: this.rejected + this.repaired };
    const kept = await this.#rows.finish();
    return kept ? [said, kept] : [said];
  }

  /** Leaves nothing open. */
  async abort(): Promise<void> {
    // What was still to be written is lost on purpose, and no error.
    this.#stream?.on('error', () => {}).destroy();
    await this.#rows.abort();
  }
}
