import type { Account } from '../account/account.ts';

/** How somebody showed who is asking: an API token by its id, or a browser session. */
export type Credential = { readonly kind: 'token'; readonly jti: string } | { readonly kind: 'session' };

/** Who is asking, and how that was shown. */
export interface Caller {
  readonly account: Account;
  readonly credential: Credential;
}
