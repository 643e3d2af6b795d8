import type { Confidence, Value } from '../../datasets/dataset.ts';

/** What the engine says about one field at one point; the server adds unit and ttl to make a record of it. */
export interface Answer {
  readonly status: 'ok' | 'absent' | 'failed';
  /** Null unless ok. */
  readonly value: Value | readonly unknown[] | Record<string, unknown>;
  /** Why there is no value (absent), or what qualifies one (ok); null when there is nothing to say. */
  readonly notes: string | null;
  readonly confidence: Confidence;
  /** Identifier of the product that answered or is at fault; the dataset id when there is none. Several joined by `;`. */
  readonly source: string;
  /** Where `source` is published, several joined by `;`; null where it has no address. */
  readonly sourceUrl: string | null;
  readonly vintage: string | null;
  /** When the value was read or computed: UTC with milliseconds and Z. */
  readonly fetchedAt: string;
  /** Only failed: what went wrong, and whether trying again can help. */
  readonly error?: string;
  readonly retryable?: boolean;
}

export interface Point {
  readonly lng: number;
  readonly lat: number;
}
