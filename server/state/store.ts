import type { Plan } from '../plans.ts';
import type { Account } from './account.ts';
import type { AgentGrantRecords } from './agents/agent-grants.ts';
import type { Budgets } from './agents/budgets.ts';
import type { DeviceCodes } from './agents/device-codes.ts';
import type { OnboardingRecords } from './agents/onboarding.ts';
import type { TermsRecords } from './agents/terms.ts';
import type { TokenRow } from './agents/token-rows.ts';
import type { UnsentNoticeRecords } from './agents/unsent-notices.ts';
import type { AuditTrail } from './audit.ts';
import type { Changes } from './changes/changes.ts';
import type { CorrectionRecords } from './corrections/records.ts';
import type { StoredPieces } from './exports/pieces.ts';
import type { ExportRecords } from './exports/records.ts';
import type { UploadRecords } from './exports/uploads.ts';
import type { FieldRequestRecords } from './field-requests/records.ts';
import type { GeocodeRecords } from './geocodes.ts';
import type { IdempotencyRecords } from './idempotency.ts';
import type { JobQueue } from './jobs/queue.ts';
import type { Ledger } from './ledger.ts';
import type { MatchMapRecords } from './maps/match-maps.ts';
import type { StateHealth } from './outage/watch.ts';
import type { ReceiptKeyRecords } from './receipts/keys.ts';
import type { ReceiptRecords } from './receipts/records.ts';
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
import type { SitingTemplateRecords } from './siting/templates.ts';
import type { WatchRecords } from './watches/records.ts';

export type { TokenRow } from './agents/token-rows.ts';

/** Accounts and tokens. Changes go into the audit trail; `by` is the actor, by default the server. */
export interface Accounts {
  /** The account of an e-mail address (in lower case), created with the plan when there is none. */
  openAccount(email: string, plan: Plan, by?: string): Promise<Account>;
  /** The account of an e-mail address, or null. */
  account(email: string): Promise<Account | null>;
  setPlan(accountId: string, plan: Plan, by?: string): Promise<void>;
  /** Sets the account's own limit. @param credits a month, 0 for none at all; null removes the limit. */
  setMonthlyCreditLimit(accountId: string, credits: number | null, by?: string): Promise<void>;
  addToken(row: TokenRow, by?: string): Promise<void>;
  /** A token with its account, revoked or not; null when it was never issued. */
  token(
    jti: string,
  ): Promise<{ readonly token: TokenRow; readonly account: Account; readonly disabled: boolean } | null>;
  /** Tokens of an account, newest first. */
  tokens(accountId: string): Promise<TokenRow[]>;
  /** Stores when tokens were last used, in epoch seconds by id. An earlier time changes nothing. */
  noteTokenUses(uses: ReadonlyMap<string, number>): Promise<void>;
  /** Revokes a token. @param at epoch seconds. @returns false when it was already revoked, which changes nothing. */
  revokeToken(jti: string, at: number, by?: string): Promise<boolean>;
  /** Accounts by id, for display. Unknown ids are left out. */
  accountsOf(ids: readonly string[]): Promise<Account[]>;
}

/** The state that outlives a process. All methods are asynchronous, because the database may be on the network. */
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
  readonly budgets: Budgets;
  readonly idempotency: IdempotencyRecords;
  readonly geocodes: GeocodeRecords;
  readonly routing: RoutingRecords;
  readonly requests: RequestWindows;
  readonly matchMaps: MatchMapRecords;
  readonly sitingTemplates: SitingTemplateRecords;
  readonly receipts: ReceiptRecords;
  readonly receiptKeys: ReceiptKeyRecords;
  readonly sites: SiteRecords;
  readonly watches: WatchRecords;
  readonly fieldRequests: FieldRequestRecords;
  readonly corrections: CorrectionRecords;
  readonly onboarding: OnboardingRecords;
  readonly terms: TermsRecords;
  readonly deviceCodes: DeviceCodes;
  readonly agentGrants: AgentGrantRecords;
  readonly unsentNotices: UnsentNoticeRecords;
  readonly runs: RunRecords;
  readonly uploads: UploadRecords;
  readonly exports: ExportRecords;
  readonly pieces: StoredPieces;
  readonly jobs: JobQueue;
  readonly changes: Changes;
  readonly health: StateHealth;
  /** Returns a portion of free space to the disk. @returns whether there is more. */
  giveBack(): Promise<boolean>;
  /** Makes one small write without meaning. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
