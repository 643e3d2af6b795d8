import type { Confidence, ConfidenceRule, Value } from '../../../datasets/dataset.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { confidenceOf, variationOf } from '../confidence.ts';
import type { Published } from '../published.ts';

/** Standard errors in a margin of 90 percent (Census Bureau, Understanding and Using ACS Data, 2020, chapter 7). */
const ERRORS_IN_MARGIN = 1.645;
/** Stands for the margin of an estimate that is controlled to a count and has no sampling error (Census Bureau, same). */
const CONTROLLED = -555_555_555;

/** The standard error that a published margin of error stands for, in the unit of the field; null where it stands for none. */
export function standardError(margin: Value | undefined, { options }: Pick<Expression, 'options'>): number | null {
  if (margin === null || margin === undefined || margin === '') return null;
  const number = Number(margin);
  if (number === CONTROLLED) return 0;
  return number >= 0 ? (number / ERRORS_IN_MARGIN) * Math.abs(Number(options.scale ?? 1)) : null;
}

/** A number with three digits, or all before the point. */
const rounded = (value: number): number => (value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
const withUnit = (value: number, unit: string | null): string => `${rounded(value)}${unit === null ? '' : ` ${unit}`}`;

/**
 * What notes say of a number with a standard error, where the rule of the field goes by that: its margin, or that its sign may be
 * another.
 */
export function spreadNotes(
  { rule, unit }: { readonly rule: ConfidenceRule | null; readonly unit: string | null },
  value: number,
  spread: number,
): readonly string[] {
  if (rule?.kind === 'sign') {
    if (Math.abs(value) > rule.errors * spread) return [];
    return [
      `within ${rule.errors} standard errors of 0 (${withUnit(spread, unit)} each), so the other sign may be true`,
    ];
  }
  if (rule?.kind !== 'cv') return [];
  const margin = `± ${withUnit(spread * ERRORS_IN_MARGIN, unit)} at 90 percent confidence`;
  const variation = variationOf(value, spread);
  return [
    Number.isFinite(variation) ? `${margin}, a coefficient of variation of ${rounded(variation)} percent` : margin,
  ];
}

/**
 * What a number of a survey is as sure as, and what notes say of it.
 * @param spread its standard error; null where none is at hand.
 * @returns null for what is no number with an error.
 */
export function surveyNumber(
  asked: { readonly rule: ConfidenceRule | null; readonly unit: string | null },
  said: Published,
  spread: number | null,
): { readonly confidence: Confidence; readonly notes: readonly string[]; readonly spread: number } | null {
  if (spread === null || 'reason' in said || typeof said.value !== 'number') return null;
  const { value } = said;
  return { confidence: confidenceOf(asked.rule, { spread, value }), notes: spreadNotes(asked, value, spread), spread };
}

/** Step by which a number is bent, as a share of it and at least. */
const BEND = 1e-4;

/**
 * Standard error of what a formula makes of numbers that have one, each apart from the others: the root of the sum of squares of
 * each error times the slope of the formula (Census Bureau, same, chapter 8, as for ratios; a proportion has at most that).
 * @param inputs by their names in the formula.
 * @param evaluate the formula with one of its numbers replaced.
 * @returns null where none of them has an error that is known.
 */
export function spreadThrough(
  inputs: readonly { readonly name: string; readonly value: Value; readonly spread?: number }[],
  evaluate: (name: string, value: number) => unknown,
): number | null {
  let squares = 0;
  let isTold = false;
  for (const { name, value, spread } of inputs) {
    if (spread === undefined || typeof value !== 'number') continue;
    const step = Math.max(Math.abs(value) * BEND, BEND);
    const [more, less] = [evaluate(name, value + step), evaluate(name, value - step)];
    if (typeof more !== 'number' || typeof less !== 'number') return null;
    isTold = true;
    squares += (((more - less) / (2 * step)) * spread) ** 2;
  }
  return isTold ? Math.sqrt(squares) : null;
}
