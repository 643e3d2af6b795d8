import { ReadError, type Row } from './reader.ts';

const ROWS = 1000;
/** Numbers (coordinates or cells) after which a batch is full, even with few rows: 8 MB. */
const NUMBERS = 1_000_000;

/** Collects rows into batches of about 1,000, or fewer if their geometries are large, so that memory stays bounded. */
export class RowBatch {
  #rows: Row[] = [];
  #numbers = 0;

  get size(): number {
    return this.#rows.length;
  }

  /** Adds a row. @returns whether the batch is full. */
  push(row: Row, numbers = row.geometry?.xy.length ?? 0): boolean {
    this.#rows.push(row);
    this.#numbers += numbers;
    return this.#rows.length >= ROWS || this.#numbers >= NUMBERS;
  }

  /** Returns the collected rows and empties the batch. */
  take(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#numbers = 0;
    return rows;
  }
}

/** @throws ReadError aborted when the signal is aborted. */
export function checkAborted(signal: AbortSignal | undefined, file: string, row: number): void {
  if (signal?.aborted) throw new ReadError('aborted', file, row, 'reading was aborted');
}

/**
 * Yields rows in batches.
 * @param width number of cells of a row beside its geometry.
 * @throws ReadError aborted when the signal is aborted; whatever the rows throw.
 */
export async function* batches(
  rows: Iterable<Row> | AsyncIterable<Row>,
  file: string,
  signal: AbortSignal | undefined,
  width = 0,
): AsyncGenerator<Row[]> {
  const batch = new RowBatch();
  let number = 0;
  for await (const row of rows) {
    number = row.number;
    if (batch.push(row, width + (row.geometry?.xy.length ?? 0))) {
      checkAborted(signal, file, number);
      yield batch.take();
    }
  }
  checkAborted(signal, file, number);
  if (batch.size > 0) yield batch.take();
}
