import { labelOf } from '../../datasets/codes/maps.ts';
import type { Confidence, ScalarType, Value } from '../../datasets/dataset.ts';
import type { Expression } from '../../datasets/grammar/expression.ts';
import { distanceInSteps } from '../../datasets/precision.ts';
import type { Partition } from '../../datasets/release.ts';
import { Fault } from '../release/fault.ts';
import { largestPart } from './condition/number.ts';
import { absent, type Finding, found, notesOn } from './finding.ts';

/** A value fit to be answered, or the reason why the published one is none. */
export type Published = { readonly value: Exclude<Value, null> } | { readonly reason: string };

const isSentinel = (raw: string | number | boolean, nulls: Expression['nulls']) =>
  nulls.some(n => (typeof n === 'number' ? raw !== '' && Number(raw) === n : String(raw) === n));

/**
 * Applies `null[...]`, `map=`, `scale=` and `offset=` to a published value and gives it the field's type.
 * @param what names the column or band in a reason.
 * @param type null for nested calls: the value keeps its own.
 * @throws Fault when the code is not in the map: a mismatch with the published schema.
 */
export function published(
  raw: Value | undefined,
  call: Pick<Expression, 'nulls' | 'options'>,
  type: ScalarType | null,
  what: string,
): Published {
  if (raw === null || raw === undefined || raw === '') return { reason: `the source leaves it empty (${what})` };
  if (isSentinel(raw, call.nulls)) return { reason: `the source says ${raw} (${what}), which stands for missing` };
  const { map, scale, offset } = call.options;
  if (map !== undefined) {
    const label = labelOf(String(map), raw);
    if (label === null) throw new Fault(`${what} holds the code ${raw}, which ${map} does not list`);
    return { value: label };
  }
  const converts = scale !== undefined || offset !== undefined;
  if (converts || type === 'number' || type === 'integer') {
    const number = typeof raw === 'string' ? largestPart(raw) : Number(raw);
    if (number === null || !Number.isFinite(number))
      return { reason: `the source says "${raw}" (${what}), which is no number` };
    return { value: converts ? number * Number(scale ?? 1) + Number(offset ?? 0) : number };
  }
  if (type === 'string' && typeof raw !== 'string') return { value: String(raw) };
  if (type === 'date' && typeof raw === 'string') return { value: raw.slice(0, 10) };
  return { value: raw };
}

/**
 * What is found where a value may be fit to be answered.
 * @param notes of the value; @param column that it was read from, where its place file may say more of it.
 */
export const publishedFinding = (
  result: Published,
  confidence: Confidence,
  from: Iterable<Partition>,
  notes: readonly string[] = [],
  column: string | null = null,
): Finding => {
  // Why a copy lacks it the reason says.
  const said =
    column === null
      ? []
      : notesOn(
          [...from].filter(({ unpublished }) => !unpublished.includes(column)),
          [column],
        );
  return 'reason' in result
    ? absent(result.reason, confidence, from, said)
    : found(result.value, confidence, from, said.length ? [...said, ...notes] : notes);
};

/** Metres of a distance that no field declares steps of. */
export const DECIMETRE = 0.1;

/** Distances to 0.1 m, finer than sources place features; 0 only of what is met. */
export const roundDistance = (metres: number): number => distanceInSteps(metres, DECIMETRE);

/** Fractions to 4 decimals, a hundredth of a percent. */
export const roundFraction = (fraction: number): number => Math.round(fraction * 1e4) / 1e4;
