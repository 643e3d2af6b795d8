import type { Confidence, ConfidenceRule } from '../../datasets/dataset.ts';

const ORDER: readonly Confidence[] = ['low', 'medium', 'high'];

/** The lowest of several confidences; `high` of none. */
export function lowest(levels: Iterable<Confidence>): Confidence {
  let least = 2;
  for (const level of levels) least = Math.min(least, ORDER.indexOf(level));
  return ORDER[least]!;
}

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
    case 'parcel_match':
      return evidence.match === 'contains' ? 'high' : evidence.match === 'nearest' ? 'medium' : 'low';
    case 'min_inputs':
      return lowest(evidence.inputs ?? []);
  }
}
