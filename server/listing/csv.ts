/** First characters that a spreadsheet takes for a formula, including full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Writes a cell (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = FORMULA.test(text) && !(typeof value === 'number' && NUMBER.test(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180). */
export const csvOf = (rows: readonly (readonly unknown[])[]): string =>
  rows.map(row => `${row.map(cell).join(',')}\r\n`).join('');
