import { csvLine } from './csv-cell.ts';
import type { Table } from './format.ts';

/** Writes a table as CSV in UTF-8 (RFC 4180): a line of names, then one for each row. It has no place for remarks. */
export function writeCsv({ columns, geometries }: Table): Uint8Array {
  const lines = [csvLine(columns.map(({ name }) => name))];
  for (let row = 0; row < geometries.length; row++) lines.push(csvLine(columns.map(({ values }) => values[row])));
  return Buffer.from(lines.join(''));
}
