/** The outcomes that screening can give to a part of a request. */
export const DISPOSITIONS = ['matched', 'near_miss', 'clarify', 'accepted_new', 'refused'] as const;

/** A call that returns what was asked for. */
export interface Resume {
  readonly method: 'POST';
  readonly url: string;
  /** A fetch request. */
  readonly body: { readonly lat: number; readonly lng: number; readonly fields: readonly string[] };
}

/** The value of a field at one example location, with its source. */
export interface ExampleValue {
  readonly index: number;
  readonly status: 'ok' | 'absent' | 'failed';
  readonly value: unknown;
  readonly unit: string | null;
  readonly source: string;
  readonly source_url: string | null;
  readonly dataset_vintage: string | null;
  readonly notes: string | null;
}

/** The outcome for one part of a request. */
export interface Disposition {
  readonly ask: string;
  readonly disposition: (typeof DISPOSITIONS)[number];
  readonly field_id: string | null;
  /** ISO 8601; null unless the field will be built. */
  readonly estimated_ready_at: string | null;
  readonly resume: Resume | null;
  /** The reason, in words. */
  readonly explanation: string;
  /** For `matched` and `near_miss`: the values at the example locations. */
  readonly values?: readonly ExampleValue[];
  /** For `clarify`: the fields that the request may mean. */
  readonly candidates?: readonly { readonly field_id: string; readonly title: string }[];
  /** For `refused`: the reason, as a code. */
  readonly code?: string;
  /** For `refused`: where to go instead. */
  readonly suggestion?: string;
  /** After the field was built: what a citation must say. */
  readonly confidence?: string;
  readonly caveat?: string | null;
}
