import type { Account } from './state/account.ts';

/** Proof of who is asking: an API token by its id, a browser session, or a grant to a client of /mcp. */
export type Credential =
  | { readonly kind: 'token'; readonly jti: string }
  | { readonly kind: 'session' }
  | { readonly kind: 'grant'; readonly clientId: string };

/** The caller, with the proof of who it is. */
export interface Caller {
  readonly account: Account;
  readonly credential: Credential;
}
