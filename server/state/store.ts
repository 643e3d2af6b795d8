import type { Account } from '../context.ts';
import type { Plan } from '../plans.ts';

/** An issued token as it is kept: its claims, never its text. Times are epoch seconds. */
export interface TokenRow {
  readonly jti: string;
  readonly accountId: string;
  readonly plan: Plan;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
}

/** What outlives a process. Asynchronous, so that a database over the network fits behind it too. */
export interface StateStore {
  /** The account of an e-mail address (compared in lower case), made with the plan when there is none. */
  openAccount(email: string, plan: Plan): Promise<Account>;
  /** The account of an e-mail address, or null. */
  account(email: string): Promise<Account | null>;
  setPlan(accountId: string, plan: Plan): Promise<void>;
  addToken(row: TokenRow): Promise<void>;
  /** A token with its account, revoked or not; null when it was never issued. */
  token(jti: string): Promise<{ readonly token: TokenRow; readonly account: Account } | null>;
  /** Tokens of an account, newest first. */
  tokens(accountId: string): Promise<TokenRow[]>;
  /** @param at epoch seconds. A second revocation changes nothing. */
  revokeToken(jti: string, at: number): Promise<void>;
  close(): Promise<void>;
}
