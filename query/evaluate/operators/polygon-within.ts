import type { Confidence } from '../../../datasets/dataset.ts';
import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import type { Context, Operator, Question } from '../context.ts';
import { edgesOfBatch } from '../edge/batch-edges.ts';
import {
  certaintyOf,
  type Edges,
  edgesAt,
  farFromEdges,
  nearestChange,
  plainly,
  withCertainty,
} from '../edge/certainty.ts';
import { excludedOf, panelsOf, type Unmapped, unmapped, unmappedEdge, unmappedOf } from '../edge/mapped.ts';
import { absent, type Finding, found } from '../finding.ts';
import { searchedOperator } from '../form/searched-operator.ts';
import { guarded } from '../rejected/guarded.ts';
import { rejectedAt } from '../rejected/rejected.ts';
import { BatchPolygons } from '../vector/batch-polygons.ts';
import { containing, meeting } from '../vector/containing.ts';
import { conditionWords, doubtOf, undecided } from '../vector/doubt.ts';
import type { Found, Hit, Search } from '../vector/vector-search.ts';

const NONE: readonly Hit[] = [];

/**
 * What is said of some ground: a polygon is there, one that may or may not count, the layer marks it as left out, or nothing
 * is there.
 */
type Saying = 'yes' | 'doubt' | 'unmapped' | 'no';

/** What is found at a point. */
interface Seen {
  readonly saying: Saying;
  /** What that rests on: the polygons that hold the point, or what leaves it unmapped. */
  readonly of: readonly Hit[] | Unmapped;
  readonly edges: Edges;
}

/** @param open polygons that may or may not count. @param not why the ground is unmapped. Each is asked for only where it matters. */
function seenAt(
  hits: readonly Hit[],
  edges: Edges,
  open: () => MaybePromise<readonly Hit[]>,
  not: () => MaybePromise<Unmapped>,
): MaybePromise<Seen> {
  if (hits.length) return { saying: 'yes', of: hits, edges };
  return after(open(), doubted => {
    if (doubted.length) return { saying: 'doubt', of: doubted, edges };
    return after<Unmapped, Seen>(not(), of => ({ saying: of ? 'unmapped' : 'no', of, edges }));
  });
}

/** What one search says at the points of a request or batch: findings are alike where what they rest on is. */
class SearchFindings {
  readonly #call: Expression;
  readonly #source: SourceRef;
  readonly #question: Question;
  readonly #search: Search;
  readonly #plain = new Map<unknown, Finding>();
  readonly #findings = new Map<Finding, { [C in Confidence]?: Finding }>();

  constructor(call: Expression, question: Question, search: Search) {
    [this.#call, this.#question, this.#search] = [call, question, search];
    this.#source = call.sources[0]!;
  }

  #words(): string {
    return layerWords(this.#source, this.#search.at.covering);
  }

  #doubted(): string {
    const where = undecided(this.#call.where!);
    return `one of the ${this.#words()} contains the point that may or may not count: ${where}`;
  }

  #once(of: unknown, make: (confidence: Confidence) => Finding): Finding {
    const finding = this.#plain.get(of) ?? make(farFromEdges(this.#question.rule));
    this.#plain.set(of, finding);
    return finding;
  }

