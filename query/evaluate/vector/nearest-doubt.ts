import { type Condition, columnsOf } from '../../../datasets/grammar/condition.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import { memo } from '../../../datasets/memo.ts';
import type { Partition } from '../../../datasets/release.ts';
import type { Features } from '../../release/features.ts';
import { PartitionSet } from '../../release/lists/partition-set.ts';
import { after, inTurn, type MaybePromise } from '../../release/maybe-promise.ts';
import { partitionsNear } from '../../release/partitions-about.ts';
import { type Context, conditionKey, testOf } from '../context.ts';
import type { Finding } from '../finding.ts';
import { doubtOf, undecided } from './doubt.ts';
import { nearKey } from './nearest-candidates.ts';
import { type NearestHit, nearestFeature, requireStored, type Search } from './vector-search.ts';

/**
 * Features of a file up to which those that do not tell are looked for all at once: without that the nearest features of a
 * batch's points take 30 to 50 % more processor time, those of single points 10 to 25 % (bench/bulk.ts).
 */
const READ_THROUGH = 50_000;

/** Whether it is known of all features of a file that they tell. */
function allTell(ctx: Context, features: Features, doubt: Condition): boolean {
  const key = conditionKey(ctx.layers, doubt)!;
  if (!features.filtered(key) && features.file.count <= READ_THROUGH)
    features.index(key, testOf(ctx, doubt), () => ctx.check());
  return features.filtered(key)?.nodeCount === 0;
}

/** Partitions all of whose features tell, by what is doubted. */
const tellingBy = memo((_doubt: Condition) => new WeakSet<Partition>());

/** Metres to the nearest feature that does not tell whether it meets the condition, no farther than the one found. */
function nearestDoubted(
  ctx: Context,
  call: Expression,
  doubt: Condition,
  search: Search,
  hit: NearestHit | null,
): MaybePromise<number | null> {
  const source = call.sources[0]!;
  const max = Number(call.options.max_km) * 1000;
  const bound = hit?.metres ?? max;
  const telling = tellingBy(doubt);
  const { lng, lat } = ctx.point;
  const near = partitionsNear(search.partitions, lng, lat, bound).filter(p => !telling.has(p));
  if (!near.length) return null;
  return ctx.memo(`doubted ${nearKey({ source, where: call.where, max })}`, () => {
    const open = inTurn(near, partition =>
      after(ctx.layers.features(partition), features => {
        requireStored(features, source, columnsOf(doubt));
        if (!allTell(ctx, features, doubt)) return partition;
        telling.add(partition);
        return null;
      }),
    );
    return after(open, found => {
      const doubtful = found.filter(partition => partition !== null);
      if (!doubtful.length) return null;
      const nearest = nearestFeature(
        ctx,
        source,
        { ...search, partitions: PartitionSet.from(doubtful) },
        doubt,
        max,
        undefined,
        bound,
      );
      return nearest.then(one => one?.metres ?? null);
    });
  });
}

/**
 * What was found of the nearest feature that meets the condition, where a nearer one does not tell whether it does: the
 * value that decides is empty, or a code for unknown. Confidence is low then. The note has no number, so that parcels share it.
 * @param hit null where none was found.
 * @param decides whether an undecided feature so many metres away takes the certainty from one found so many metres away.
 * @param is what the answer is then, such as an upper bound.
 */
export function unlessDoubted(
  ctx: Context,
  call: Expression,
  search: Search,
  hit: NearestHit | null,
  finding: Finding,
  decides: (doubted: number, found: number) => boolean,
  is: string,
): MaybePromise<Finding> {
  const source = call.sources[0]!;
  const doubt = doubtOf(ctx, source, call.where);
  if (!doubt) return finding;
  return after<number | null, Finding>(nearestDoubted(ctx, call, doubt, search, hit), metres => {
    if (metres === null || (hit && !decides(metres, hit.metres))) return finding;
    const { notes, status } = finding;
    const why = undecided(call.where!);
    const words = layerWords(source, search.at.covering);
    const nearer = `a nearer one of the ${words} may or may not count, so ${is}: ${why}`;
    if (status === 'ok') return { ...finding, confidence: 'low', notes: [nearer, ...notes] };
    const said = hit ? nearer : `one of the ${words} within that may or may not count: ${why}`;
    return { ...finding, confidence: 'low', notes: [...notes.slice(0, 1), said, ...notes.slice(1)] };
  });
}
