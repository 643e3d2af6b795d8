import type { Tables } from '../tables.ts';

/** Tables with rows that belong to accounts. */
export type OfAccounts = { [T in keyof Tables]: Tables[T] extends { account_id: unknown } ? T : never }[keyof Tables];

/**
 * What happens to an account's rows when it is deleted. Personal data is deleted, in this order. Sums of credits and
 * the audit trail are kept, under an id that identifies nobody. Jobs are kept until a week after their end: another
 * account may wait for the same site.
 */
export const FATES: Readonly<Record<OfAccounts, 'goes' | 'kept'>> = {
  tokens: 'goes',
  identities: 'goes',
  ended_sessions: 'goes',
  geocodes: 'goes',
  idempotency: 'goes',
  kept_answers: 'goes',
  request_windows: 'goes',
  site_registrations: 'goes',
  match_maps: 'goes',
  siting_templates: 'goes',
  watches: 'goes',
  receipts: 'goes',
  receipt_bytes: 'goes',
  runs: 'goes',
  uploads: 'goes',
  exports: 'goes',
  stored_pieces: 'goes',
  field_requests: 'goes',
  corrections: 'goes',
  mail_consents: 'goes',
  connect_codes: 'goes',
  onboarding_attempts: 'goes',
  device_codes: 'goes',
  unsent_notices: 'goes',
  credit_usage: 'kept',
  charges: 'kept',
  usage_days: 'kept',
  audit: 'kept',
  jobs: 'kept',
};
