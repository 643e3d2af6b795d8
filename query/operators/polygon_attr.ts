import type { Confidence, Value } from '../../datasets/dataset.ts';
import type { Expression } from '../../datasets/expression.ts';
import { BatchEdge, outsideEdges } from '../batch-edge.ts';
import { BatchPolygons } from '../batch-polygons.ts';
import { searchesOf } from '../batch-search.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, nameOf, type Operator, type Question } from '../context.ts';
import type { Feature } from '../features.ts';
import { absent, type Finding, found } from '../finding.ts';
import { parcelShares, sharesOfParcels } from '../parcel-shares.ts';
import { published } from '../published.ts';
import { guarded } from '../rejected/guarded.ts';
import { rejectedHere } from '../rejected/rejected.ts';
import { after } from '../soon.ts';
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

/** What there is to say where no polygon answers. */
function outside(call: Expression, search: Search, confidence: Confidence): Finding {
  const reason = search.absent ?? `no polygon of ${nameOf(call.sources[0]!)} contains the point`;
  return absent(reason, confidence, search.at.covering);
}

/** The polygon that answers, of those that contain the point. */
function winnerOf(ctx: Context, call: Expression, all: readonly Hit[]): Hit {
  const hits = all.length > 1 ? [...all].sort(bySize(ctx, call.sources[0]!)) : all;
  const column = call.argument!;
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
  return winner;
}

function answer(call: Expression, { type }: Question, search: Search, winner: Hit, confidence: Confidence): Finding {
  const column = call.argument!;
  const { partition } = winner;
  if (partition.unpublished.includes(column))
    return absent(unpublishedReason(partition, column), confidence, [partition]);
  const result = published(storedValue(winner, call.sources[0]!, column), call, type, column);
  return 'reason' in result
    ? absent(result.reason, confidence, [partition])
    : found(result.value, confidence, [partition], search.notes);
}

/** One finding a polygon and confidence: else it is alike at all points of a search. */
class Made {
  readonly #call: Expression;
  readonly #question: Question;
  readonly #search: Search;
  readonly #winners = new Map<readonly Hit[], Hit>();
  readonly #findings = new Map<Feature | null, { [C in Confidence]?: Finding }>();
  #hits: readonly Hit[] | null = null;
  #winner: Hit | null = null;

  constructor(call: Expression, question: Question, search: Search) {
    this.#call = call;
    this.#question = question;
    this.#search = search;
  }

  winnerOf(ctx: Context, hits: readonly Hit[]): Hit {
    if (hits === this.#hits) return this.#winner!;
    const winner = this.#winners.get(hits) ?? winnerOf(ctx, this.#call, hits);
    this.#winners.set(hits, winner);
    this.#hits = hits;
    this.#winner = winner;
    return winner;
  }

  /** @param winner null where no polygon answers. */
  finding(winner: Hit | null, confidence: Confidence): Finding {
    const feature = winner?.feature ?? null;
    let findings = this.#findings.get(feature);
    if (!findings) {
      findings = {};
      this.#findings.set(feature, findings);
    }
    findings[confidence] ??= winner
      ? answer(this.#call, this.#question, this.#search, winner, confidence)
      : outside(this.#call, this.#search, confidence);
    return findings[confidence];
  }
}

/**
 * Column of the polygon that contains the point; its boundary counts as inside. Of several the smallest answers
 * (then the smaller join key), or with `pick=min|max` the one with the extreme value.
 *
 * With `over=parcel` and `stat` (attributes of stored parcels only) it is of the features that lie on the parcel:
 * `majority`, the value that covers most of it (then the smaller as text), and half or more of the whole parcel, where
 * ground that no polygon with a value covers counts against, else absent; `shares`, every value with its share of the
 * whole parcel, `X:0.91;AE:0.09`, the largest first; what covers less than 1 m² is a sliver and left out; `area`, square metres that all of them cover together; `count`, how many
 * there are: points on it, and of polygons those that stand on it with half of their area or more.
 *
 * Where a polygon was rejected at ingest that may meet the condition, the value is absent with that reason, whatever
 * other polygon holds the point: the rejected one may be the smaller.
 *
 * Cost: one R-tree search, O(log n + k) for the k polygons whose box holds the point, each O(√v) of its v vertices by
 * chains; found once a point for all fields of the layer. Under edge_m one pass over the winner's chains, or, where no
 * polygon holds the point, a nearest search of that many metres. In bulk the coverage is decided once a batch, one
 * R-tree search of the batch's box serves all points, a polygon whose boundary misses that box is asked once, and one
 * finding is made a polygon.
 */
export const operator: Operator = guarded(
  {
    name: 'polygon_attr',
    point(ctx, call, question) {
      if (call.options.over !== undefined) return parcelShares(ctx, call, question);
      const source = call.sources[0]!;
      const { rule } = question;
      return after(searchOf(ctx, source, call.where), search => {
        const none = () =>
          after(rule?.kind === 'edge_m' ? outsideEdge(ctx, source, search, call.where, rule.metres) : 0, edge =>
            outside(call, search, confidenceOf(rule, { edge: () => edge })),
          );
        if (search.absent) return none();
        requireColumns(search.at, source, [call.argument!]);
        return after(containing(ctx, source, search, call.where), hits => {
          if (!hits.length) return none();
          const winner = winnerOf(ctx, call, hits);
          return answer(call, question, search, winner, confidenceOf(rule, { edge: boundaryOf(ctx, winner.feature) }));
        });
      });
    },
    async bulk(batch, call, question) {
      const source = call.sources[0]!;
      if (call.options.over !== undefined) return sharesOfParcels(batch, call, question);
      const polygons = await (await BatchPolygons.of(batch, source)).meeting(call.where);
      const { rule } = question;
      const metres = rule?.kind === 'edge_m' ? rule.metres : null;
      const edge = metres === null ? null : await BatchEdge.of(batch, metres);
      const outer = metres === null ? null : await outsideEdges(batch, source, call.where, metres);
      const plain = edge ? 'medium' : confidenceOf(rule);
      const ofSearch = new Map<Search, Made>();
      return searchesOf(batch, source, call.where, [], (ctx, search, i) => {
        let made = ofSearch.get(search);
        if (!made) {
          made = new Made(call, question, search);
          ofSearch.set(search, made);
        }
        const given = made;
        if (search.absent) return given.finding(null, plain);
        requireColumns(search.at, source, [call.argument!]);
        const answerOf = (hits: readonly Hit[]) => {
          if (hits.length) {
            const winner = given.winnerOf(ctx, hits);
            return given.finding(winner, edge ? edge.of(i, winner.feature) : plain);
          }
          const confidence = outer ? outer(i, search) : plain;
          return typeof confidence === 'string'
            ? given.finding(null, confidence)
            : confidence.then(one => given.finding(null, one));
        };
        const hits = polygons.at(i, search);
        return 'then' in hits ? hits.then(answerOf) : answerOf(hits);
      });
    },
  },
  (ctx, call, search) =>
    call.options.over === undefined ? rejectedHere(ctx, call.sources[0]!, search, call.where) : null,
);
