import type { BlockedCode } from '../../state/field-requests/events.ts';

/** What a build ends in (docs/field-requests.md). */
type Outcome = 'DONE' | 'SHIP_LOW_CONFIDENCE' | 'BLOCKED';

interface BlockedReason {
  readonly code: BlockedCode;
  readonly explanation: string;
  readonly counter_offer: string | null;
}

/** What the production fetch said at the first example location. */
interface Shipped {
  readonly field_id: string;
  readonly value: unknown;
  readonly unit: string | null;
  readonly citation: {
    readonly source: string;
    readonly source_url: string | null;
    readonly dataset_vintage: string | null;
    readonly fetched_at: string;
  };
  readonly confidence: string;
}

/** What is known of the build of a request. Each step adds to it. */
export interface Build {
  /** Who holds the ticket. */
  readonly holder?: string;
  readonly dataset?: string;
  /** Catalog names, one for each sub-ask that is to be built, in their order. */
  readonly fields?: readonly string[];
  /** Where it was scaffolded. */
  readonly folder?: string;
  /** SHA-256 of the evaluation as it was frozen. */
  readonly frozen?: string;
  readonly outcome?: Outcome;
  readonly caveat?: string | null;
  readonly blocked?: BlockedReason;
  readonly shipped?: Shipped;
}

/** The build of a row; empty before one began. */
export const buildOf = (row: { readonly build: Readonly<Record<string, unknown>> | null }): Build =>
  (row.build ?? {}) as Build;
