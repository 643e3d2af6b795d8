import type { Account } from './state/account.ts';

/** How somebody showed who is asking: an API token by its id, a browser session, or what they granted to a client of /mcp. */
export type Credential =
  | { readonly kind: 'token'; readonly jti: string }
  | { readonly kind: 'session' }
  | { readonly kind: 'grant'; readonly clientId: string };

/** Who is asking, and how that was shown. */
export interface Caller {
  readonly account: Account;
  readonly credential: Credential;
}
