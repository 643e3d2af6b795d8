import { createSeal } from '../auth/seal.ts';
import { type Addressee, addresseeOf } from '../state/field-requests/mail-consents.ts';

/** The path of the page that confirms an address, and of the page that ends mail to one. */
export const CONFIRM_PATH = '/mail/confirm';
export const STOP_PATH = '/mail/stop';

const DAY_MS = 86_400_000;
const CONFIRM_MS = 7 * DAY_MS;
/** Old mail must be possible to end, too. */
const STOP_MS = 400 * DAY_MS;
const MOST_CODE = 512;

/** Links in mails, which only their receivers can know: codes are encrypted and signed with a secret of the servers. */
export interface MailLinks {
  /** The link with which the owner of an address lets an account's mail in. Good for a week. */
  confirm(accountId: string, email: string, now: number): string;
  /** The link with which the owner of an address ends mail to it. Good for 400 days. */
  stop(email: string, now: number): string;
  /** What a code of `confirm` says; null for others and when it has expired. */
  confirmation(code: string, now: number): { readonly accountId: string; readonly address: string } | null;
  /** The mailbox of a code of `stop`; null for others and when it has expired. */
  mailbox(code: string, now: number): Addressee['mailbox'] | null;
}

/** Makes links. @param publicUrl under which clients reach the server, without a slash at its end. */
export function createMailLinks(secret: string, publicUrl: string): MailLinks {
  const confirmations = createSeal(secret, 'confirmations of mail addresses');
  const stops = createSeal(secret, 'ends of mail');
  const url = (path: string, code: string) => `${publicUrl}${path}?code=${code}`;
  const read = (seal: typeof stops, code: string, now: number): string[] | null => {
    const text = code.length <= MOST_CODE ? seal.open(code) : null;
    if (text === null) return null;
    const [expiresAt, ...parts] = text.split(' ');
    return Number(expiresAt) > now ? parts : null;
  };
  return {
    confirm: (accountId, email, now) =>
      url(CONFIRM_PATH, confirmations.close(`${now + CONFIRM_MS} ${accountId} ${addresseeOf(email).address}`)),
    stop: (email, now) => url(STOP_PATH, stops.close(`${now + STOP_MS} ${addresseeOf(email).mailbox}`)),
    confirmation(code, now) {
      const parts = read(confirmations, code, now);
      return parts && { accountId: parts[0]!, address: parts[1]! };
    },
    mailbox: (code, now) => read(stops, code, now)?.[0] ?? null,
  };
}
