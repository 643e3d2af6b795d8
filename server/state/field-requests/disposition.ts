/** What screening says of a part of a request. */
export const DISPOSITIONS = ['matched', 'near_miss', 'clarify', 'accepted_new', 'refused'] as const;

/** A call that gives what was asked for, as it stands. */
export interface Resume {
  readonly method: 'POST';
  readonly url: string;
  /** A fetch request. */
  readonly body: { readonly lat: number; readonly lng: number; readonly fields: readonly string[] };
}

/** The value of a field at one example location, with where it is from. */
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
  /** ISO 8601; null unless it is to be built. */
  readonly estimated_ready_at: string | null;
  readonly resume: Resume | null;
  /** Why, in words. */
  readonly explanation: string;
  /** Of `matched` and `near_miss`: at the example locations. */
  readonly values?: readonly ExampleValue[];
  /** Of `clarify`: the fields that it may mean. */
  readonly candidates?: readonly { readonly field_id: string; readonly title: string }[];
  /** Of `refused`: why, as a code. */
  readonly code?: string;
  /** Of `refused`: where to go instead. */
  readonly suggestion?: string;
  /** Once it was built: what a citation must say. */
  readonly confidence?: string;
  readonly caveat?: string | null;
}
