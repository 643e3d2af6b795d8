import { plainLine } from '../../../query/format/plain-text.ts';
import type { FieldRequestRow } from '../../state/field-requests/row.ts';

/** Epoch milliseconds as ISO 8601. */
export const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** A request in one line. */
export function lineOf(row: FieldRequestRow, description: string): string {
  const place = row.queuePosition === null ? '' : ` #${row.queuePosition}`;
  const waits = row.waitingOn === null ? '' : ` (waits for the ${row.waitingOn})`;
  const words = plainLine(description.trim());
  const short = words.length > 80 ? `${words.slice(0, 79)}…` : words;
  return `${row.id}  ${row.status}${place}${waits}  since ${iso(row.updatedAt)}  ${short}`;
}
