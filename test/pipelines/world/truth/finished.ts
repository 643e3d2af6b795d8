import { labelOf } from '../../../../datasets/codes/maps.ts';
import type { Value } from '../../../../datasets/dataset.ts';
import type { Expression } from '../../../../datasets/grammar/expression.ts';
import { numberOf } from './condition.ts';

/** What is true of a field at a place: a value, nothing, or too close to a border to say. */
export type Truth = { readonly value: Exclude<Value, null> } | 'absent' | 'unsure';

/** What a field makes of a value that was read: its nulls are absent, codes are labelled, numbers scaled. */
export function finished(call: Expression, raw: Value | undefined): Truth {
  if (raw === null || raw === undefined || raw === '') return 'absent';
  if (call.nulls.some(n => (typeof n === 'number' ? Number(raw) === n : raw === n))) return 'absent';
  const { map, scale, offset } = call.options;
  if (map !== undefined) return { value: labelOf(String(map), raw)! };
  if (scale === undefined && offset === undefined) return { value: raw };
  return { value: numberOf(raw) * Number(scale ?? 1) + Number(offset ?? 0) };
}
