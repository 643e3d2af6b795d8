import type { Clock } from '../../clock.ts';
import { clientOf } from '../../http/client.ts';
import { addresseeOf } from '../../state/field-requests/mail-consents.ts';
import type { Attempts } from '../../state/sign-in/attempts.ts';

const DAY_MS = 86_400_000;

/** Messages a day (UTC), over all servers: what one account can make Plat send, and what one receiver can get. */
const QUOTAS = {
  /** Mails that ask one address to confirm, for one account. */
  question: 1,
  'questions to a mailbox': 3,
  'questions of an account': 10,
  'mails to a mailbox': 50,
  'mails of an account': 100,
  'calls of an account': 500,
  'calls of an account to a host': 200,
  'calls to a host': 10_000,
} as const;
export type Quota = keyof typeof QUOTAS;

/** A quota, and whose it is. */
type Use = readonly [quota: Quota, ...whose: readonly string[]];

/**
 * Uses quotas together: all of them or, when one is used up, none.
 * @returns the quota that is used up; null when there was room in all.
 */
async function use(attempts: Attempts, clock: Clock, uses: readonly Use[]): Promise<Quota | null> {
  const now = clock.now();
  const keyed = uses.map(([quota, ...whose]) => ({ quota, key: `${quota}:${whose.join(' ')}` }));
  for (const { quota, key } of keyed) if ((await attempts.counted(key, now, DAY_MS)) >= QUOTAS[quota]) return quota;
  // Counted one by one: where two servers take the last place at once, one of them finds it gone here.
  for (const { quota, key } of keyed) if ((await attempts.count(key, now, DAY_MS)) > QUOTAS[quota]) return quota;
  return null;
}

/** The services that count. */
interface Counting {
  readonly state: { readonly attempts: Attempts };
  readonly clock: Clock;
}

/** Counts a mail that asks an address to confirm. @returns the quota that is used up; the mail is not sent then. */
export function useQuestion({ state, clock }: Counting, accountId: string, email: string): Promise<Quota | null> {
  const { address, mailbox } = addresseeOf(email);
  return use(state.attempts, clock, [
    ['question', accountId, address],
    ['questions to a mailbox', mailbox],
    ['questions of an account', accountId],
  ]);
}

/** Counts a mail to an address that is confirmed. @returns the quota that is used up; the mail is not sent then. */
export const useMail = ({ state, clock }: Counting, accountId: string, email: string): Promise<Quota | null> =>
  use(state.attempts, clock, [
    ['mails to a mailbox', addresseeOf(email).mailbox],
    ['mails of an account', accountId],
  ]);

/**
 * Counts a call of a webhook. A host has many names, so its addresses count beside its name.
 * @returns the quota that is used up; the webhook is not called then.
 */
export function useCall(
  { state, clock }: Counting,
  accountId: string,
  url: string,
  addresses: readonly string[],
): Promise<Quota | null> {
  const name = new URL(url).hostname.replace(/\.$/, '');
  const hosts = [...new Set([name, ...addresses.map(clientOf)])];
  return use(state.attempts, clock, [
    ['calls of an account', accountId],
    ...hosts.map(host => ['calls of an account to a host', accountId, host] as const),
    ...hosts.map(host => ['calls to a host', host] as const),
  ]);
}
