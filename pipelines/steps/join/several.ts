import type { Join, SeveralWord } from '../../../datasets/place/place.ts';
import { type Properties, scalar } from '../normalise.ts';
import { coerce, Misfit } from '../value.ts';

/** A published number, also one that is published as text; null where there is none. */
function numberOf(row: Properties, column: string): number | null {
  const value = scalar(row[column], column);
  const number = value === null ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Which of two rows that share a key is taken: more than 0 for the first. */
function compare(a: Properties, b: Properties, { of, ties }: NonNullable<Join['greatest']>): number {
  const [x, y] = [numberOf(a, of) ?? -Infinity, numberOf(b, of) ?? -Infinity];
  if (x !== y) return x - y;
  const [p, q] = [numberOf(a, ties), numberOf(b, ties)];
  if (p !== null && q !== null) return q - p;
  return String(b[ties]) < String(a[ties]) ? -1 : 1;
}

/** The slices of one key as one row that holds the mean alone; null where no slice within the depths has a value. */
function meanOf(rows: readonly Properties[], { value, top, bottom, within }: NonNullable<Join['mean']>): Properties {
  let weight = 0;
  let sum = 0;
  for (const row of rows) {
    const [from, to, held] = [numberOf(row, top), numberOf(row, bottom), numberOf(row, value)];
    if (from === null || to === null || held === null) continue;
    const part = Math.min(to, within[1]) - Math.max(from, within[0]);
    if (part <= 0) continue;
    weight += part;
    sum += part * held;
  }
  return { [value]: weight > 0 ? sum / weight : null };
}

/** What stands between the values of a list. */
const SEPARATOR = '; ';

/**
 * One column of rows that share a key, as the word says.
 * @throws Misfit where the word is `reject` and there are several rows, or text is to be added up.
 */
function settled(rows: readonly Properties[], column: string, word: SeveralWord): Properties[string] {
  const values = rows.map(row => scalar(row[column], column));
  const present = values.filter(value => value !== null);
  // A count is one even of a single row.
  if (word === 'count') return present.length;
  if (rows.length === 1) return rows[0]![column] ?? null;
  if (word === null) return null;
  if (word === 'first') return values[0]!;
  if (word === 'list') return present.length === 0 ? null : [...new Set(present.map(String))].join(SEPARATOR);
  if (word === 'sum') {
    if (present.length < values.length) return null;
    return present.reduce<number>((sum, value) => sum + Number(coerce(value, 'number')), 0);
  }
  throw new Misfit(`one of ${rows.length} values would be a guess`);
}

/** What rows of one key become: their columns, or why they become nothing. */
type Settled = { readonly row: Properties } | { readonly reason: string };

/**
 * The row that joins of those that share a key.
 * @param columns of the joined file that the mapping reads.
 */
export function settle(rows: readonly Properties[], key: string, spec: Join, columns: readonly string[]): Settled {
  const { greatest, mean, several = 'reject', prefix } = spec;
  if (mean) return { row: meanOf(rows, mean) };
  if (greatest) return { row: rows.reduce((best, row) => (compare(row, best, greatest) > 0 ? row : best)) };
  if (several === 'reject' && rows.length > 1) return { reason: `several joined rows have the key ${key}` };
  if (several === 'first' || several === 'reject') return { row: rows[0]! };
  const row: Properties = {};
  for (const column of columns) {
    const word = typeof several === 'object' && several !== null ? several[column]! : several;
    try {
      row[column] = settled(rows, column, word);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      return { reason: `several joined rows have the key ${key}; column ${prefix}.${column}: ${error.message}` };
    }
  }
  return { row };
}