  /** @param unmapped meters to ground that the layer does not map. */
  #finding(ctx: Context, { of, saying, edges }: Seen, unmapped = Infinity): Finding {
    const { at, notes } = this.#search;
    const plain = this.#once(Array.isArray(of) && of.length ? of : saying, confidence => {
      const from = () => new Set((of as readonly Hit[]).map(hit => hit.partition));
      if (saying === 'yes') return found(true, confidence, from(), notes);
      if (saying === 'doubt') return absent(this.#doubted(), confidence, from());
      if (saying === 'no') return found(false, confidence, at.covering, notes);
      return absent(`the ${this.#words()} do not map this place`, confidence, at.covering);
    });
    // Where no panel is, edges of the layer say nothing.
    if (of === 'panel') return withCertainty(plain, plainly(this.#question.rule));
    const change = nearestChange(edges.grounds, ground => this.#sayingOf(ctx, ground) === saying);
    const { rule } = this.#question;
    const metres = change?.metres ?? Infinity;
    const certainty = certaintyOf(rule, edges.accuracy, Math.min(metres, unmapped), () =>
      unmapped < metres ? this.#notMapped() : this.#name(ctx, change!.found),
    );
    if (certainty.note !== null) return withCertainty(plain, certainty);
    const findings = this.#findings.get(plain) ?? {};
    this.#findings.set(plain, findings);
    findings[certainty.confidence] ??= withCertainty(plain, certainty);
    return findings[certainty.confidence]!;
  }

  /** What the layer's own polygons say of other ground. */
  #sayingOf(ctx: Context, ground: readonly Found[]): Saying {
    if (meeting(ctx, this.#source, this.#search, this.#call.where, ground).length) return 'yes';
    const doubt = doubtOf(ctx, this.#source, this.#call.where);
    if (doubt && meeting(ctx, this.#source, this.#search, doubt, ground).length) return 'doubt';
    return panelsOf(this.#call) && excludedOf(ground.map(({ hit }) => hit)) ? 'unmapped' : 'no';
  }

  #name(ctx: Context, ground: readonly Found[]): string {
    const which = `of the ${this.#words()}${conditionWords(this.#call)}`;
    const saying = this.#sayingOf(ctx, ground);
    if (saying === 'yes') return `one ${which}`;
    if (saying === 'doubt') return `one of the ${this.#words()} that may or may not count`;
    return saying === 'no' ? `ground that none ${which} covers` : this.#notMapped();
  }

  #notMapped(): string {
    return `ground that the ${this.#words()} do not map`;
  }

  /** What is said at a point. Where no polygon is, nothing beyond the edge of what the layer maps is known. */
  answer(ctx: Context, seen: Seen): MaybePromise<Finding> {
    if (seen.saying !== 'no') return this.#finding(ctx, seen);
    const far = unmappedEdge(ctx, this.#source, this.#search, this.#question.rule, panelsOf(this.#call));
    return after(far, metres => this.#finding(ctx, seen, metres));
  }
}

/**
 * Whether a polygon contains the point, its boundary included; false only where the dataset maps this place (`coverage=`
 * names a layer whose polygons say so), absent elsewhere.
 *
 * Decided here:
 * - Where no polygon is known to meet the condition, and one that contains the point does not tell whether it does
 *   (three-valued, as SQL: the value that decides is empty, or a code for unknown), the answer is absent, not false.
 * - Where the layer of `coverage=` is not installed for the place, the layer's own coverage decides alone.
 * - Ground that the layer itself marks as left out of the study (FLD_ZONE AREA NOT INCLUDED) is unmapped.
 * - Where a polygon was rejected at ingest that may meet the condition, what would be false is absent, with the reason.
 * - As in polygon_attr the distance to ground of another answer decides the confidence: of several containing polygons all
 *   would have to be wrong, and an edge between two of them decides nothing.
 * - Beyond the edge of what the layer maps (its coverage, or the panels) nothing is known: where that is within twice the
 *   accuracy of the source, `false` is no surer than the distance to it.
 *
 * Cost: as polygon_attr, O(log n + k) and the edges about the point, and where the answer is false the same once more in the layer of `coverage=`.
 * In bulk both layers are searched once a batch.
 */
export const operator: Operator = guarded(
  searchedOperator<Seen>({
    name: 'polygon_within',
    find(ctx, call, search, { rule }) {
      const source = call.sources[0]!;
      const doubt = doubtOf(ctx, source, call.where);
      const panels = panelsOf(call);
      return after(containing(ctx, source, search, call.where), hits =>
        after<Edges, Seen>(edgesAt(ctx, source, search.at, rule), edges =>
          seenAt(
            hits,
            edges,
            () => (doubt ? containing(ctx, source, search, doubt) : NONE),
            () => (panels ? unmapped(ctx, source, search, panels) : null),
          ),
        ),
      );
    },
    async findAll(batch, call, { rule }) {
      const source = call.sources[0]!;
      const polygons = await BatchPolygons.meeting(batch, source, call.where);
      const doubt = doubtOf(batch.contexts[0]!, source, call.where);
      const doubted = doubt && (await BatchPolygons.meeting(batch, source, doubt));
      const near = await edgesOfBatch(batch, source, rule);
      const panels = panelsOf(call);
      const mapping = panels && (await unmappedOf(batch, source, panels));
      return (place, search) =>
        after(polygons(place, search), hits =>
          after<Edges, Seen>(near(place, search), edges =>
            seenAt(
              hits,
              edges,
              () => (doubted ? doubted(place, search) : NONE),
              () => (mapping ? mapping(place, search) : null),
            ),
          ),
        );
    },
    answers(call, question, search) {
      const findings = new SearchFindings(call, question, search);
      return (ctx, seen) => findings.answer(ctx, seen);
    },
  }),
  // That another polygon would hold the point too changes nothing.
  (ctx, call, search, { value }) => (value === false ? rejectedAt(ctx, call.sources[0]!, search, call.where) : null),
);
