import { domainToASCII } from 'node:url';
import type { Kysely, Transaction } from 'kysely';
import type { Effect, JobQueue, NewJob } from '../jobs/queue.ts';
import { digestOf } from '../sign-in/digest.ts';
import type { Tables } from '../tables.ts';
import { transact } from '../transaction.ts';
import type { News } from './deliveries.ts';
import type { DeliveryId } from './events.ts';
import type { Callback } from './row.ts';

/** Messages that are sent once their address is confirmed, the newest; older ones stay unsent. */
const MOST_RELEASED = 100;

/** An e-mail address as digests, which is all that consents and limits keep of it. */
export interface Addressee {
  /** Of the address, whatever its case. */
  readonly address: string;
  /** Of the mailbox that the address most likely leads to: without a tag (`me+tag@`), the domain in one spelling. */
  readonly mailbox: string;
}

/** The digests of an address. Consent is given for an address; what forbids is true of a whole mailbox. */
export function addresseeOf(email: string): Addressee {
  const address = email.toLowerCase();
  // Full-width and composed letters are those of the same mailbox.
  const spelling = address.normalize('NFKC').toLowerCase();
  const end = spelling.lastIndexOf('@');
  const domain = spelling.slice(end + 1).replace(/\.$/, '');
  const mailbox = `${spelling.slice(0, end).replace(/\+.*$/s, '')}@${domainToASCII(domain) || domain}`;
  return { address: digestOf(address), mailbox: digestOf(mailbox) };
}

/** Whether mail about the requests of an account may go to an address. */
export type MailStanding =
  /** It is the account's own, verified address, or its owner has confirmed it for the account. */
  | 'open'
  | 'unconfirmed'
  /** The owner of its mailbox wants no mail about field requests. */
  | 'stopped';

/** What the owners of addresses want to be told by mail. */
export interface MailConsents {
  mailStanding(accountId: string, email: string): Promise<MailStanding>;
  /** The e-mail address of an account; null when it is gone. */
  mailRequester(accountId: string): Promise<string | null>;
  /**
   * Notes that the owner of an address wants the mail of an account, and sends what is held for it.
   * @param address digest of the address. @param delivery makes the job that sends a message.
   */
  confirmMail(accountId: string, address: string, now: number, delivery: News['job']): Promise<void>;
  /** Effect: holds a message until its address is confirmed, unless it was confirmed meanwhile. */
  mailHeld(id: DeliveryId, to: { readonly accountId: string; readonly address: string }, job: NewJob): Effect;
  /** Whether the owner of a mailbox wants no mail about field requests. */
  isMailStopped(mailbox: string): Promise<boolean>;
  /** Ends mail about field requests to a mailbox, whoever filed them. */
  stopMail(mailbox: string, now: number): Promise<void>;
  /** Undoes `stopMail`. */
  resumeMail(mailbox: string): Promise<void>;
}

/** Whether the owner of an address lets an account's mail in. @param address digest of the address. */
export async function isConfirmed(on: Kysely<Tables>, accountId: string, address: string): Promise<boolean> {
  const consent = await on
    .selectFrom('mail_consents')
    .select('address')
    .where('account_id', '=', accountId)
    .where('address', '=', address)
    .executeTakeFirst();
  return consent !== undefined;
}

async function requesterIn(on: Kysely<Tables>, accountId: string): Promise<string | null> {
  const account = await on
    .selectFrom('accounts')
    .select('email')
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return account?.email ?? null;
}

/** The change of one message. */
const rowOf = (tx: Transaction<Tables>, { request_id, event_type, channel }: DeliveryId) =>
  tx
    .updateTable('field_request_deliveries')
    .where('request_id', '=', request_id)
    .where('event_type', '=', event_type)
    .where('channel', '=', channel);

/** Lets a message wait to be sent, unless it has ended. One that was held has its three days of attempts from now. */
async function release(
  tx: Transaction<Tables>,
  jobs: JobQueue,
  id: DeliveryId,
  accountId: string,
  now: number,
  delivery: News['job'],
): Promise<void> {
  const unsent = await rowOf(tx, id)
    .set(eb => ({
      status: 'waiting',
      begun_at: eb.case().when('status', '=', 'held').then(now).else(eb.ref('begun_at')).end(),
    }))
    .where('status', 'in', ['waiting', 'held'])
    .returning('request_id')
    .executeTakeFirst();
  if (unsent) await jobs.enqueueIn(tx, delivery(id, accountId));
}

