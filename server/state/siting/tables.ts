/** Tables of siting. Instants are epoch milliseconds. */
export interface SitingTables {
  /** Templates of siting that accounts made. */
  siting_templates: {
    account_id: string;
    name: string;
    /** Packed JSON text. */
    body: Uint8Array;
    changed_at: number;
  };
}
