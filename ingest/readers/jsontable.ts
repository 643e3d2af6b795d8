import type { Value } from '../../datasets/dataset.ts';
import { fileSize, readFailure } from '../byte-cursor.ts';
import { JsonText } from '../json-text.ts';
import { columnNames, PointColumns } from '../point-columns.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { batches } from '../row-batch.ts';
import { plainValue } from '../text/json-numbers.ts';
import { tooLarge } from '../unread.ts';

const OPEN_BRACKET = 0x5b;

/** Yields each value of the list that a file is, or the limit that it passes. */
async function* values(path: string): AsyncGenerator<unknown> {
  const text = new JsonText(path, undefined);
  const { scanner } = text;
  try {
    const first = await text.begin();
    if (first < 0) throw scanner.truncated();
    if (first !== OPEN_BRACKET) throw noTable(path);
    scanner.take();
    for (let number = 0; ; number++) {
      const bytes = await text.element(number + 1, number || null);
      if (bytes === null) break;
      yield bytes instanceof ReadError ? bytes : text.parse(bytes);
    }
    const after = await scanner.peek();
    if (after >= 0) throw scanner.unexpected(after, 'the end of the file');
  } catch (error) {
    throw readFailure(error, path, scanner.row);
  } finally {
    text.cursor.close();
  }
}

const noTable = (path: string) =>
  new ReadError('file_corrupt', path, null, 'is no list of lists whose first has the names of the columns');

class JsonTableSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count = null;
  readonly #path: string;
  readonly #points: PointColumns;

  constructor(path: string, columns: readonly string[], points: PointColumns) {
    this.#path = path;
    this.columns = columns;
    this.#points = points;
    this.crs = points.crs;
  }

  #row(cells: unknown, number: number): Row {
    if (cells instanceof ReadError) return tooLarge(number, cells);
    if (
      !Array.isArray(cells) ||
      cells.length !== this.columns.length ||
      cells.some(cell => typeof cell === 'object' && cell)
    )
      throw new ReadError('file_corrupt', this.#path, number, `is no list of ${this.columns.length} plain values`);
    const properties: Record<string, Value> = {};
    for (const [i, name] of this.columns.entries()) properties[name] = cells[i] === '' ? null : plainValue(cells[i]);
    return { number, properties, ...this.#points.located(cells.map(plainValue)) };
  }

  rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    return batches(this.#rows(), this.#path, signal, this.columns.length);
  }

  async *#rows(): AsyncGenerator<Row> {
    // The first list is the header.
    let number = -1;
    for await (const cells of values(this.#path)) if (++number > 0) yield this.#row(cells, number);
  }

  async close(): Promise<void> {}
}

/** Reads a JSON list of lists whose first list is the header, the form of the Census Bureau's API, one list at a time. */
export const reader: Reader = {
  name: 'jsontable',
  endings: ['.table.json'],
  async open(path, options) {
    await fileSize(path);
    for await (const header of values(path)) {
      if (header instanceof ReadError) throw header;
      if (!Array.isArray(header) || !header.every(cell => typeof cell === 'string')) throw noTable(path);
      const columns = columnNames(header, path);
      return new JsonTableSource(path, columns, new PointColumns(path, columns, options));
    }
    throw noTable(path);
  },
};
