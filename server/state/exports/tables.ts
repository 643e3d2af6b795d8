/** Tables of uploads and exports. Instants are epoch milliseconds. */
export interface ExportTables {
  uploads: {
    id: string;
    account_id: string;
    /** The way in which its rows name places. */
    kind: 'point' | 'address' | 'polygon';
    rows: number;
    /** JSON text: the names of its columns. */
    columns: string;
    created_at: number;
    expires_at: number;
  };
  exports: {
    id: string;
    account_id: string;
    status: 'queued' | 'running' | 'done' | 'failed';
    /** Packed JSON text of the body as it was sent. */
    request: Uint8Array;
    /** Packed JSON text of what its job does. */
    work: Uint8Array;
    /** JSON text of the reservation; null when there is nothing to pay for. */
    reservation: string | null;
    done: number;
    total: number;
    /** Parts that are stored. */
    parts: number;
    /** JSON text: where the next part begins; null before the first. */
    place: string | null;
    /** JSON text: how its rows and values stand so far. */
    counts: string;
    /** JSON text: what could not be told, a sentence each. */
    warnings: string;
    /** Credits of the rows so far. */
    cost: number;
    /** JSON text once it is done. */
    files: string | null;
    release: string | null;
    /** JSON text once it has failed. */
    error: string | null;
    /** Day since the epoch (UTC) in whose rows it counts. */
    day: number;
    created_at: number;
    updated_at: number;
    expires_at: number;
  };
  /** Bytes of uploads and exports in pieces, so that every server on the store has them. */
  stored_pieces: {
    account_id: string;
    /** The upload or export. */
    owner_id: string;
    name: string;
    /** From 0. */
    number: number;
    bytes: Uint8Array;
  };
}
