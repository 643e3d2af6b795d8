import type { EnrichField } from '../../datasets/enrich.ts';
import { toAnswer } from '../finding.ts';
import type { EnrichFinding } from './finding.ts';

/** A failed field as `partial_failures` lists it. */
export interface FieldFailure {
  readonly field: string;
  readonly source: string;
  readonly error: string;
  readonly retryable: boolean;
}

/** All of a record behind its value, by the notes that findings of one reason share. */
type Tails = WeakMap<readonly string[], { readonly at: string; readonly confidence: string; readonly text: string }>;

/**
 * Writes records of one field as JSON text. Parcels by the hundred with hundreds of fields each make objects by the ten
 * thousand, and copying those between threads and writing them again would cost more than answering: the text is
 * written once, and what findings of one reason have in common is written once for all of them.
 */
class RecordWriter {
  readonly #field: EnrichField;
  readonly #datasetUrl: string;
  readonly #tails: Tails = new WeakMap();
  readonly #name: string;

  constructor(field: EnrichField, datasetUrl: string) {
    this.#field = field;
    this.#datasetUrl = datasetUrl;
    this.#name = `${JSON.stringify(field.name)}:{"value":`;
  }

  /**
   * The field's entry in a map of records: `"name":{…}`.
   * @param at when the value was read or computed: UTC with milliseconds and Z.
   */
  entry(finding: EnrichFinding, at: string): string {
    const { notes, confidence } = finding;
    let tail = this.#tails.get(notes);
    if (tail?.at !== at || tail.confidence !== confidence) {
      tail = { at, confidence, text: this.#tail(finding, at) };
      this.#tails.set(notes, tail);
    }
    return `${this.#name}${finding.status === 'ok' ? JSON.stringify(finding.value) : 'null'}${tail.text}`;
  }

  #tail(finding: EnrichFinding, at: string): string {
    const { unit, ttlSeconds, hint, dataset } = this.#field;
    const answer = toAnswer({ ...finding, value: null }, { id: dataset, url: this.#datasetUrl }, at);
    const record = {
      unit,
      source: answer.source,
      source_url: answer.sourceUrl,
      confidence: answer.confidence,
      fetched_at: at,
      dataset_vintage: answer.vintage,
      ttl_seconds: ttlSeconds,
      notes: answer.notes,
      status: answer.status,
      interpretation_hints: hint,
      ...(answer.status === 'failed' ? { error: answer.error, retryable: answer.retryable } : {}),
    };
    return `,${JSON.stringify(record).slice(1)}`;
  }
}

const writers = new WeakMap<EnrichField, RecordWriter>();

/** The writer of a field's records, made once. @param datasetUrl of the dataset that stands for it where nothing was read. */
export function recordWriter(field: EnrichField, datasetUrl: string): RecordWriter {
  let writer = writers.get(field);
  if (!writer) {
    writer = new RecordWriter(field, datasetUrl);
    writers.set(field, writer);
  }
  return writer;
}
