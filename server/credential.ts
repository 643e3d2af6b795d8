import type { Account } from './state/account.ts';

/** Proof of who is asking: an API token by its id, a browser session, a grant to a client of /mcp, or a guest's token. */
export type Credential =
  | { readonly kind: 'token'; readonly jti: string }
  | { readonly kind: 'session' }
  | { readonly kind: 'grant'; readonly clientId: string }
  | Guest;

/** Somebody without an account, who may look at a few things where the operator lets guests in. */
interface Guest {
  readonly kind: 'guest';
}

/** The caller, with the proof of who it is. */
export interface Caller {
  readonly account: Account;
  readonly credential: Credential;
}
