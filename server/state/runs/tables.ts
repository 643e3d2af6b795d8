/** Tables of runs. Instants are epoch milliseconds. */
export interface RunTables {
  runs: {
    id: string;
    account_id: string;
    kind: string;
    status: 'queued' | 'running' | 'done' | 'failed';
    /** Packed JSON text of the batch request. */
    request: Uint8Array;
    /** JSON text: entries of the locations that were refused at submission. */
    refusals: string;
    /** JSON text of the reservation; null when there is nothing to pay for. */
    reservation: string | null;
    done: number;
    total: number;
    /** Packed JSON text once it is done. */
    result: Uint8Array | null;
    /** What the result came from. */
    release: string | null;
    /** JSON text once it has failed. */
    error: string | null;
    created_at: number;
    updated_at: number;
    expires_at: number;
  };
}
