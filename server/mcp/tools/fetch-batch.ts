import { BATCH_LIMIT_MS, batchBytes, fetchBatch } from '../../fetch/batch.ts';
import { BatchBody, type BatchEntry, MAX_LOCATIONS } from '../../fetch/batch-schema.ts';
import { placeLine, recordLine, textOf } from '../text.ts';
import { form, type Tool } from '../tool.ts';

/** Writes the lines of the entries, one by one: a full batch has 1,275, and a text some fifty. */
function* entryLines(entries: readonly BatchEntry[]): Generator<string> {
  for (const entry of entries) {
    if (!entry.ok) {
      yield `${entry.index}. ${entry.error.error}: ${entry.error.message}`;
      continue;
    }
    yield `${entry.index}. ${placeLine(entry)}`;
    for (const [name, record] of Object.entries(entry.fields)) yield `   ${recordLine(name, record)}`;
  }
}

const lineCount = (entries: readonly BatchEntry[]): number =>
  entries.reduce((sum, entry) => sum + 1 + (entry.ok ? Object.keys(entry.fields).length : 0), 0);

/** POST /v1/fetch/batch without an Idempotency-Key: a client that goes away cancels the batch. */
export const fetchBatchTool: Tool = {
  name: 'fetch_batch',
  title: 'Values at several places',
  remark: 'reports progress by location',
  description: () =>
    `The same fields at 1 to ${MAX_LOCATIONS} places, each as service_fetch answers it. A place that fails is an entry with ok false and costs nothing. Tells progress by place; takes up to 90 seconds.`,
  when: 'The same at several places: {tool}.',
  readOnly: true,
  isMapped: true,
  isCited: true,
  forms: [
    form({
      schema: BatchBody,
      route: 'POST /v1/fetch/batch',
      limitMs: BATCH_LIMIT_MS,
      answerBytes: batchBytes,
      async answer({ ctx, progress }, body) {
        const result = await fetchBatch(ctx, body, {
          onProgress: (done, total) => progress.tell(done, total, `${done} of ${total} locations`),
        });
        return { structured: result, text: textOf(entryLines(result.results), lineCount(result.results)) };
      },
    }),
  ],
};
