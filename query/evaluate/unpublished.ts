import { type Condition, parseCondition } from '../../datasets/grammar/condition.ts';
import { COLUMN, copyLacking } from '../../datasets/lack-words.ts';
import { memo } from '../../datasets/memo.ts';
import type { Provenance } from '../../datasets/place/place.ts';
import type { Part } from '../../datasets/release.ts';
import { notesOn } from './finding.ts';

/** JSON of a condition → its text, for the conditions among what a partition does not publish. */
const conditionsOf = memo(
  ({ unpublished }: Pick<Part, 'unpublished'>) =>
    new Map(unpublished.filter(entry => !COLUMN.test(entry)).flatMap(parsed)),
);

/** A column of an odd name is no condition. */
function parsed(text: string): [string, string][] {
  try {
    return [[JSON.stringify(parseCondition(text)), text]];
  } catch {
    return [];
  }
}

/**
 * What of a question a source is known not to publish: the first of the columns, or a condition that the question asks
 * for (alone, or as a term of its top-level `and`). Without this, a source that has no floodways would answer that
 * there are none here.
 * @returns the column's name or the condition's text; null when the source can answer.
 */
export function unpublishedPart(
  partition: Pick<Part, 'unpublished'>,
  columns: readonly string[],
  where: Condition | null,
): string | null {
  const column = columns.find(name => partition.unpublished.includes(name));
  if (column !== undefined) return column;
  if (!where) return null;
  if (where.kind === 'unknown') return unpublishedPart(partition, columns, where.of);
  const terms = where.kind === 'and' ? [where, ...where.terms] : [where];
  const silent = conditionsOf(partition);
  if (silent.size === 0) return null;
  for (const term of terms) {
    const text = silent.get(JSON.stringify(term));
    if (text !== undefined) return text;
  }
  return null;
}

/**
 * The reason of an absent value that rests on what a copy lacks, with what its place file says of it. That its publisher does
 * not publish it either is known of few.
 * @param part as unpublishedPart tells it.
 */
export function lackingReason(
  partition: { readonly provenance: Pick<Provenance, 'source' | 'notes'> },
  part: string,
): string {
  const [why] = notesOn([partition], [part]);
  return copyLacking(partition.provenance.source, part, why ?? null);
}
