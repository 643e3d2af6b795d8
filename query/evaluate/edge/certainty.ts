import type { Confidence, ConfidenceRule } from '../../../datasets/dataset.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { memo } from '../../../datasets/memo.ts';
import type { LayerAt } from '../../release/coverage.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { accuracyOf, doubtOfEdge } from '../accuracy.ts';
import { confidenceOf, lowest } from '../confidence.ts';
import type { Context } from '../context.ts';
import type { Finding } from '../finding.ts';
import type { Found } from '../vector/vector-search.ts';
import { type Ground, type Grounds, groundsAt } from './surroundings.ts';

/** How sure an answer is that an edge may change. */
interface Certainty {
  readonly confidence: Confidence;
  /** How far the edge is, where it is so near that it may change the answer. */
  readonly note: string | null;
  /** What no rule lifts the confidence above, where the edge is that near. */
  readonly atEdge: AtEdge | null;
}
type AtEdge = 'low' | 'medium';

/** The confidence that a rule gives where no edge is near. Edges may lower it. */
export const farFromEdges = (rule: ConfidenceRule | null): Confidence => confidenceOf(rule, { edge: () => Infinity });

/** The confidence that a rule gives to an answer about whose edges nothing is known. */
export const plainly = (rule: ConfidenceRule | null): Certainty => ({
  confidence: confidenceOf(rule),
  note: null,
  atEdge: null,
});

/**
 * A finding whose confidence is lowered to what edges allow. The note comes after a reason and before what partitions
 * say.
 */
export function withCertainty(finding: Finding, certainty: Certainty): Finding {
  const { note, atEdge } = certainty;
  const { status, notes } = finding;
  const confidence = lowest([finding.confidence, certainty.confidence]);
  if (atEdge === null) return finding.confidence === confidence ? finding : { ...finding, confidence };
  const first = status === 'absent' ? 1 : 0;
  return { ...finding, confidence, atEdge, notes: [...notes.slice(0, first), note!, ...notes.slice(first)] };
}

/** The ground about a point, and how well its edges are known. */
export interface Edges {
  readonly grounds: Grounds;
  readonly accuracy: number | null;
}

/** The edges of a layer that matter to a field at the request's point. @throws Fault or DamagedFile as groundsAt does. */
export function edgesAt(
  ctx: Context,
  source: SourceRef,
  at: LayerAt,
  rule: ConfidenceRule | null,
): MaybePromise<Edges> {
  const accuracy = accuracyAt(at, ctx, source);
  return after(groundsAt(ctx, source, at, reachOf(rule, accuracy)), grounds => ({ grounds, accuracy }));
}

/** Stated accuracy of a layer at a point in metres: the worst of those who map it; null where nobody states any. */
export const accuracyAt = memo(
  (at: LayerAt, { catalog }: Pick<Context, 'catalog'>, source: SourceRef): number | null => {
    const stated = at.covering.flatMap(partition => accuracyOf(catalog, source, partition) ?? []);
    return stated.length ? Math.max(...stated) : null;
  },
);

/** How far edges matter in metres: twice the accuracy (or what stands for it where none is stated), or what the rule asks. */
export const reachOf = (rule: ConfidenceRule | null, accuracy: number | null): number =>
  Math.max(doubtOfEdge(accuracy), rule?.kind === 'edge_m' ? rule.metres : 0);

/** The nearest ground of which something else is said than of the point; null where there is none within the reach. */
export function nearestChange(grounds: Grounds, same: (found: readonly Found[]) => boolean): Ground | null {
  for (let place = 0; ; place++) {
    const ground = grounds.at(place);
    if (!ground || !same(ground.found)) return ground;
  }
}

const KILOMETRE = 1000;

/** Decimals of a distance to an edge: a hundredth of the accuracy as a power of ten, a decimetre at least; meters where none is stated. */
const digitsOf = (accuracy: number | null): number =>
  accuracy === null ? 0 : Math.min(1, -Math.floor(Math.log10(accuracy / 100) + 1e-9));

/**
 * A distance to an edge as it is answered and stored: rounded to steps, so that parcels about one edge share the note.
 */
export function stepped(metres: number, accuracy: number | null): number {
  const scale = 10 ** digitsOf(accuracy);
  return Math.round(metres * scale) / scale;
}

/** A distance as it is said: from a kilometer on in kilometers. */
const said = (metres: number, accuracy: number | null): string => {
  const value = stepped(metres, accuracy);
  const digits = digitsOf(accuracy);
  return value < KILOMETRE ? `${value.toFixed(Math.max(0, digits))} m` : `${value / KILOMETRE} km`;
};

/** An accuracy in words that follow "while": from a kilometer on in kilometers. */
const accurateTo = (accuracy: number | null): string => {
  if (accuracy === null) return 'nobody states how accurate the source is';
  return `the source is accurate to ${accuracy < KILOMETRE ? `${accuracy} m` : `${accuracy / KILOMETRE} km`}`;
};

/**
 * How sure an answer is whose nearest change lies some metres off: within the accuracy of the source it is low, within twice
 * that medium at most, and the note says so; beyond, the field's own rule decides. Where no accuracy is stated it is medium at
 * most within 50 m.
 * @param accuracy metres, null where none is stated.
 * @param metres to the change; Infinity for none within reach.
 * @param what is beyond it, such as "ground where it is X (FLD_ZONE)": "from" stands before.
 */
export function certaintyOf(
  rule: ConfidenceRule | null,
  accuracy: number | null,
  metres: number,
  what: () => string,
): Certainty {
  const ruled = confidenceOf(rule, { edge: () => metres });
  if (metres > doubtOfEdge(accuracy)) return { confidence: ruled, note: null, atEdge: null };
  const atEdge = accuracy !== null && metres <= accuracy ? 'low' : 'medium';
  const note = `${said(metres, accuracy)} from ${what()}, while ${accurateTo(accuracy)}`;
  return { confidence: lowest([ruled, atEdge]), note, atEdge };
}
