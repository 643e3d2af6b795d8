import type { Status } from './states.ts';

/** Tables of corrections. Instants are epoch milliseconds. */
export interface CorrectionTables {
  corrections: {
    id: string;
    account_id: string;
    status: Status;
    field: string;
    /** JSON text. */
    value: string;
    /** JSON text: where it is. */
    place: string;
    /** JSON text: what its filer says of it. */
    evidence: string;
    /** JSON text: what was answered when it was filed. */
    said: string;
    /** JSON text; null for mail to the account itself. */
    callback: string | null;
    /** Why it was decided as it was, in words for its filer. */
    reason: string | null;
    created_at: number;
    updated_at: number;
  };
  /** Every step of a correction, and whenever its filer was told. */
  correction_events: {
    correction_id: string;
    seq: number;
    at: number;
    actor: string;
    from_status: Status | null;
    to_status: Status;
    reason: string;
  };
  /** Content that answers tell. It holds nothing of the filer, and stays when the account is deleted. */
  accepted_corrections: {
    correction_id: string;
    /** The first of the names of the value. */
    field: string;
    /** The parcel, or the place to four decimals: of one field only one counts there. */
    place_key: string;
    /** JSON text of an AcceptedCorrection. */
    entry: string;
    accepted_at: number;
    /** The release whose sources were last held against it; null before. */
    checked_release: string | null;
  };
}
