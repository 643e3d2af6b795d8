import { Webhook } from 'standardwebhooks';
import { Hopeless, type JobKind, type JobServices, jobOf } from '../../jobs/job-kind.ts';
import { MailRefused } from '../../mail/mailer.ts';
import { type DeliveryWork, deliveryEnded } from '../../state/field-requests/deliveries.ts';
import type { DeliveryId } from '../../state/field-requests/events.ts';
import { addresseeOf } from '../../state/field-requests/mail-consents.ts';
import type { Effect } from '../../state/jobs/queue.ts';
import { type SafeAnswer, SafeClientError } from '../../upstream/safe-client.ts';
import { DOCUMENT_BYTES, messageOf } from './message.ts';
import { askAddress } from './question.ts';
import { useCall, useMail } from './quotas.ts';

const HOUR_MS = 3_600_000;
/** Milliseconds of attempts before a message is a dead letter. */
const TRIED_MS = 72 * HOUR_MS;

/** The key of a delivery, for operators and for its job. */
export const deliveryKey = ({ request_id, event_type, channel }: DeliveryId): string =>
  `${request_id}:${event_type}:${channel}`;

/** A failed attempt. Another may succeed, until three days are over. */
class NotDelivered extends Error {
  override readonly name = 'NotDelivered';
}

async function post(
  { state, clock, callbacks: { client, secret } }: JobServices,
  { request_id, event_type, payload, accountId }: DeliveryWork,
  url: string,
  signal: AbortSignal,
): Promise<SafeAnswer> {
  const id = `${request_id}:${event_type}`;
  const now = clock.now();
  const at = new Date(now);
  const signed: Readonly<Record<string, string>> =
    secret === null
      ? {}
      : {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(now / 1000)),
          'webhook-signature': new Webhook(secret).sign(id, at, payload),
        };
  const headers = {
    'content-type': 'application/json',
    'x-service-event': event_type,
    'x-service-delivery': id,
    'user-agent': 'plat-webhook',
    ...signed,
  };
  const admit = async (addresses: readonly string[]) => {
    const full = await useCall({ state, clock }, accountId, url, addresses);
    return full && `the day's ${full} are used up`;
  };
  try {
    return await client.send(url, { method: 'POST', headers, body: payload, maxBytes: 0, signal, admit });
  } catch (error) {
    if (!(error instanceof SafeClientError)) throw error;
    const message = `the webhook was not called: ${error.message}`;
    throw error.fault === 'refused' ? new Hopeless(message) : new NotDelivered(message);
  }
}

/** Sends a message by mail if the owner of the address wants it, or asks them. @returns the effect that ends or holds it. */
async function mail(
  services: JobServices,
  data: DeliveryId,
  { accountId, callback, payload }: DeliveryWork,
): Promise<Effect> {
  const { state, clock, callbacks } = services;
  const { mailer, mailLinks, publicUrl } = callbacks;
  const now = clock.now();
  const ended = (status: 'delivered' | 'ended', error: string | null) => deliveryEnded(data, { status, error, now });
  const to = callback?.email;
  if (to === undefined) return ended('ended', 'the request names no e-mail address any more');
  const standing = await state.fieldRequests.mailStanding(accountId, to);
  if (standing === 'stopped') return ended('ended', 'the owner of the address wants no more mail');
  if (standing === 'unconfirmed') {
    const full = await askAddress(services, accountId, to);
    // An address that was asked today is not asked for each message.
    if (full !== null && full !== 'question') throw new NotDelivered(`the day's ${full} are used up`);
    const { address } = addresseeOf(to);
    return state.fieldRequests.mailHeld(
      data,
      { accountId, address },
      jobOf(deliveryJob, deliveryKey(data), data, accountId),
    );
  }
  const poll = `${publicUrl}/v1/field-requests/${data.request_id}`;
  const message = messageOf(to, data.event_type, payload, { poll, stop: mailLinks.stop(to, now) });
  if (!message)
    throw new Hopeless(
      `the document is longer than ${DOCUMENT_BYTES} bytes, which no mail carries; it is read at ${poll}`,
    );
  const full = await useMail({ state, clock }, accountId, to);
  if (full) throw new NotDelivered(`the day's ${full} are used up`);
  await mailer.send(message);
  return ended('delivered', null);
}

/**
 * Sends one message to the address that its request names now: at least once, with repeated attempts over three days
 * and growing delays. A message that cannot be sent becomes a dead letter; `plat requests deliveries` shows it and can
 * resend it.
 */
export const deliveryJob: JobKind<DeliveryId> = {
  name: 'field-request-delivery',
  summary: 'Tells a requester by webhook or mail what became of a field request.',
  atOnce: 4,
  // Thirty seconds, doubled up to six hours, with jitter of at most a half: three days end before 60 attempts do.
  attempts: 60,
  retryMs: 30_000,
  mostMs: 6 * HOUR_MS,
  async run(services, { data, signal }) {
    const { state, clock } = services;
    const work = await state.fieldRequests.delivery(data);
    if (work?.status !== 'waiting') return undefined;
    const ended = (status: 'delivered' | 'ended', error: string | null, gone?: string) =>
      deliveryEnded(data, { status, error, now: clock.now() }, gone);
    try {
      if (data.channel === 'email') return await mail(services, data, work);
      const url = work.callback?.webhook_url;
      if (url === undefined) return ended('ended', 'the request names no webhook any more');
      const { status } = await post(services, work, url, signal);
      if (status >= 200 && status < 300) return ended('delivered', null);
      if (status === 410) return ended('ended', 'the webhook answered 410 and wants no more', url);
      const why = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
      throw new NotDelivered(`the webhook answered ${status}${why}; expected 200 to 299`);
    } catch (error) {
      if (error instanceof MailRefused && !error.retryable) throw new Hopeless(error.message);
      const retryable = error instanceof NotDelivered || error instanceof MailRefused;
      if (retryable && clock.now() - work.startedAt >= TRIED_MS) throw new Hopeless(error.message);
      throw error;
    }
  },
  ended: ({ data }, { error }, clock) => deliveryEnded(data, { status: 'failed', error, now: clock.now() }),
};
