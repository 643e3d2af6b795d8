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

/** A record behind its value, up to its time and after it. */
interface Frame {
  readonly confidence: string;
  readonly beforeTime: string;
  readonly afterTime: string;
  /** The whole of it with the time that was asked for last. */
  at: string;
  tail: Uint8Array;
}

const UTF8 = new TextEncoder();

/**
 * Writes records of one field as JSON text in UTF-8. Parcels by the hundred with hundreds of fields each make objects by
 * the ten thousand, and copying those between threads and writing them again would cost more than answering: the text is
 * written once, and what findings of one reason have in common is written once for all of them.
 */
export class RecordWriter {
  /** All before the value: `"name":{"value":`. */
  readonly head: Uint8Array;
  readonly #field: EnrichField;
  readonly #datasetUrl: string;
  /** By the notes, which findings of one reason share. */
  readonly #frames = new WeakMap<readonly string[], Frame>();

  constructor(field: EnrichField, datasetUrl: string) {
    this.#field = field;
    this.#datasetUrl = datasetUrl;
    this.head = UTF8.encode(`${JSON.stringify(field.name)}:{"value":`);
  }

  /**
   * All behind the value, the closing brace included.
   * @param at when the value was read or computed: UTC with milliseconds and Z.
   */
  tail(finding: EnrichFinding, at: string): Uint8Array {
    const { notes, confidence } = finding;
    let frame = this.#frames.get(notes);
    if (frame?.confidence !== confidence) {
      frame = this.#frame(finding);
      this.#frames.set(notes, frame);
    }
    if (frame.at !== at) {
      frame.tail = UTF8.encode(frame.beforeTime + at + frame.afterTime);
      frame.at = at;
    }
    return frame.tail;
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
    const beforeTime = `,${before.slice(1, -1)},"fetched_at":"`;
    return { confidence, beforeTime, afterTime: `",${after.slice(1)}`, at: '', tail: new Uint8Array(0) };
  }
}

/** The value of a finding as JSON; most are numbers, which need no writer. */
export function valueText({ status, value }: EnrichFinding): string {
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

const [OPEN, COMMA, CLOSE] = [0x7b, 0x2c, 0x7d];
/** Where maps are put together, one at a time. */
let scratch = Buffer.alloc(1 << 19);

/**
 * A map of records as JSON text in UTF-8.
 * @param values of valueText, and tails of the writers, in their order.
 */
export function recordMap(
  writers: readonly RecordWriter[],
  values: readonly string[],
  tails: readonly Uint8Array[],
): Uint8Array {
  let at = 0;
  for (const [i, { head }] of writers.entries()) {
    const value = values[i]!;
    const tail = tails[i]!;
    // Three bytes are the most that a UTF-16 unit takes.
    const most = at + head.length + value.length * 3 + tail.length + 2;
    if (most > scratch.length) scratch = Buffer.concat([scratch.subarray(0, at)], most * 2);
    scratch[at++] = i === 0 ? OPEN : COMMA;
    scratch.set(head, at);
    at += head.length;
    at += scratch.write(value, at, 'utf8');
    scratch.set(tail, at);
    at += tail.length;
  }
  if (at === 0) return UTF8.encode('{}');
  scratch[at++] = CLOSE;
  return Uint8Array.prototype.slice.call(scratch, 0, at);
}
