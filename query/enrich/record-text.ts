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

/** A record around its value and its time. */
interface Frame {
  readonly confidence: string;
  readonly beforeTime: string;
  readonly afterTime: string;
}

/**
 * Writes records of one field as JSON text. Parcels by the hundred with hundreds of fields each make objects by the ten
 * thousand, and copying those between threads and writing them again would cost more than answering: the text is
 * written once, and what findings of one reason have in common is written once for all of them.
 */
class RecordWriter {
  readonly #field: EnrichField;
  readonly #datasetUrl: string;
  /** By the notes, which findings of one reason share. */
  readonly #frames = new WeakMap<readonly string[], Frame>();
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
    let frame = this.#frames.get(notes);
    if (frame?.confidence !== confidence) {
      frame = this.#frame(finding);
      this.#frames.set(notes, frame);
    }
    return this.#name + textOf(finding) + frame.beforeTime + at + frame.afterTime;
  }

  #frame(finding: EnrichFinding): Frame {
    const { unit, ttlSeconds, hint, dataset } = this.#field;
    const answer = toAnswer({ ...finding, value: null }, { id: dataset, url: this.#datasetUrl }, '');
    const { source, sourceUrl, confidence, vintage, notes, status } = answer;
    const before = JSON.stringify({ unit, source, source_url: sourceUrl, confidence });
    const after = JSON.stringify({
      dataset_vintage: vintage,
      ttl_seconds: ttlSeconds,
      notes,
      status,
      interpretation_hints: hint,
      ...(status === 'failed' ? { error: answer.error, retryable: answer.retryable } : {}),
    });
    return {
      confidence,
      beforeTime: `,${before.slice(1, -1)},"fetched_at":"`,
      afterTime: `",${after.slice(1)}`,
    };
  }
}

/** The value as JSON; most are numbers, which need no writer. */
function textOf({ status, value }: EnrichFinding): string {
  if (status !== 'ok') return 'null';
  return typeof value === 'number' && Number.isFinite(value) && value !== 0 ? String(value) : JSON.stringify(value);
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
