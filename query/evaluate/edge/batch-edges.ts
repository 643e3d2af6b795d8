import type { ConfidenceRule } from '../../../datasets/dataset.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import type { Batch } from '../context.ts';
import { BatchPolygons } from '../vector/batch-polygons.ts';
import { type Search, searchAt } from '../vector/vector-search.ts';
import { accuracyAt, type Edges, reachOf } from './certainty.ts';
import { GroundsOfBatch } from './surroundings.ts';

/** The edges of a layer that matter to a field at the points of a batch, as edgesAt finds them. */
export class BatchEdges {
  readonly #batch: Batch;
  readonly #source: SourceRef;
  readonly #rule: ConfidenceRule | null;
  readonly #polygons: BatchPolygons;
  readonly #grounds = new Map<number, GroundsOfBatch | Promise<GroundsOfBatch>>();

  private constructor(batch: Batch, source: SourceRef, rule: ConfidenceRule | null, polygons: BatchPolygons) {
    [this.#batch, this.#source, this.#rule, this.#polygons] = [batch, source, rule, polygons];
  }

  static async of(batch: Batch, source: SourceRef, rule: ConfidenceRule | null): Promise<BatchEdges> {
    return new BatchEdges(batch, source, rule, await BatchPolygons.of(batch, source));
  }

  /** @throws (or rejects) Fault or DamagedFile as edgesAt does. */
  at(place: number, { at }: Search): MaybePromise<Edges | null> {
    const accuracy = accuracyAt(at, this.#batch, this.#source);
    const reach = reachOf(this.#rule, accuracy);
    if (reach === 0) return null;
    const all = this.#polygons.all(place, searchAt(at, this.#source, null));
    return after(this.#of(reach), (grounds: GroundsOfBatch) =>
      after(grounds.at(place, at, all), found => ({ grounds: found, accuracy })),
    );
  }

  #of(reach: number): MaybePromise<GroundsOfBatch> {
    let grounds = this.#grounds.get(reach);
    if (!grounds) {
      grounds = GroundsOfBatch.of(this.#batch, this.#source, reach);
      this.#grounds.set(reach, grounds);
      grounds.then(one => this.#grounds.set(reach, one));
    }
    return grounds;
  }
}
