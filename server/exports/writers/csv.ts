import { closeSync, openSync, writeSync } from 'node:fs';
import { csvLine } from '../../formats/csv-cell.ts';
import type { ExportTable, TableWriter } from './writer.ts';

/** CSV in UTF-8 (RFC 4180). It has no place for remarks: they are beside it. */
export function csvWriter(path: string, { columns }: ExportTable): TableWriter {
  const file = openSync(path, 'w', 0o600);
  writeSync(file, csvLine(columns.map(({ name }) => name)));
  return {
    write({ count, values }) {
      const lists = columns.map(({ name }) => values.get(name)!);
      let text = '';
      for (let row = 0; row < count; row++) text += csvLine(lists.map(list => list[row]));
      writeSync(file, text);
    },
    finish: () => closeSync(file),
  };
}
