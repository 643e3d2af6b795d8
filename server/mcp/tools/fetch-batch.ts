import { BATCH_LIMIT_MS, fetchBatch } from '../../fetch/batch.ts';
import { BatchBody, MAX_LOCATIONS } from '../../fetch/batch-schema.ts';
import { placeLine, recordLine, textOf } from '../text.ts';
import { form, type Tool } from '../tool.ts';

/** POST /v1/fetch/batch without an Idempotency-Key: a client that goes away cancels the batch. */
export const fetchBatchTool: Tool = {
  name: 'fetch_batch',
  title: 'Values at several places',
  description: () =>
    `The same fields at 1 to ${MAX_LOCATIONS} places, each as service_fetch answers it. A place that fails is an entry with ok false and costs nothing. Tells progress by place; takes up to 90 seconds.`,
  readOnly: true,
  forms: [
    form({
      schema: BatchBody,
      limitMs: BATCH_LIMIT_MS,
      async answer({ ctx, progress }, body) {
        const result = await fetchBatch(ctx, body, {
          onProgress: (done, total) => progress.tell(done, total, `${done} of ${total} locations`),
        });
        const lines = result.results.flatMap(entry =>
          entry.ok
            ? [
                `${entry.index}. ${placeLine(entry)}`,
                ...Object.entries(entry.fields).map(([name, record]) => `   ${recordLine(name, record)}`),
              ]
            : [`${entry.index}. ${entry.error.error}: ${entry.error.message}`],
        );
        return { structured: result, text: textOf(lines) };
      },
    }),
  ],
};
