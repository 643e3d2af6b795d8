import { plainLine } from '../../../query/format/plain-text.ts';
import type { Group, Named, Parts } from './slim.ts';

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Writes a record on a line: what the structured part says of it. A piece of one has no value where an earlier part has it. */
export function recordLine([name, record]: Named): string {
  const { value, unit, status, confidence, source, notes, error, retryable } = record;
  const of = unit === null || unit === undefined ? '' : ` ${unit}`;
  const said =
    status === 'failed'
      ? `failed${of === '' ? '' : ` (${unit})`}, ${retryable ? 'retryable' : 'not retryable'}: ${wordsOf(error ?? '')}`
      : status === 'absent'
        ? `absent${of === '' ? '' : ` (${unit})`}`
        : `${wordsOf(value === undefined ? '…' : value)}${of}`;
  return plainLine(`${name}: ${said} [${source}, ${confidence}]${notes === undefined ? '' : ` (${wordsOf(notes)})`}`);
}

/** Writes a source on a line, by its number. */
export const sourceLine = ({ source, source_url, dataset_vintage, fetched_at }: Parts['sources'][number], n: number) =>
  plainLine(
    `[${n}] ${[source, source_url, dataset_vintage, fetched_at]
      .filter(part => part !== null)
      .map(wordsOf)
      .join(', ')}`,
  );

/** Writes the entries of lists on a line. */
export const headLine = ({ heads }: Group): string => plainLine(`- ${heads.map(wordsOf).join(' ')}`);

/** Writes the members of an answer, a line each. */
export const frameLines = (frame: unknown): string[] =>
  Object.entries(frame as object).map(([key, value]) => plainLine(`${key}: ${wordsOf(value)}`));
