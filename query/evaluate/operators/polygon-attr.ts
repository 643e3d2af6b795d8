import type { Confidence } from '../../../datasets/dataset.ts';
import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import { Fault } from '../../release/fault.ts';
import type { Feature } from '../../release/features.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import type { Context, Operator, Question } from '../context.ts';
import { edgesOfBatch } from '../edge/batch-edges.ts';
import { certaintyOf, type Edges, edgesAt, farFromEdges, nearestChange, withCertainty } from '../edge/certainty.ts';
import { unmappedEdge } from '../edge/mapped.ts';
import { absent, type Finding, notesOn } from '../finding.ts';
import { searchedOperator } from '../form/searched-operator.ts';
import { parcelShares, sharesOfParcels } from '../parcel-shares.ts';
import { publishedFinding } from '../published.ts';
import { guarded } from '../rejected/guarded.ts';
import { rejectedAt } from '../rejected/rejected.ts';
import { BatchPolygons } from '../vector/batch-polygons.ts';
import { containing, meeting } from '../vector/containing.ts';
import { conditionWords } from '../vector/doubt.ts';
import { bySize, columnValue, type Found, type Hit, requireColumns, type Search } from '../vector/vector-search.ts';

/** The order in which polygons that hold one place answer for it. */
export function byAnswer(ctx: Context, call: Expression): (a: Hit, b: Hit) => number {
  const size = bySize(ctx, call.sources[0]!);
  const { pick } = call.options;
  if (!pick) return size;
  const column = call.argument!;
  const sign = pick === 'min' ? 1 : -1;
  return (a, b) => {
    const [x, y] = [a.feature.properties[column] ?? null, b.feature.properties[column] ?? null];
    // Rows without a value have no extreme to offer; values are compared as published, numbers as numbers.
    if (x === null || y === null) return Number(x === null) - Number(y === null) || size(a, b);
    return (x < y ? -sign : x > y ? sign : 0) || size(a, b);
  };
}

/** What one search says at the points of a request or batch: a finding a polygon and confidence, made once. */
class SearchFindings {
  readonly #call: Expression;
  readonly #source: SourceRef;
  readonly #question: Question;
  readonly #search: Search;
  readonly #winners = new Map<readonly Hit[], Hit>();
  /** Findings as sure as the rule makes them without an edge, by polygon. */
  readonly #plain = new Map<Feature | null, Finding>();
  readonly #findings = new Map<Feature | null, { [C in Confidence]?: Finding }>();

  constructor(call: Expression, question: Question, search: Search) {
    [this.#call, this.#question, this.#search] = [call, question, search];
    this.#source = call.sources[0]!;
    requireColumns(search.at, this.#source, [call.argument!]);
  }

  #winnerOf(ctx: Context, hits: readonly Hit[]): Hit | null {
    const [only] = hits;
    if (hits.length < 2) return only ?? null;
    const winner = this.#winners.get(hits) ?? [...hits].sort(byAnswer(ctx, this.#call))[0]!;
    this.#winners.set(hits, winner);
    return winner;
  }

  /** @param winner null where no polygon answers. @throws Fault when the value is none that the map lists. */
  #plainOf(winner: Hit | null): Finding {
    const feature = winner?.feature ?? null;
    let finding = this.#plain.get(feature);
    if (!finding) {
      finding = winner ? this.#answer(winner) : this.#none();
      this.#plain.set(feature, finding);
    }
    return finding;
  }

  #words(): string {
    return layerWords(this.#source, this.#search.at.covering);
  }

