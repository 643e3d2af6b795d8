/** A field as fetch and enrich answer it. */
export interface FieldRecord {
  readonly value: unknown;
  readonly unit: string | null;
  readonly source: string;
  readonly source_url: string | null;
  readonly confidence: string;
  readonly fetched_at: string | null;
  readonly dataset_vintage: string | null;
  readonly notes: string | null;
  readonly status: 'ok' | 'absent' | 'failed';
  readonly error?: string;
  readonly retryable?: boolean;
  readonly interpretation_hints?: string;
}

/**
 * Whether a record has no value because the release holds no data that could give one: the place lies outside of it, or the product was
 * never installed. Asking again does not help.
 */
export const isLacking = ({ status, retryable, notes }: FieldRecord): boolean =>
  (status === 'failed' && retryable !== true) || (status === 'absent' && /^outside the coverage\b/i.test(notes ?? ''));

/** Whether a record tells a correction that was reviewed, and not what its source says. */
export const isCorrection = ({ source }: Pick<FieldRecord, 'source'>): boolean => source.startsWith('correction:');
