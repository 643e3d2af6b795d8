/** Tables of maps. Instants are epoch milliseconds. */
export interface MapTables {
  /** Maps of all parcels that pass filters. */
  match_maps: {
    /** Digest of its address. */
    id: string;
    /** Null of one that a command made. */
    account_id: string | null;
    release: string;
    /** Packed JSON text. */
    filters: Uint8Array;
    created_at: number;
    expires_at: number;
  };
}
