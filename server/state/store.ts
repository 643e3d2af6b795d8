import type { Plan } from '../plans.ts';
import type { Account } from './account.ts';
import type { DeviceCodes } from './agents/device-codes.ts';
import type { OnboardingRecords } from './agents/onboarding.ts';
import type { TermsRecords } from './agents/terms.ts';
import type { TokenRow } from './agents/token-rows.ts';
import type { AuditTrail } from './audit.ts';
import type { Changes } from './changes/changes.ts';
import type { FieldRequestRecords } from './field-requests/records.ts';
import type { GeocodeRecords } from './geocodes.ts';
import type { IdempotencyRecords } from './idempotency.ts';
import type { JobQueue } from './jobs/queue.ts';
import type { Ledger } from './ledger.ts';
import type { StateHealth } from './outage/watch.ts';
import type { RequestWindows } from './request-window.ts';
import type { RoutingRecords } from './routing/records.ts';
import type { RunRecords } from './runs/records.ts';
import type { AccountRecords } from './sign-in/account-records.ts';
import type { Attempts } from './sign-in/attempts.ts';
import type { IdentityRecords } from './sign-in/identities.ts';
import type { MailCodes } from './sign-in/mail-codes.ts';
import type { ProviderRecords } from './sign-in/provider-records.ts';
import type { SigningKeys } from './sign-in/signing-keys.ts';
import type { Users } from './sign-in/users.ts';
import type { SiteRecords } from './sites.ts';

export type { TokenRow } from './agents/token-rows.ts';

/** Accounts and their tokens. What changes them is written down in the audit trail; `by` says who did it, by default the server. */
export interface Accounts {
  /** The account of an e-mail address (compared in lower case), made with the plan when there is none. */
  openAccount(email: string, plan: Plan, by?: string): Promise<Account>;
  /** The account of an e-mail address, or null. */
  account(email: string): Promise<Account | null>;
  setPlan(accountId: string, plan: Plan, by?: string): Promise<void>;
  /** @param credits a month the account allows itself, 0 for none at all; null takes the limit off. */
  setMonthlyCreditLimit(accountId: string, credits: number | null, by?: string): Promise<void>;
  addToken(row: TokenRow, by?: string): Promise<void>;
  /** A token with its account, revoked or not; null when it was never issued. */
  token(
    jti: string,
  ): Promise<{ readonly token: TokenRow; readonly account: Account; readonly disabled: boolean } | null>;
  /** Tokens of an account, newest first. */
  tokens(accountId: string): Promise<TokenRow[]>;
  /** Notes when tokens were last used: epoch seconds by id. An earlier time changes nothing. */
  noteTokenUses(uses: ReadonlyMap<string, number>): Promise<void>;
  /** @param at epoch seconds. A second revocation changes nothing. @returns whether it was this one that revoked it. */
  revokeToken(jti: string, at: number, by?: string): Promise<boolean>;
  /** Accounts by id, for showing; those that are none are missing. */
  accountsOf(ids: readonly string[]): Promise<Account[]>;
}

/** What outlives a process. Asynchronous, so that a database over the network fits behind it too. */
export interface StateStore extends Accounts {
  readonly audit: AuditTrail;
  readonly identities: IdentityRecords;
  readonly attempts: Attempts;
  readonly signingKeys: SigningKeys;
  readonly users: Users;
  readonly accountRecords: AccountRecords;
  readonly providerRecords: ProviderRecords;
  readonly mailCodes: MailCodes;
  readonly ledger: Ledger;
  readonly idempotency: IdempotencyRecords;
  readonly geocodes: GeocodeRecords;
  readonly routing: RoutingRecords;
  readonly requests: RequestWindows;
  readonly sites: SiteRecords;
  readonly fieldRequests: FieldRequestRecords;
  readonly onboarding: OnboardingRecords;
  readonly terms: TermsRecords;
  readonly deviceCodes: DeviceCodes;
  readonly runs: RunRecords;
  readonly jobs: JobQueue;
  readonly changes: Changes;
  readonly health: StateHealth;
  /** Gives a portion of freed space back to the disk. @returns whether there is more. */
  giveBack(): Promise<boolean>;
  /** One small write that means nothing. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
