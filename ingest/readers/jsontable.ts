import type { Value } from '../../datasets/dataset.ts';
import { fileSize } from '../byte-cursor.ts';
import { wholeJson } from '../json-text.ts';
import { columnNames, PointColumns } from '../point-columns.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';
import { plainValue } from '../text/json-numbers.ts';

class JsonTableSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count: number;
  readonly #path: string;
  readonly #points: PointColumns;
  readonly #rows: readonly unknown[];

  constructor(path: string, columns: readonly string[], rows: readonly unknown[], points: PointColumns) {
    this.#path = path;
    this.columns = columns;
    this.count = rows.length;
    this.#points = points;
    this.crs = points.crs;
    this.#rows = rows;
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const batch = new RowBatch();
    let number = 0;
    for (const cells of this.#rows) {
      number++;
      if (
        !Array.isArray(cells) ||
        cells.length !== this.columns.length ||
        cells.some(cell => typeof cell === 'object' && cell)
      )
        throw new ReadError('file_corrupt', this.#path, number, `is no list of ${this.columns.length} plain values`);
      const properties: Record<string, Value> = {};
      for (const [i, name] of this.columns.entries()) properties[name] = cells[i] === '' ? null : plainValue(cells[i]);
      if (
        batch.push({ number, properties, geometry: this.#points.geometry(cells.map(plainValue)) }, this.columns.length)
      ) {
        checkAborted(signal, this.#path, number);
        yield batch.take();
      }
    }
    checkAborted(signal, this.#path, number);
    if (batch.size > 0) yield batch.take();
  }

  async close(): Promise<void> {}
}

/**
 * Reads a JSON list of lists whose first list is the header, the form of the Census Bureau's API. The whole file is in memory.
 */
export const reader: Reader = {
  name: 'jsontable',
  endings: ['.table.json'],
  async open(path, options) {
    await fileSize(path);
    const table = await wholeJson(path);
    const [header, ...rows] = Array.isArray(table) ? (table as unknown[]) : [];
    if (!Array.isArray(header) || !header.every(cell => typeof cell === 'string'))
      throw new ReadError('file_corrupt', path, null, 'is no list of lists whose first has the names of the columns');
    const columns = columnNames(header, path);
    return new JsonTableSource(path, columns, rows, new PointColumns(path, columns, options));
  },
};