/** Tries the held messages of a request again, because it names another address now. */
export async function releaseHeldIn(
  tx: Transaction<Tables>,
  jobs: JobQueue,
  { id: requestId, accountId }: { readonly id: string; readonly accountId: string },
  now: number,
  delivery: News['job'],
): Promise<void> {
  const unsent = await tx
    .selectFrom('field_request_deliveries')
    .select(['request_id', 'event_type', 'channel'])
    .where('request_id', '=', requestId)
    .where('status', '=', 'held')
    .execute();
  for (const id of unsent) await release(tx, jobs, id, accountId, now, delivery);
}

/** Consents over any Kysely database. */
export function mailConsentsIn(db: Kysely<Tables>, jobs: JobQueue): MailConsents {
  async function releaseIn(
    tx: Transaction<Tables>,
    accountId: string,
    address: string,
    now: number,
    delivery: News['job'],
  ): Promise<void> {
    const unsent = await tx
      .selectFrom('field_request_deliveries')
      .innerJoin('field_requests', 'field_requests.id', 'request_id')
      .select(['request_id', 'event_type', 'channel', 'callback'])
      .where('account_id', '=', accountId)
      .where('channel', '=', 'email')
      // Those that wait may be held by another transaction, which the change below waits for.
      .where('field_request_deliveries.status', 'in', ['waiting', 'held'])
      .orderBy('field_request_deliveries.created_at', 'desc')
      .execute();
    const released = unsent.filter(({ callback }) => {
      const { email } = (callback === null ? {} : JSON.parse(callback)) as Callback;
      return email !== undefined && addresseeOf(email).address === address;
    });
    for (const { request_id, event_type, channel } of released.slice(0, MOST_RELEASED))
      await release(tx, jobs, { request_id, event_type, channel }, accountId, now, delivery);
  }

  const isMailStopped = async (mailbox: string) => {
    const stop = await db.selectFrom('mail_stops').select('mailbox').where('mailbox', '=', mailbox).executeTakeFirst();
    return stop !== undefined;
  };

  return {
    async mailStanding(accountId, email) {
      const { address, mailbox } = addresseeOf(email);
      if (await isMailStopped(mailbox)) return 'stopped';
      const own = await db
        .selectFrom('identities')
        .select('email')
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      if (own?.email.toLowerCase() === email.toLowerCase()) return 'open';
      return (await isConfirmed(db, accountId, address)) ? 'open' : 'unconfirmed';
    },
    mailRequester: accountId => requesterIn(db, accountId),
    confirmMail: (accountId, address, now, delivery) =>
      transact(db, async tx => {
        if ((await requesterIn(tx, accountId)) === null) return;
        await tx
          .insertInto('mail_consents')
          .values({ account_id: accountId, address, confirmed_at: now })
          .onConflict(conflict => conflict.columns(['account_id', 'address']).doNothing())
          .execute();
        await releaseIn(tx, accountId, address, now, delivery);
      }),
    mailHeld:
      (id, { accountId, address }, job) =>
      async tx => {
        // The change locks the row: a confirmation at the same time is either seen here or releases the message itself.
        await rowOf(tx, id).set({ status: 'held' }).where('status', '=', 'waiting').execute();
        if (!(await isConfirmed(tx, accountId, address))) return;
        await rowOf(tx, id).set({ status: 'waiting' }).where('status', '=', 'held').execute();
        await jobs.enqueueIn(tx, job);
      },
    isMailStopped,
    async stopMail(mailbox, now) {
      await db
        .insertInto('mail_stops')
        .values({ mailbox, stopped_at: now })
        .onConflict(conflict => conflict.column('mailbox').doNothing())
        .execute();
    },
    async resumeMail(mailbox) {
      await db.deleteFrom('mail_stops').where('mailbox', '=', mailbox).execute();
    },
  };
}