  #none(): Finding {
    // Others may contain it: the answer must not read as if none did.
    return absent(
      `none of the ${this.#words()}${conditionWords(this.#call)} contains the point`,
      farFromEdges(this.#question.rule),
      this.#search.at.covering,
      notesOn(this.#search.at.covering, [this.#call.argument!]),
    );
  }

  #answer(winner: Hit): Finding {
    const { rule, type } = this.#question;
    const value = columnValue(winner, this.#call, type);
    return publishedFinding(value, farFromEdges(rule), [winner.partition], this.#search.notes, this.#call.argument);
  }

  /** What is said at a point. @param unmapped meters to ground that is not mapped. */
  finding(ctx: Context, hits: readonly Hit[], edges: Edges, unmapped = Infinity): Finding {
    const winner = this.#winnerOf(ctx, hits);
    const plain = this.#plainOf(winner);
    const beyond = (of: readonly Found[]) => this.#beyond(ctx, of);
    const change = nearestChange(edges.grounds, of => {
      const other = beyond(of);
      return other !== null && other.status === plain.status && other.value === plain.value;
    });
    const { rule } = this.#question;
    const metres = change?.metres ?? Infinity;
    const certainty = certaintyOf(rule, edges.accuracy, Math.min(metres, unmapped), () =>
      unmapped < metres ? `ground that the ${this.#words()} do not map` : this.#name(ctx, change!.found),
    );
    if (certainty.note !== null) return withCertainty(plain, certainty);
    // Most points are far from every edge: they share one finding.
    const feature = winner?.feature ?? null;
    const findings = this.#findings.get(feature) ?? {};
    this.#findings.set(feature, findings);
    findings[certainty.confidence] ??= withCertainty(plain, certainty);
    return findings[certainty.confidence]!;
  }

  /** The same once the edges are known; where no polygon is, nothing beyond the edge of the coverage is known. */
  answer(ctx: Context, hits: readonly Hit[], edges: Edges): MaybePromise<Finding> {
    if (hits.length) return this.finding(ctx, hits, edges);
    const far = unmappedEdge(ctx, this.#source, this.#search, this.#question.rule);
    return after(far, metres => this.finding(ctx, hits, edges, metres));
  }

  #meeting(ctx: Context, of: readonly Found[]): Hit[] {
    return meeting(ctx, this.#source, this.#search, this.#call.where, of);
  }

  /** What is said of other ground; null where its polygon cannot be understood. */
  #beyond(ctx: Context, of: readonly Found[]): Finding | null {
    try {
      return this.#plainOf(this.#winnerOf(ctx, this.#meeting(ctx, of)));
    } catch (error) {
      if (error instanceof Fault) return null;
      throw error;
    }
  }

  /** Other ground in words. */
  #name(ctx: Context, of: readonly Found[]): string {
    const column = this.#call.argument!;
    if (!this.#meeting(ctx, of).length)
      return `ground that none of the ${this.#words()}${conditionWords(this.#call)} covers`;
    const finding = this.#beyond(ctx, of);
    if (finding?.status === 'ok') return `ground where it is ${finding.value} (${column})`;
    return `ground where it is empty (${column})`;
  }
}

/** What is found at a point. */
interface Polygons {
  readonly hits: readonly Hit[];
  readonly edges: Edges;
}

const atPoint = searchedOperator<Polygons>({
  name: 'polygon_attr',
  find: (ctx, call, search, { rule }) =>
    after(containing(ctx, call.sources[0]!, search, call.where), hits =>
      after(edgesAt(ctx, call.sources[0]!, search.at, rule), edges => ({ hits, edges })),
    ),
  async findAll(batch, call, { rule }) {
    const polygons = await BatchPolygons.meeting(batch, call.sources[0]!, call.where);
    const near = await edgesOfBatch(batch, call.sources[0]!, rule);
    return (place, search) =>
      after(polygons(place, search), hits => after(near(place, search), edges => ({ hits, edges })));
  },
  answers(call, question, search) {
    const findings = new SearchFindings(call, question, search);
    return (ctx, { hits, edges }) => findings.answer(ctx, hits, edges);
  },
});

/**
 * Column of the polygon that contains the point; its boundary counts as inside. Of several the smallest answers
 * (then the smaller join key), or with `pick=min|max` the one with the extreme value.
 *
 * With `over=parcel` and `stat` (attributes of stored parcels only) it is about the features that lie on the parcel:
 *
 * - `majority`: the value that covers most of it (then the smaller as text), and half or more of the whole parcel, else absent.
 *   Ground that no polygon with a value covers counts against it.
 * - `shares`: every value that covers 1 m² or more with its share of the whole parcel, `X:0.91;AE:0.09`, the largest first. Its
 *   confidence is low, and a note says why, where a value covers less than a square as wide as the source is accurate, and less
 *   than half of the parcel.
 * - `area`: square meters that all of them cover together.
 * - `count`: how many there are. These are points on it, and polygons that lie on it with half of their area or more.
 *
 * Where a polygon was rejected at ingest that may meet the condition, the value is absent with that reason, whatever
 * other polygon holds the point: the rejected one may be the smaller.
 *
 * The distance to the nearest ground of another answer (another value, none, or no polygon) decides the confidence: what
 * the rule edge_m asks, and low within the stated accuracy of the source, medium at most within twice that, with a note of
 * the distance, of what is there and of the accuracy. An edge between polygons of one answer decides nothing.
 * Where no polygon is, the edge of the coverage counts too: nothing beyond it is known.
 *
 * Cost: one R-tree search, O(log n + k) for the k polygons whose box holds the point, each O(√v) of its v vertices by
 * chains; found once a point for all fields of the layer. One R-tree search of twice the accuracy (or what edge_m asks)
 * finds the edges about the point. Only where an edge comes that near is the
 * ground on both of its sides looked at, the nearest edge first, until the answer is another. In bulk the coverage is
 * decided once a batch, one R-tree search of the batch's box serves all points, a polygon whose boundary misses that box is
 * asked once, and one finding is made a polygon.
 */
export const operator: Operator = guarded(
  {
    name: 'polygon_attr',
    point: (ctx, call, question) =>
      (call.options.over === undefined ? atPoint.point : parcelShares)(ctx, call, question),
    bulk: (batch, call, question) =>
      (call.options.over === undefined ? atPoint.bulk : sharesOfParcels)(batch, call, question),
  },
  (ctx, call, search) =>
    call.options.over === undefined ? rejectedAt(ctx, call.sources[0]!, search, call.where) : null,
);
