/** First characters that a spreadsheet takes for a formula, including full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/**
 * Writes a line of CSV (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers never do.
 * @param values JSON values; lists and objects are written as JSON.
 */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = FORMULA.test(text) && typeof value !== 'number' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
