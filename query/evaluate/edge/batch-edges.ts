import type { ConfidenceRule } from '../../../datasets/dataset.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import type { Batch } from '../context.ts';
import { BatchPolygons } from '../vector/batch-polygons.ts';
import { type Search, searchAt } from '../vector/vector-search.ts';
import { accuracyAt, type Edges, reachOf } from './certainty.ts';
import { GroundsOfBatch } from './surroundings.ts';

/**
 * The edges of a layer that matter to a field at the points of a batch, by place, as edgesAt finds them.
 * @returns what throws (or rejects with) Fault or DamagedFile as edgesAt does.
 */
export async function edgesOfBatch(
  batch: Batch,
  source: SourceRef,
  rule: ConfidenceRule | null,
): Promise<(place: number, search: Search) => MaybePromise<Edges>> {
  const polygons = await BatchPolygons.of(batch, source);
  const groundsOf = await GroundsOfBatch.of(batch, source);
  return (place, { at }) => {
    const accuracy = accuracyAt(at, batch, source);
    const all = polygons.all(place, searchAt(at, source, null));
    return after(groundsOf(reachOf(rule, accuracy)).at(place, at, all), grounds => ({ grounds, accuracy }));
  };
}
