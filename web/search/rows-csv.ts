/** A cell of a table of text. A text that spreadsheets would take for a formula is quoted as one that they do not. */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows of a table as CSV, with the heads first; what is not known is empty. Pure. */
export const rowsCsv = (heads: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  `${[heads, ...rows].map(row => row.map(cell).join()).join('\r\n')}\r\n`;
