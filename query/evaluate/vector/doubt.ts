import type { Layer } from '../../../datasets/dataset.ts';
import { type Condition, columnsOf, parseCondition, type Unknown } from '../../../datasets/grammar/condition.ts';
import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import { memo } from '../../../datasets/memo.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, definitionOf, type Question } from '../context.ts';
import { absent, type Finding } from '../finding.ts';
import type { Gathering } from './gather-about.ts';
import type { Gathered } from './gathered.ts';
import type { Search } from './vector-search.ts';

const doubts = memo((where: Condition) =>
  memo((layer: Layer): Unknown | null =>
    layer.kind === 'raster' ? null : { kind: 'unknown', of: where, meanings: meaningsOf(layer, where) },
  ),
);

/**
 * The condition of the features or rows of which it is not known whether they meet another: a value that decides is
 * empty, or a code for unknown. An answer that would change with them is absent, not false.
 * @returns null where every row tells; the same object for the same condition and layer, so that it can be a key.
 */
export const doubtOf = (ctx: Context, source: SourceRef, where: Condition | null): Unknown | null =>
  !where || tells(where) ? null : doubts(where)(definitionOf(ctx, source));

/** Whether every row tells: nothing is asked but whether values are empty. */
const tells = (where: Condition): boolean => ('terms' in where ? where.terms.every(tells) : where.kind === 'null');

function meaningsOf(layer: Exclude<Layer, { kind: 'raster' }>, where: Condition): Unknown['meanings'] {
  const declared = columnsOf(where).flatMap(name => {
    const { unknown = [], emptyIsNone } = layer.columns[name] ?? {};
    if (!unknown.length && emptyIsNone === undefined) return [];
    return [[name, { unknown, none: emptyIsNone === undefined ? null : parseCondition(emptyIsNone) }] as const];
  });
  return Object.fromEntries(declared);
}

/** Why it is not known whether something meets a condition. */
export const undecided = (where: Condition): string =>
  `what decides (${columnsOf(where).join(', ')}) is empty or unknown there`;

/** How the features that a call asks for are told from others of its layer; empty where it asks for all. */
export const conditionWords = ({ where }: Pick<Expression, 'where'>): string =>
  where ? ` that are asked for (by ${columnsOf(where).join(', ')})` : '';

/** The same disc's features of which it is not known whether they meet the condition; null where every one tells. */
export const doubtedOf = memo((gathering: Gathering, ctx: Context): Gathering | null => {
  const where = doubtOf(ctx, gathering.source, gathering.where);
  return where && { ...gathering, where };
});

/** What an answer says that depends on features of which it is not known whether they count. */
export function openFinding(
  call: Expression,
  { rule }: Question,
  search: Search,
  parts: readonly Gathered[],
  span = '',
): Finding {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const some = count === 1 ? 'one' : String(count);
  const within = `within ${Number(call.options.radius_m) / 1000} km`;
  return absent(
    `${some} of the ${layerWords(call.sources[0]!, search.at.covering)} ${within} may or may not count${span}: ${undecided(call.where!)}`,
    confidenceOf(rule),
    [...new Set([...search.at.covering, ...parts.map(part => part.partition)])],
  );
}
