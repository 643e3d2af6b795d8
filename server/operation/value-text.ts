import { jsonOf } from '../http/written-json.ts';

/** Most characters of a value in a text. */
const MOST_VALUE = 300;

/** Writes a value on one line. */
export function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : (jsonOf(value, 4 * MOST_VALUE)?.toString() ?? 'null');
  const line = text.slice(0, 2 * MOST_VALUE).replace(/\s+/g, ' ');
  return line.length > MOST_VALUE ? `${line.slice(0, MOST_VALUE)}…` : line;
}
