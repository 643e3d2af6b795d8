import type { Terms } from './scopes.ts';
import type { Account } from './state/account.ts';

/** Proof of who is asking: an API token by its id, a browser session, a grant to a client of /mcp, or a guest's token. */
export type Credential =
  | (Limited & { readonly kind: 'token'; readonly jti: string })
  | { readonly kind: 'session' }
  | (Limited & { readonly kind: 'grant'; readonly clientId: string })
  | Guest;

/** The limits of a token or a grant, and the id by which its owner sees it. */
export interface Limited extends Terms {
  readonly grantId: string;
}

/** Somebody without an account, who may look at a few things where the operator lets guests in. */
interface Guest {
  readonly kind: 'guest';
}

/** The caller, with the proof of who it is. */
export interface Caller {
  readonly account: Account;
  readonly credential: Credential;
}
