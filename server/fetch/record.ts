import type { Field } from '../../datasets/dataset.ts';
import type { Answer } from '../../query/evaluate/answer.ts';
import type { FieldRecord, PartialFailure } from './schema.ts';

/**
 * The record of one field, with exactly the keys of the interface. Only failed records have `error` and `retryable`.
 */
export function toRecord(field: Field, answer: Answer): FieldRecord {
  const record: FieldRecord = {
    value: answer.status === 'ok' ? answer.value : null,
    unit: field.unit,
    source: answer.source,
    source_url: answer.sourceUrl,
    confidence: answer.confidence,
    fetched_at: answer.fetchedAt,
    dataset_vintage: answer.vintage,
    ttl_seconds: field.ttlSeconds,
    notes: answer.notes,
    status: answer.status,
  };
  if (answer.status !== 'failed') return record;
  return { ...record, error: answer.error ?? 'The source failed.', retryable: answer.retryable ?? false };
}

/** The failed records of a response, in its order. */
export function partialFailures(fields: Readonly<Record<string, FieldRecord>>): PartialFailure[] {
  return Object.entries(fields)
    .filter(([, record]) => record.status === 'failed')
    .map(([field, record]) => ({
      field,
      source: record.source,
      error: record.error!,
      retryable: record.retryable!,
    }));
}
