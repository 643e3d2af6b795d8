import { ReadError, type Row } from './reader.ts';

const ROWS = 1000;
/** Numbers (coordinates or cells) after which a batch is full however few its rows: 8 MB. */
const NUMBERS = 1_000_000;

/** Gathers rows into batches of about 1,000, fewer when their geometries are large, so that memory stays bounded. */
export class RowBatch {
  #rows: Row[] = [];
  #numbers = 0;

  get size(): number {
    return this.#rows.length;
  }

  /** Adds a row. @returns whether the batch should be handed on now. */
  push(row: Row, numbers = row.geometry?.xy.length ?? 0): boolean {
    this.#rows.push(row);
    this.#numbers += numbers;
    return this.#rows.length >= ROWS || this.#numbers >= NUMBERS;
  }

  /** The rows gathered so far; the batch is empty afterwards. */
  take(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#numbers = 0;
    return rows;
  }
}

/** @throws ReadError aborted when the signal says so. */
export function checkAborted(signal: AbortSignal | undefined, file: string, row: number): void {
  if (signal?.aborted) throw new ReadError('aborted', file, row, 'reading was aborted');
}
