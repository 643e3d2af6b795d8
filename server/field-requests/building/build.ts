import type { BlockedCode } from '../../state/field-requests/events.ts';

/** How a build can end (docs/field-requests.md). */
type Outcome = 'DONE' | 'SHIP_LOW_CONFIDENCE' | 'BLOCKED';

interface BlockedReason {
  readonly code: BlockedCode;
  readonly explanation: string;
  readonly counter_offer: string | null;
}

/** The answer of the production fetch at the first example location. */
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

/** The state of a request's build. Each step adds to it. */
export interface Build {
  /** The person who holds the ticket. */
  readonly holder?: string;
  readonly dataset?: string;
  /** Catalog names in order, one for each value that is to be built. */
  readonly fields?: readonly string[];
  /** Folder of its scaffold. */
  readonly folder?: string;
  /** SHA-256 of the frozen evaluation. */
  readonly frozen?: string;
  readonly outcome?: Outcome;
  readonly caveat?: string | null;
  readonly blocked?: BlockedReason;
  /** Whether its requester ended it. */
  readonly withdrawn?: boolean;
  readonly shipped?: Shipped;
}

/** The build of a row; empty before a build began. */
export const buildOf = (row: { readonly build: Readonly<Record<string, unknown>> | null }): Build =>
  (row.build ?? {}) as Build;
