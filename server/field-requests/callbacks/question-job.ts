import { Hopeless, type JobKind, jobOf } from '../../jobs/job-kind.ts';
import { MailRefused } from '../../mail/mailer.ts';
import { addresseeOf } from '../../state/field-requests/mail-consents.ts';
import { deliveryOf } from './news.ts';
import { useQuestion } from './quotas.ts';

/** The words carry nothing of the requester: who gets them has asked for no mail. */
const textOf = (publicUrl: string, confirm: string, stop: string) =>
  `Somebody who uses Plat, the service about places at ${publicUrl}, named this address, so that news about field requests comes here. To allow it, open within a week:

${confirm}

If you do nothing, nothing comes. To get no mail like this at all, open

${stop}`;

/**
 * Asks the address that a request names whether it wants the mail, by a mail with a link. Where it is known to want it,
 * what waits for it is sent.
 */
export const questionJob: JobKind<{ readonly request_id: string; readonly address: string }> = {
  name: 'field-request-address',
  summary: 'Asks an address that a field request names whether it wants the news.',
  atOnce: 2,
  attempts: 30,
  retryMs: 60_000,
  mostMs: 6 * 3_600_000,
  async run({ state, clock, callbacks }, { data: { request_id: id, address } }) {
    const row = await state.fieldRequests.find(id);
    const to = row?.callback?.email;
    // A replay may have named another address meanwhile, which has a job of its own.
    if (!row || to === undefined || addresseeOf(to).address !== address) return undefined;
    const standing = await state.fieldRequests.mailStanding(row.accountId, to);
    const now = clock.now();
    if (standing === 'open') return state.fieldRequests.mailReleased(row.accountId, address, now, deliveryOf);
    if (standing === 'stopped') return undefined;
    const full = await useQuestion({ state, clock }, row.accountId, to);
    // It was asked today: its answer holds for this request, too.
    if (full === 'question') return undefined;
    if (full !== null) throw new Error(`the day's ${full} are used up`);
    const { mailer, mailLinks, publicUrl } = callbacks;
    const stop = mailLinks.stop(to, now);
    try {
      await mailer.send({
        to,
        subject: 'May Plat send you news about field requests?',
        text: textOf(publicUrl, mailLinks.confirm(row.accountId, to, now), stop),
        stop,
      });
    } catch (error) {
      if (error instanceof MailRefused && !error.retryable) throw new Hopeless(error.message);
      throw error;
    }
    return undefined;
  },
};

/** Makes the job that asks the address of an account's request. */
export function questionOf(id: string, email: string, account: string) {
  const { address } = addresseeOf(email);
  return jobOf(questionJob, `${id}:${address}`, { request_id: id, address }, account);
}
