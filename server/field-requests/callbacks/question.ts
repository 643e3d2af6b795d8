import type { JobServices } from '../../jobs/job-kind.ts';
import type { LimitName } from '../../rate/throttle.ts';
import { useQuestion } from './quotas.ts';

/** The words carry nothing of the requester, because who gets them has asked for no mail. */
const textOf = (publicUrl: string, confirm: string, stop: string) =>
  `Somebody who uses Plat, the service about places at ${publicUrl}, named this address, so that news about field requests, watches and corrections comes here. To allow it, open within a week:

${confirm}

If you do nothing, nothing comes. To get no mail like this at all, open

${stop}`;

/**
 * Asks an address by mail whether it wants the news of an account: the page behind the link confirms it.
 * @returns the limit that is used up; no mail was sent then. @throws MailRefused.
 */
export async function askAddress(services: JobServices, accountId: string, to: string): Promise<LimitName | null> {
  const full = await useQuestion(services, accountId, to);
  if (full !== null) return full;
  const { mailer, mailLinks, publicUrl } = services.callbacks;
  const now = services.clock.now();
  const stop = mailLinks.stop(to, now);
  const text = textOf(publicUrl, mailLinks.confirm(accountId, to, now), stop);
  await mailer.send({ to, subject: 'May Plat send you news about field requests and watches?', text, stop });
  return null;
}
