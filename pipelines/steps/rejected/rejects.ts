import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { TableLayer, Value, VectorLayer } from '../../../datasets/dataset.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import type { GroundKind } from '../../../datasets/place/ground-kind.ts';
import { GROUND_COLUMNS, REJECTED_COLUMNS } from '../../../query/evaluate/rejected/columns.ts';
import { loadGeos } from '../../../query/geometry/geos.ts';
import type { StagedFile } from '../../../query/release/home/store.ts';
import { rejectedGround } from './ground.ts';
import type { Reject, RejectedRow } from './reject.ts';
import { RowsBeside } from './rows.ts';

/**
 * Writes what was left out of one layer, only when there is something: the rejects file (NDJSON, one object a row, repaired
 * ones and those without a readable address too) says why, the rejected file keeps the ground and the values of rejected rows, so that no answer passes over
 * them. The ground file keeps the rows of a parcel file that are roads, water or other ground and no parcels.
 */
export class Rejects {
  rejected = 0;
  repaired = 0;
  /** Rows that are kept, but whose address the geocoder cannot read. */
  unaddressed = 0;
  /** Rows that are ground and no parcels, by kind. */
  readonly ground: Partial<Record<GroundKind, number>> = {};
  readonly #path: string;
  #stream: WriteStream | undefined;
  readonly #rows: RowsBeside;
  readonly #ground: RowsBeside;
  /** The first few, for messages. */
  readonly first: Reject[] = [];

  /** @param folder that the files are written to. @param name of the layer, for their headers. */
  constructor(folder: string, name: string, layer: Pick<VectorLayer | TableLayer, 'columns'>) {
    this.#path = join(folder, 'rejects.ndjson');
    const columns = { ...layer.columns, ...REJECTED_COLUMNS };
    this.#rows = new RowsBeside(join(folder, 'rejected.fgb'), 'rejected', name, columns);
    this.#ground = new RowsBeside(join(folder, 'ground.fgb'), 'ground', name, GROUND_COLUMNS);
  }

  /** Records a row that is kept after a certain repair. */
  async repair(reject: Omit<Reject, 'action'>): Promise<void> {
    this.repaired++;
    await this.#say({ ...reject, action: 'repaired' });
  }

  /** Records a row that is kept, but whose address the geocoder cannot read. */
  async unaddress(reject: Omit<Reject, 'action'>): Promise<void> {
    this.unaddressed++;
    await this.#write({ ...reject, action: 'unaddressed' });
  }

  /** Records a row that is left out, with what is known of it. */
  async reject(reject: Omit<Reject, 'action'>, row: RejectedRow): Promise<void> {
    this.rejected++;
    await this.#say({ ...reject, action: 'rejected' });
    const ground = row.geometry && rejectedGround(row.geometry, await loadGeos());
    await this.#rows.add(
      {
        ...row.properties,
        rejected_file: reject.file,
        rejected_row: reject.row,
        rejected_reason: reject.reason,
        rejected_located: ground !== null,
        rejected_complete: row.complete,
      },
      ground,
    );
  }

  /**
   * Records a row that is ground of a kind and no parcel.
   * @param number as the file numbers it. @param geometry as published; one that is faulty counts with all that it may cover.
   */
  async setAside(kind: GroundKind, number: Value, geometry: Geometry | null): Promise<void> {
    this.ground[kind] = (this.ground[kind] ?? 0) + 1;
    const ground = geometry && rejectedGround(geometry, await loadGeos());
    if (ground) await this.#ground.add({ kind, number }, ground);
  }

  async #say(reject: Reject): Promise<void> {
    if (this.first.length < 5) this.first.push(reject);
    await this.#write(reject);
  }

  async #write(reject: Reject): Promise<void> {
    this.#stream ??= createWriteStream(this.#path);
    if (!this.#stream.write(`${JSON.stringify(reject)}\n`)) await once(this.#stream, 'drain');
  }

  /** @returns the files that there are. */
  async finish(): Promise<StagedFile[]> {
    const beside = [await this.#rows.finish(), await this.#ground.finish()].filter(file => file !== null);
    if (!this.#stream) return beside;
    await finished(this.#stream.end());
    return [{ role: 'rejects', path: this.#path, rows: this.rejected + this.repaired + this.unaddressed }, ...beside];
  }

  /** Leaves nothing open. */
  async abort(): Promise<void> {
    // What was still to be written is lost on purpose, and no error.
    this.#stream?.on('error', () => {}).destroy();
    await this.#rows.abort();
    await this.#ground.abort();
  }
}
