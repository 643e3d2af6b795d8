import type { EnrichField } from '../../datasets/enrich/enrich.ts';
import { memo } from '../../datasets/memo.ts';
import { toAnswer } from '../evaluate/finding.ts';
import { utf8 } from '../format/json-bytes.ts';
import type { EnrichFinding } from './enrich-finding.ts';

/** A failed field as `partial_failures` lists it. */
export interface FieldFailure {
  readonly field: string;
  /** As in its record. */
  readonly source: string;
  readonly error: string;
  readonly retryable: boolean;
}

/** What stands behind a value, apart from its time, and the whole of it with the time that was asked for last. */
interface Tail {
  readonly before: string;
  readonly after: string;
  at: string;
  bytes: Uint8Array;
}

/**
 * Writes what stands behind the value in the records of one field, as JSON text in UTF-8. Parcels by the hundred with
 * hundreds of fields each have few reasons: the text of one is written once.
 */
export class RecordTails {
  readonly #field: EnrichField;
  readonly #datasetUrl: string;
  readonly #tailOf = memo((finding: EnrichFinding) => this.#tail(finding));
  /** Asked for last: neighbours mostly have one reason. */
  #last: { readonly finding: EnrichFinding; readonly tail: Tail } | null = null;

  constructor(field: EnrichField, datasetUrl: string) {
    this.#field = field;
    this.#datasetUrl = datasetUrl;
  }

  /**
   * All behind the value, the closing brace included.
   * @param finding whose value does not matter: one may stand for many.
   * @param at when the value was read or computed: UTC with milliseconds and Z.
   */
  of(finding: EnrichFinding, at: string): Uint8Array {
    if (this.#last?.finding !== finding) this.#last = { finding, tail: this.#tailOf(finding) };
    const { tail } = this.#last;
    if (tail.at !== at) {
      tail.bytes = utf8(tail.before + at + tail.after);
      tail.at = at;
    }
    return tail.bytes;
  }

  #tail(finding: EnrichFinding): Tail {
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
      before: `,${before.slice(1, -1)},"fetched_at":"`,
      after: `",${after.slice(1)}`,
      at: '',
      bytes: new Uint8Array(0),
    };
  }
}

/** The tails of a field's records, made once. @param datasetUrl of the dataset that stands for it where nothing was read. */
export const recordTails = memo((field: EnrichField, datasetUrl: string) => new RecordTails(field, datasetUrl));
