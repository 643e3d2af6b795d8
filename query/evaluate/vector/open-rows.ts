import type { Value } from '../../../datasets/dataset.ts';
import { columnsOf } from '../../../datasets/grammar/condition.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import type { TableRow } from '../../release/table.ts';
import { type Context, testOf } from '../context.ts';
import { doubtOf } from './doubt.ts';

/**
 * How many rows do not tell whether they meet the condition although the aggregate would change with them: each alone,
 * since then several together change it too.
 */
export function openRows(
  ctx: Context,
  call: Expression,
  rows: readonly TableRow[],
  aggregated: (rows: readonly TableRow[]) => Value,
  chosen: readonly TableRow[],
): number {
  const doubt = doubtOf(ctx, call.sources[0]!, call.where);
  const open = doubt ? rows.filter(testOf(ctx, doubt)) : [];
  if (!open.length) return 0;
  const value = aggregated(chosen);
  const column = call.argument!;
  const decides = columnsOf(call.where).includes(column);
  return open.filter(row => {
    // A value that decides and counts as well could be any.
    if (decides && (row[column] ?? '') === '') return value !== true;
    return aggregated([...chosen, row]) !== value;
  }).length;
}
