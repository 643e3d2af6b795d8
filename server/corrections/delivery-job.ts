import type { Catalog } from '../../datasets/catalog.ts';
import { consentOf, countMail } from '../field-requests/callbacks/consent.ts';
import { callWebhook, NotDelivered } from '../field-requests/callbacks/webhook.ts';
import { Hopeless, type JobKind, type JobServices, jobOf } from '../jobs/job-kind.ts';
import { MailRefused } from '../mail/mailer.ts';
import { cut, inert, oneLine } from '../mail/quotation.ts';
import type { CorrectionMove } from '../state/corrections/moves.ts';
import { filerTold } from '../state/corrections/moves.ts';
import type { CorrectionRow } from '../state/corrections/row.ts';
import type { Outcome } from '../state/corrections/states.ts';
import { recordOf } from './reading.ts';

const HOUR_MS = 3_600_000;
/** Bytes of a value and of a reason in a mail. */
const [VALUE_BYTES, REASON_BYTES] = [480, 2_000];

/** One message on one channel. */
interface CorrectionDelivery {
  readonly correction_id: string;
  readonly outcome: Outcome;
  readonly channel: 'webhook' | 'email';
}

const SUBJECTS: Readonly<Record<Outcome, string>> = {
  accepted: 'Your correction was accepted',
  rejected: 'Your correction was not accepted',
  superseded: 'Your correction is no longer needed',
};
const SAYS: Readonly<Record<Outcome, string>> = {
  accepted: 'was accepted: answers tell it from now on, with what the source says beside it',
  rejected: 'was not accepted',
  superseded: 'is no longer told: something newer took its place',
};

const eventOf = (outcome: Outcome) => `correction_${outcome}`;

/** The document of an outcome. */
const payloadOf = (catalog: Catalog, row: CorrectionRow, outcome: Outcome): string => {
  const { evidence: _, status: __, ...record } = recordOf(catalog, row);
  return JSON.stringify({ event_type: eventOf(outcome), status: outcome, ...record });
};

/** Sends a mail to the account itself, or to the address that the correction names. @returns what became of it. */
async function mail(services: JobServices, row: CorrectionRow, outcome: Outcome): Promise<string> {
  const { state, clock, callbacks } = services;
  const { mailer, mailLinks, publicUrl } = callbacks;
  const { id, accountId } = row;
  const to = row.callback?.email ?? (await state.identities.addressOf(accountId));
  if (to === null) return 'nobody could be told by mail: the account has no verified address';
  const consent = await consentOf(services, accountId, to);
  if (consent === 'refused') return 'the owner of the address wants no more mail';
  if (consent === 'waiting') throw new NotDelivered('the address is not confirmed');
  await countMail(services, accountId, to);
  const stop = mailLinks.stop(to, clock.now());
  const text = [
    `Your correction ${id} of ${row.field} to ${inert(String(row.value), VALUE_BYTES)} ${SAYS[outcome]}.`,
    ...(row.reason === null ? [] : [`The reason: ${cut(oneLine(row.reason), REASON_BYTES)}`]),
    `It is read at ${publicUrl}/v1/corrections/${id}`,
    `To get no more mail like this, open ${stop}`,
  ].join('\n\n');
  await mailer.send({ to, subject: `${SUBJECTS[outcome]} (${id})`, text, stop });
  return `told by mail that it is ${outcome}`;
}

/** Tells who filed a correction what became of it: at least once, with repeated attempts over three days and growing delays. */
export const correctionDeliveryJob: JobKind<CorrectionDelivery> = {
  name: 'correction-delivery',
  summary: 'Tells by webhook or mail what became of a correction.',
  atOnce: 4,
  // Thirty seconds, doubled up to six hours, with jitter: 20 attempts take about three days.
  attempts: 20,
  retryMs: 30_000,
  mostMs: 6 * HOUR_MS,
  async run(services, { data: { correction_id: id, outcome, channel }, signal }) {
    const { state, catalog, clock } = services;
    const row = await state.corrections.correction(id);
    if (!row) return undefined;
    const told = (how: string) => filerTold(id, how, clock.now());
    // What became of it later is told by a message of its own, which may have arrived already.
    if (row.status !== outcome) return told(`not told that it was ${outcome}: it is ${row.status} by now`);
    try {
      if (channel === 'email') return told(await mail(services, row, outcome));
      const url = row.callback?.webhook_url;
      if (url === undefined) return undefined;
      const payload = payloadOf(catalog, row, outcome);
      const news = { id: `${id}:${eventOf(outcome)}`, event: eventOf(outcome), payload, accountId: row.accountId };
      return (await callWebhook(services, news, url, signal)) === 'taken'
        ? told(`told by webhook that it is ${outcome}`)
        : told('the webhook answered 410 and wants no more');
    } catch (error) {
      if (error instanceof MailRefused && !error.retryable) throw new Hopeless(error.message);
      throw error;
    }
  },
  ended: ({ data: { correction_id: id, channel } }, { error }, clock) =>
    filerTold(id, `nobody could be told by ${channel}: ${error}`, clock.now()),
};

/** The jobs that tell of an outcome: on what the correction names, or by mail to the account itself. */
export const newsOf: CorrectionMove['news'] = ({ id, accountId, callback }, outcome) => {
  const channels: CorrectionDelivery['channel'][] = [
    ...(callback?.webhook_url === undefined ? [] : (['webhook'] as const)),
    ...(callback?.email === undefined && callback?.webhook_url !== undefined ? [] : (['email'] as const)),
  ];
  return channels.map(channel =>
    jobOf(correctionDeliveryJob, `${id}:${outcome}:${channel}`, { correction_id: id, outcome, channel }, accountId),
  );
};
