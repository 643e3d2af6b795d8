import type { Confidence } from '../../datasets/dataset.ts';
import type { Partition } from '../../datasets/release.ts';
import type { Answer } from '../evaluate/answer.ts';
import { type Finding, found } from '../evaluate/finding.ts';

/** A finding whose value may be a list or an object, as only enrichment has them. */
export interface EnrichFinding extends Omit<Finding, 'value'> {
  readonly value: Answer['value'];
}

/** A list or an object with what it rests on. */
export function foundWhole(
  value: readonly unknown[] | Record<string, unknown>,
  confidence: Confidence,
  from: Iterable<Partition>,
  notes: string[] = [],
): EnrichFinding {
  return { ...found(null, confidence, from, notes), value };
}
