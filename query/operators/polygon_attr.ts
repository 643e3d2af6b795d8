import type { Confidence, Value } from '../../datasets/dataset.ts';
import type { Expression } from '../../datasets/expression.ts';
import { BatchPolygons } from '../batch-polygons.ts';
import { searchesOf } from '../batch-search.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, nameOf, type Operator, type Question } from '../context.ts';
import { absent, type Finding, found } from '../finding.ts';
import type { Feature } from '../layer.ts';
import { parcelShares, sharesOfParcels } from '../parcel-shares.ts';
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

/** Findings already made, by the polygon that answers (null for none) and by confidence: else alike at all points. */
type Made = Map<Feature | null, Map<Confidence, Finding>>;

/** The finding of a polygon and confidence, made when it is first wanted. */
function once(made: Made, feature: Feature | null, confidence: Confidence, make: () => Finding): Finding {
  let ofFeature = made.get(feature);
  if (!ofFeature) {
    ofFeature = new Map();
    made.set(feature, ofFeature);
  }
  let finding = ofFeature.get(confidence);
  if (!finding) {
    finding = make();
    ofFeature.set(confidence, finding);
  }
  return finding;
}

/** What there is to say where no polygon answers. */
function outside(ctx: Context, call: Expression, { rule }: Question, search: Search, made: Made) {
  const source = call.sources[0]!;
  const reason = search.absent ?? `no polygon of ${nameOf(source)} contains the point`;
  const finding = (confidence: Confidence) =>
    once(made, null, confidence, () => absent(reason, confidence, search.at.covering));
  if (rule?.kind !== 'edge_m') return finding(confidenceOf(rule));
  return outsideEdge(ctx, source, search, call.where, rule.metres).then(edge =>
    finding(confidenceOf(rule, { edge: () => edge })),
  );
}

function answer(
  ctx: Context,
  call: Expression,
  question: Question,
  search: Search,
  hits: Hit[],
  made: Made,
): Finding | Promise<Finding> {
  const { rule, type } = question;
  const source = call.sources[0]!;
  const column = call.argument!;
  if (!hits.length) return outside(ctx, call, question, search, made);
  if (hits.length > 1) hits.sort(bySize(ctx, source));
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
  return once(made, winner.feature, confidence, () => {
    if (winner.partition.unpublished.includes(column))
      return absent(unpublishedReason(winner.partition, column), confidence, [winner.partition]);
    const result = published(storedValue(winner, source, column), call, type, column);
    return 'reason' in result
      ? absent(result.reason, confidence, [winner.partition])
      : found(result.value, confidence, [winner.partition], [...search.notes]);
  });
}

/**
 * Column of the polygon that contains the point; its boundary counts as inside. Of several the smallest answers
 * (then the smaller join key), or with `pick=min|max` the one with the extreme value.
 *
 * With `over=parcel` and `stat` (attributes of stored parcels only) it is of the features that lie on the parcel:
 * `majority`, the value that covers most of it (then the smaller as text); `shares`, every value with its share of the
 * parcel, `X:0.91;AE:0.09`, the largest first; `area`, square metres that all of them cover together; `count`, how many
 * there are: points on it, and of polygons those that stand on it with half of their area or more.
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
    if (call.options.over !== undefined) return parcelShares(ctx, call, question);
    const source = call.sources[0]!;
    const search = await searchOf(ctx, source, call.where);
    if (search.absent) return outside(ctx, call, question, search, new Map());
    requireColumns(search.at, source, [call.argument!]);
    const hits = await containing(ctx, source, search, call.where);
    return answer(ctx, call, question, search, hits, new Map());
  },
  async bulk(batch, call, question) {
    const source = call.sources[0]!;
    if (call.options.over !== undefined) return sharesOfParcels(batch, call, question);
    const polygons = await BatchPolygons.of(batch, source);
    const ofSearch = new Map<Search, Made>();
    return searchesOf(batch, source, call.where, [], (ctx, search, i) => {
      const made: Made = ofSearch.get(search) ?? new Map();
      ofSearch.set(search, made);
      if (search.absent) return outside(ctx, call, question, search, made);
      requireColumns(search.at, source, [call.argument!]);
      const hits = polygons.at(i, search, call.where);
      if ('then' in hits) return hits.then(all => answer(ctx, call, question, search, all, made));
      return answer(ctx, call, question, search, hits, made);
    });
  },
};
