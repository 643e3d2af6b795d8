import type { Confidence, Value } from '../../datasets/dataset.ts';
import type { Expression } from '../../datasets/expression.ts';
import { BatchPolygons } from '../batch-polygons.ts';
import { searchesOf } from '../batch-search.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, nameOf, type Operator, type Question } from '../context.ts';
import { absent, type Finding, found } from '../finding.ts';
import type { Feature } from '../layer.ts';
import { published } from '../published.ts';
import {
  boundaryOf,
  bySize,
  containing,
  type Hit,
  outsideEdge,
  requireColumns,
  type Search,
  searchOf,
  storedValue,
  unpublishedReason,
} from '../vector.ts';

const compare = (a: Value, b: Value): number => (a! < b! ? -1 : a! > b! ? 1 : 0);

/** Findings already made, by the polygon that answers and by confidence: they do not depend on the point otherwise. */
type Made = Map<Feature, Map<Confidence, Finding>>;

async function answer(
  ctx: Context,
  call: Expression,
  { rule, type }: Question,
  search: Search,
  made: Made,
): Promise<Finding> {
  const source = call.sources[0]!;
  const column = call.argument!;
  const { covering } = search.at;
  const outside = async (reason: string) => {
    const edge = rule?.kind === 'edge_m' ? await outsideEdge(ctx, source, search, call.where, rule.metres) : 0;
    return absent(reason, confidenceOf(rule, { edge: () => edge }), covering);
  };
  if (search.absent) return outside(search.absent);
  requireColumns(search.at, source, [column]);
  const hits = await containing(ctx, source, search, call.where);
  if (hits.length > 1) hits.sort(bySize(ctx, source));
  if (!hits.length) return outside(`no polygon of ${nameOf(source)} contains the point`);
  const { pick } = call.options;
  let winner: Hit = hits[0]!;
  if (pick) {
    // Rows without a value have no extreme to offer; values are compared as published, numbers as numbers.
    const valued = hits.filter(h => (h.feature.properties[column] ?? null) !== null);
    const sign = pick === 'min' ? 1 : -1;
    for (const hit of valued)
      if (
        (winner.feature.properties[column] ?? null) === null ||
        sign * compare(hit.feature.properties[column]!, winner.feature.properties[column]!) < 0
      )
        winner = hit;
  }
  const confidence = confidenceOf(rule, { edge: boundaryOf(ctx, winner.feature) });
  const known = made.get(winner.feature)?.get(confidence);
  if (known) return known;
  const finding = ((): Finding => {
    if (winner.partition.unpublished.includes(column))
      return absent(unpublishedReason(winner.partition, column), confidence, [winner.partition]);
    const result = published(storedValue(winner, source, column), call, type, column);
    return 'reason' in result
      ? absent(result.reason, confidence, [winner.partition])
      : found(result.value, confidence, [winner.partition], [...search.notes]);
  })();
  const ofFeature = made.get(winner.feature) ?? new Map<Confidence, Finding>();
  made.set(winner.feature, ofFeature.set(confidence, finding));
  return finding;
}

/**
 * Column of the polygon that contains the point; its boundary counts as inside. Of several the smallest answers
 * (then the smaller join key), or with `pick=min|max` the one with the extreme value.
 *
 * Cost: one R-tree search, O(log n + k) for the k polygons whose box holds the point, each O(√v) of its v vertices by
 * chains; found once a point for all fields of the layer. Under edge_m one pass over the winner's chains, or, where no
 * polygon holds the point, a nearest search of that many metres. In bulk the coverage is decided once a batch, one
 * R-tree search of the batch's box serves all points, a polygon whose boundary misses that box is asked once, and one
 * finding is made a polygon.
 */
export const operator: Operator = {
  name: 'polygon_attr',
  async point(ctx, call, question) {
    return answer(ctx, call, question, await searchOf(ctx, call.sources[0]!, call.where), new Map());
  },
  async bulk(batch, call, question) {
    const source = call.sources[0]!;
    const polygons = await BatchPolygons.of(batch, source);
    const made = new Map<Search, Made>();
    return searchesOf(batch, source, call.where, [], async (ctx, search) => {
      const ofSearch: Made = made.get(search) ?? new Map();
      made.set(search, ofSearch);
      if (!search.absent) await polygons.tell(ctx, search);
      return answer(ctx, call, question, search, ofSearch);
    });
  },
};
