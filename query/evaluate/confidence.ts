import type { Confidence, ConfidenceRule } from '../../datasets/dataset.ts';

const ORDER: readonly Confidence[] = ['low', 'medium', 'high'];

/** The lowest of several confidences; `high` of none. */
export function lowest(levels: Iterable<Confidence>): Confidence {
  let least = 2;
  for (const level of levels) least = Math.min(least, ORDER.indexOf(level));
  return ORDER[least]!;
}

/** Standard error in percent of a value: the coefficient of variation. Infinity of 0, but for one without error. */
export const variationOf = (value: number, spread: number): number =>
  spread === 0 ? 0 : (100 * spread) / Math.abs(value);

/** What an operator knows that a rule may need. */
interface Evidence {
  /**
   * Metres from the point to the boundary that decides the answer; may be Infinity beyond the limit.
   * A function, because only edge_m pays for it.
   */
  readonly edge?: (limitMetres: number) => number;
  /** How the parcel was matched; null when none was. */
  readonly match?: 'contains' | 'nearest' | 'address' | null;
  readonly inputs?: readonly Confidence[];
  /** Standard error of the value, in its unit; null where none is known. */
  readonly spread?: number | null;
  readonly value?: number;
  /** Metres to the nearest station used; none where none was. */
  readonly station?: number;
}

/**
 * The confidence a rule gives (docs/operators.md), of a value and of an absence alike.
 * Without the evidence a rule asks for it gives its own lowest level; no rule at all (a nested call) gives `high`,
 * which leaves `min_inputs` of the outer field to the inputs that have one.
 */
export function confidenceOf(rule: ConfidenceRule | null, evidence: Evidence = {}): Confidence {
  if (!rule) return 'high';
  switch (rule.kind) {
    case 'const':
      return rule.level;
    case 'edge_m':
      return evidence.edge && evidence.edge(rule.metres) > rule.metres ? 'high' : 'medium';
    case 'station_km': {
      const kilometres = (evidence.station ?? Infinity) / 1000;
      return kilometres <= rule.high ? 'high' : kilometres <= rule.medium ? 'medium' : 'low';
    }
    case 'cv': {
      const { spread = null, value = 0 } = evidence;
      // An estimate whose margin is not at hand is medium at most.
      if (spread === null) return 'medium';
      const variation = variationOf(value, spread);
      return variation <= rule.high ? 'high' : variation <= rule.medium ? 'medium' : 'low';
    }
    case 'sign': {
      const { spread = null, value = 0 } = evidence;
      return spread !== null && Math.abs(value) <= rule.errors * spread ? 'low' : 'medium';
    }
    case 'parcel_match':
      return evidence.match === 'contains' ? 'high' : evidence.match === 'nearest' ? 'medium' : 'low';
    case 'min_inputs':
      return lowest(evidence.inputs ?? []);
  }
}
