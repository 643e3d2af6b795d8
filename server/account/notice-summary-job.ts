import type { JobKind } from '../jobs/job-kind.ts';
import { summaryOf } from '../mail/account-notices.ts';
import { MailRefused } from '../mail/mailer.ts';
import type { UnsentNotices } from '../state/agents/unsent-notices.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Messages of one round; the next one sends others. */
const PORTION = 200;
/** Days for which a message that could not be sent is tried again. */
const TRIED_DAYS = 7;

/** Tells owners once a day what was added to their accounts after the last message of the day. */
export const noticeSummaryJob: JobKind = {
  name: 'account-notice-summary',
  summary: 'Mails owners what was added to their accounts on a day beyond the messages that are sent one by one.',
  atOnce: 1,
  attempts: 3,
  retryMs: 60_000,
  mostMs: 600_000,
  cron: '6 * * * *',
  async run({ state, clock, callbacks, log }, { signal }) {
    const today = Math.floor(clock.now() / DAY_MS);
    const told: UnsentNotices[] = [];
    for (const notices of await state.unsentNotices.before(today, PORTION)) {
      if (signal.aborted) break;
      try {
        const to = await state.identities.addressOf(notices.accountId);
        if (to !== null) await callbacks.mailer.send({ to, ...summaryOf(notices, callbacks.publicUrl) });
        told.push(notices);
      } catch (error) {
        if (!(error instanceof MailRefused)) throw error;
        log.error({ err: error }, 'an account was not told by mail');
        if (!error.retryable || notices.day < today - TRIED_DAYS) told.push(notices);
      }
    }
    return state.unsentNotices.told(told);
  },
};
