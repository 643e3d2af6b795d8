import { catalog } from '../../../../datasets/catalog.ts';
import type { Field } from '../../../../datasets/dataset.ts';
import { inSteps } from '../../../../datasets/precision.ts';
import type { Answer } from '../../../../query/evaluate/answer.ts';
import type { Truth } from './finished.ts';

/**
 * Whether an answer is what is true, within what the definition of the operators lets pass.
 * @param parcelAcres of the parcel at the place: fractions of it are told to four decimals, and acres are made of these.
 */
export function agrees(
  expected: Exclude<Truth, 'unsure'>,
  { status, value }: Answer,
  { unit, precision }: Pick<Field, 'unit' | 'precision'>,
  parcelAcres: number,
): boolean {
  if (expected === 'absent' || status !== 'ok') return expected === 'absent' && status === 'absent';
  if (typeof expected.value !== 'number') return value === expected.value;
  const least =
    unit === 'm' ? 0.11 : unit === 'fraction' ? 2e-4 : unit === 'acres' || unit === 'MWac' ? 1e-4 * parcelAcres : 0;
  const rounding = (precision ?? 0) / 2;
  return (
    Math.abs((value as number) - expected.value) <= least + rounding + 1e-6 * Math.max(1, Math.abs(expected.value))
  );
}

/** A published number in the steps of the field; what is missing is null. */
export const inStepsOf = (name: string, published: unknown): number | null =>
  typeof published === 'number' ? inSteps(published, catalog.fields.get(name)!.precision!) : null;
