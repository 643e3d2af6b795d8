/** How a token was obtained: by its owner's own request, or by a program that the owner logged in. */
export type TokenKind = 'token' | 'device';
/** What may act for an account once it was added: an agent of /mcp, a device or a token. */
export type AdditionKind = TokenKind | 'mcp';

/** Tables for the ways in which agents get a token. Instants are epoch milliseconds. */
export interface AgentTables {
  /** Additions to accounts of which nobody got a mail, by days since the epoch (UTC). */
  unsent_notices: { account_id: string; day: number; kind: AdditionKind; notices: number };
  /** Accounts that are being set up for an agent. */
  onboarding_attempts: {
    id: string;
    account_id: string;
    terms_version: string;
    terms_sha256: string;
    created_at: number;
    code_expires_at: number;
    connected_at: number | null;
    /** Id of the token that the code was exchanged for. */
    token_jti: string | null;
    installed_at: number | null;
    verified_at: number | null;
    /** JSON text of a list. */
    clients: string;
    /** 0 or 1. */
    skill_installed: number;
    first_call_at: number | null;
    /** JSON text: names of fields and addresses of sources, never values. */
    first_call: string | null;
    /** When the row is deleted. */
    expires_at: number;
  };
  /** Digests of connect codes. */
  connect_codes: {
    hash: string;
    attempt_id: string;
    account_id: string;
    expires_at: number;
    used_at: number | null;
    /** When the row is deleted, so that the code becomes unknown. */
    forget_at: number;
  };
  /** Logins of the device flow. Codes are stored as digests. */
  device_codes: {
    hash: string;
    user_code_hash: string;
    /** JSON text of the client that asks. */
    client: string;
    status: 'pending' | 'approved' | 'denied' | 'used';
    /** The account that approved or denied it. */
    account_id: string | null;
    interval_ms: number;
    next_poll_at: number;
    created_at: number;
    expires_at: number;
  };
  /** Terms of the operator. Rows never change. */
  terms: { version: string; text: string; filed_at: number };
}
