import { workerData } from 'node:worker_threads';
import { yieldToServingThread } from '../../query/engine/queue/thread-priority.ts';
import { answerTable } from './answer-table.ts';
import { writeArrow } from './arrow.ts';
import { writeCsv } from './csv.ts';
import type { Format, Table } from './format.ts';
import type { FormatWork } from './format-threads.ts';
import { writeGeojson } from './geojson.ts';
import { writeParquet } from './parquet.ts';
import type { NameFacts } from './row-table.ts';

const WRITERS: Readonly<Record<Format, (table: Table) => Uint8Array>> = {
  arrow: writeArrow,
  csv: writeCsv,
  geojson: writeGeojson,
  parquet: writeParquet,
};

// Piscina puts the options' workerData second in its own pair.
const facts = (Array.isArray(workerData) ? workerData[1] : workerData) as NameFacts;
yieldToServingThread();

/** Writes an answer in another format; without work it only says that the thread has loaded. */
export default function write(work: FormatWork | null): Uint8Array | null {
  if (!work) return null;
  const body = JSON.parse(Buffer.from(work.body).toString('utf8')) as Readonly<Record<string, unknown>>;
  return WRITERS[work.format](answerTable(work.source, body, facts));
}
