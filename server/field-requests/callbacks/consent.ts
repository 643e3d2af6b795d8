import type { JobServices } from '../../jobs/job-kind.ts';
import { askAddress } from './question.ts';
import { useMail } from './quotas.ts';
import { NotDelivered } from './webhook.ts';

/**
 * Consent of an address to the news of an account. One that has not been asked is asked by mail: `waiting` until its owner says yes.
 * @throws NotDelivered when the day's mails that ask are used up; MailRefused.
 */
export async function consentOf(
  services: JobServices,
  accountId: string,
  to: string,
): Promise<'given' | 'refused' | 'waiting'> {
  const standing = await services.state.fieldRequests.mailStanding(accountId, to);
  if (standing !== 'unconfirmed') return standing === 'stopped' ? 'refused' : 'given';
  const full = await askAddress(services, accountId, to);
  // An address that was asked today is not asked for each message.
  if (full !== null && full !== 'question') throw new NotDelivered(`the day's ${full} are used up`);
  return 'waiting';
}

/** Counts a mail that is sent now. @throws NotDelivered when the mails of the day are used up. */
export async function countMail({ state, clock }: JobServices, accountId: string, to: string): Promise<void> {
  const full = await useMail({ state, clock }, accountId, to);
  if (full) throw new NotDelivered(`the day's ${full} are used up`);
}
