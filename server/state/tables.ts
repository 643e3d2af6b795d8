import type { Generated } from 'kysely';
import type { Plan } from '../plans.ts';
import type { AgentTables, TokenKind } from './agents/tables.ts';
import type { CorrectionTables } from './corrections/tables.ts';
import type { ExportTables } from './exports/tables.ts';
import type { FieldRequestTables } from './field-requests/tables.ts';
import type { JobTables } from './jobs/tables.ts';
import type { MapTables } from './maps/tables.ts';
import type { ReceiptTables } from './receipts/tables.ts';
import type { RunTables } from './runs/tables.ts';
import type { SitingTables } from './siting/tables.ts';
import type { WatchTables } from './watches/tables.ts';

/** The tables after all migrations. `_at` columns of tokens and accounts are epoch seconds, all others milliseconds. */
export interface Tables
  extends AgentTables,
    CorrectionTables,
    ExportTables,
    FieldRequestTables,
    JobTables,
    MapTables,
    ReceiptTables,
    RunTables,
    SitingTables,
    WatchTables {
  accounts: {
    id: string;
    email: string;
    plan: Plan;
    created_at: number;
    /** The account's own limit in credits a month; null when only the plan's allowance applies. */
    monthly_credit_limit: number | null;
    disabled_at: Generated<number | null>;
    /** Epoch milliseconds. Sessions that began earlier have ended. */
    sessions_ended_at: Generated<number | null>;
    /** Null for whoever is no operator. */
    operator_since: Generated<number | null>;
    /** Set once. Only sums are left of the account then. */
    deleted_at: Generated<number | null>;
  };
  /** The identity of an account at its owner's identity provider. */
  identities: { issuer: string; subject: string; account_id: string; email: string; created_at: number };
  /** Digests of sessions that were ended before their time. */
  ended_sessions: { hash: string; account_id: string; expires_at: number };
  /** Attempts at actions that are limited by something other than an account's requests a minute. */
  attempts: { key: string; period: number; attempts: number; ends_at: number };
  /** Keys that sign ID tokens, as encrypted JWKs. */
  signing_keys: { id: string; sealed: string; signs_from: number; expires_at: number };
  /** Users of the embedded provider. Times are epoch milliseconds. */
  users: {
    id: string;
    email: string;
    /** Hash of the password; null until one is set. */
    password: string | null;
    verified_at: number | null;
    created_at: number;
  };
  /** Running sign-ins, sessions, grants and codes of the embedded provider. */
  provider_records: {
    kind: string;
    id: string;
    sealed: string;
    uid: string | null;
    user_code: string | null;
    grant_id: string | null;
    user_id: string | null;
    consumed_at: number | null;
    expires_at: number | null;
    /** When a token of a grant was last used. */
    last_used_at: Generated<number | null>;
  };
  /** Digests of codes sent by mail. */
  mail_codes: { hash: string; email: string; expires_at: number };
  /** Sums of settled charges by the day they were opened (whole days since the epoch, UTC). */
  usage_days: {
    account_id: string;
    period: string;
    endpoint: string;
    day: number;
    /** Of the token or the agent that asked; '' for browser sessions. */
    grant_id: string;
    requests: number;
    credits: number;
  };
  tokens: {
    jti: string;
    account_id: string;
    plan: Plan;
    issued_at: number;
    expires_at: number;
    revoked_at: number | null;
    name: Generated<string | null>;
    /** Fingerprint of the secret that signed it; null for tokens older than this column. */
    key_id: Generated<string | null>;
    last_used_at: Generated<number | null>;
    /** How it was obtained. */
    kind: Generated<TokenKind>;
    /** Names with spaces between them; null for all. */
    scopes: Generated<string | null>;
    credits_a_day: Generated<number | null>;
  };
  /** What tokens and agents with a budget spent and reserved, by days since the epoch (UTC). */
  grant_spending: { grant_id: string; day: number; credits: number };
  /** Sums of `charges` by account and month, in one row, so that a request can be checked quickly. */
  credit_usage: {
    account_id: string;
    /** `YYYY-MM`, UTC. */
    period: string;
    spent: number;
    held: number;
  };
  charges: {
    id: string;
    account_id: string;
    period: string;
    endpoint: string;
    /** As in `usage_days`. */
    grant_id: string;
    state: 'open' | 'settled' | 'released';
    reserved: number;
    spent: number;
    opened_at: number;
    /** An open charge that is past this time belongs to a process that is gone. */
    expires_at: number;
    settled_at: number | null;
  };
  idempotency: {
    account_id: string;
    endpoint: string;
    key: string;
    id: string;
    body_hash: string;
    /** The process that executes the request; it changes at a takeover. */
    executor: string;
    lease_until: number;
    expires_at: number;
    /** Packed JSON text once it is done. */
    answer: Uint8Array | null;
    /** 0 until the request is done. */
    answer_bytes: number;
  };
  audit: {
    id: string;
    at: number;
    actor: string;
    action: string;
    /** Not a foreign key: the trail outlives the account. */
    account_id: string | null;
    subject: string | null;
    /** JSON text. */
    detail: string;
  };
  /** Sums of `answer_bytes` by account. */
  kept_answers: { account_id: string; bytes: number };
  geocodes: {
    account_id: string;
    /** Digest of the address. */
    address_hash: string;
    version: string;
    /** JSON text. */
    answer: string;
    expires_at: number;
  };
  sites: {
    /** Digest of the canonical geometry. */
    id: string;
    /** Packed JSON text. */
    geometry: Uint8Array;
    acres: number;
    /** JSON text of the four numbers. */
    extent: string;
    status: 'building' | 'ready' | 'failed';
    /** Release to screen it in; the dossier of a ready site is of this release. */
    wanted: string;
    release: string | null;
    /** Packed JSON text. */
    dossier: Uint8Array | null;
    built_at: number | null;
    error: string | null;
    registered_at: number;
    expires_at: number;
  };
  /** The accounts that may read a site. */
  site_registrations: { account_id: string; site_id: string; expires_at: number };
  geocode_lookups: {
    /** `YYYY-MM`, UTC. */
    period: string;
    lookups: number;
  };
  routing_calculations: {
    /** `YYYY-MM`, UTC. */
    period: string;
    calculations: number;
  };
  /** One row that is written to find out whether writes are kept. */
  probe: { id: number; at: number; filler: string };
  request_windows: { account_id: string; minute: number; requests: number };
}
