import type { Clock } from '../../clock.ts';
import { clientOf } from '../../http/client.ts';
import { type LimitName, type Tries, throttled } from '../../rate/throttle.ts';
import { addresseeOf } from '../../state/field-requests/mail-consents.ts';
import type { Attempts } from '../../state/sign-in/attempts.ts';

/** The services that count. */
interface Counting {
  readonly state: { readonly attempts: Attempts };
  readonly clock: Clock;
}

/** Uses limits together: all of them or, when one is used up, none. @returns the one that is used up, or null. */
async function use({ state, clock }: Counting, tries: Tries): Promise<LimitName | null> {
  return (await throttled(state.attempts, clock, tries))?.limit ?? null;
}

/** Counts a mail that asks an address to confirm. @returns the limit that is used up; the mail is not sent then. */
export function useQuestion(services: Counting, accountId: string, email: string): Promise<LimitName | null> {
  const { address, mailbox } = addresseeOf(email);
  return use(services, {
    question: `${accountId} ${address}`,
    'questions to a mailbox': mailbox,
    'questions of an account': accountId,
  });
}

/** Counts a mail to an address that is confirmed. @returns the limit that is used up; the mail is not sent then. */
export const useMail = (services: Counting, accountId: string, email: string): Promise<LimitName | null> =>
  use(services, { 'mails to a mailbox': addresseeOf(email).mailbox, 'mails of an account': accountId });

/**
 * Counts a call of a webhook. A host has many names, so its addresses count beside its name.
 * @returns the limit that is used up; the webhook is not called then.
 */
export function useCall(
  services: Counting,
  accountId: string,
  url: string,
  addresses: readonly string[],
): Promise<LimitName | null> {
  const name = new URL(url).hostname.replace(/\.$/, '');
  const hosts = [...new Set([name, ...addresses.map(clientOf)])];
  return use(services, {
    'calls of an account': accountId,
    'calls of an account to a host': hosts.map(host => `${accountId} ${host}`),
    'calls to a host': hosts,
  });
}
