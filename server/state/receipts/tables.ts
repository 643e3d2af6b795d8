/** Tables of receipts. Instants are epoch milliseconds. */
export interface ReceiptTables {
  receipts: {
    id: string;
    account_id: string;
    /** Packed JSON text. */
    document: Uint8Array;
    /** Of the document. */
    bytes: number;
    created_at: number;
    expires_at: number;
  };
  /** Sums of `bytes` by account. */
  receipt_bytes: { account_id: string; bytes: number };
  /** Keys that sign receipts. Their public halves stay, for receipts are checked for as long as somebody has them. */
  receipt_keys: {
    id: string;
    /** `x` of the JWK. */
    public_key: string;
    /** JWK with its private half, encrypted; null once it signs no more. */
    sealed: string | null;
    signs_from: number;
    /** Null while it signs. */
    signed_until: number | null;
  };
}
