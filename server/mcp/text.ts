import { plainLine } from '../../query/format/plain-text.ts';
import { valueText } from '../operation/value-text.ts';

declare const plain: unique symbol;

/** The text of a tool. Only `textOf` makes one, so that no words of data or strangers begin a line of it. */
export type ToolText = string & { readonly [plain]: true };

/** Most characters of the text beside structured content: enough for an answer, and little enough for any model. */
const MOST_TEXT = 6_000;
/** Of its first line, which is there whatever its length. */
const MOST_LINE = 5_900;

/**
 * Joins lines to a text. What would break a line, turn it round or hide in it becomes a space. When there are too many
 * lines, it stops and refers to the structured content.
 * @param lines those of long answers are made one by one, and no more than the text has.
 * @param count lines of the whole answer.
 */
export function textOf(lines: Iterable<string>, count: number): ToolText {
  const kept: string[] = [];
  let length = 0;
  for (const given of lines) {
    const line = plainLine(kept.length === 0 && given.length > MOST_LINE ? `${given.slice(0, MOST_LINE)}…` : given);
    length += line.length + 1;
    if (length > MOST_TEXT) break;
    kept.push(line);
  }
  const rest = count - kept.length;
  return [...kept, ...(rest > 0 ? [`… and ${rest} more lines in the structured content`] : [])].join('\n') as ToolText;
}

/** Joins lines that are plain already, all of them. */
export const wholeText = (lines: readonly string[]): ToolText => lines.map(plainLine).join('\n') as ToolText;

/** The text of a short answer. */
export const shortText = (lines: readonly string[]): ToolText => textOf(lines, lines.length);

/** The parts of a field record that a text needs. */
export interface SaidRecord {
  readonly value: unknown;
  readonly unit: unknown;
  readonly source: string;
  readonly dataset_vintage: unknown;
  readonly confidence: string;
  readonly notes: unknown;
  readonly status: string;
  readonly error?: string;
  readonly retryable?: boolean;
}

/** Writes one field: its value with source and vintage, or why it has none. */
export function recordLine(name: string, record: SaidRecord): string {
  const { status, value, unit, source, dataset_vintage: vintage, confidence, notes } = record;
  if (status === 'failed')
    return `${name}: failed${record.retryable ? ' (retryable)' : ''}: ${valueText(record.error ?? '')}`;
  if (status === 'absent') return `${name}: absent: ${valueText(notes ?? '')} [${source}]`;
  const of = [source, vintage, `${confidence} confidence`].filter(part => part !== null).join(', ');
  return `${name}: ${valueText(value)}${unit === null ? '' : ` ${unit}`} [${of}]${notes === null ? '' : ` (${valueText(notes)})`}`;
}

/** A resolved location. */
interface SaidPlace {
  readonly lat: number;
  readonly lng: number;
  readonly resolved_location: { readonly source: string };
  readonly geocode?: { readonly normalized_address: string | null; readonly precision_note?: string };
}

/** Writes the point that an answer is about. */
export function placeLine({ lat, lng, resolved_location, geocode }: SaidPlace): string {
  const address = geocode?.normalized_address ? `, matched to ${geocode.normalized_address}` : '';
  const note = geocode?.precision_note ? ` ${geocode.precision_note}` : '';
  return `At lat ${lat}, lng ${lng} (${resolved_location.source}${address}).${note}`;
}
