import { Hopeless, type JobKind, type JobServices, jobOf } from '../../jobs/job-kind.ts';
import { type DeliveryWork, deliveryEnded } from '../../state/field-requests/deliveries.ts';
import type { DeliveryId } from '../../state/field-requests/events.ts';
import { addresseeOf } from '../../state/field-requests/mail-consents.ts';
import type { Effect } from '../../state/jobs/queue.ts';
import { consentOf, countMail } from './consent.ts';
import { DOCUMENT_BYTES, messageOf } from './message.ts';
import { attemptError, callWebhook, DELIVERY_ATTEMPTS } from './webhook.ts';

/** The key of a delivery, for operators and for its job. */
export const deliveryKey = ({ request_id, event_type, channel }: DeliveryId): string =>
  `${request_id}:${event_type}:${channel}`;

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
  const consent = await consentOf(services, accountId, to);
  if (consent === 'refused') return ended('ended', 'the owner of the address wants no more mail');
  if (consent === 'waiting') {
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
  await countMail(services, accountId, to);
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
  ...DELIVERY_ATTEMPTS,
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
      const message = { id: `${data.request_id}:${data.event_type}`, event: data.event_type, ...work };
      return (await callWebhook(services, message, url, signal)) === 'taken'
        ? ended('delivered', null)
        : ended('ended', 'the webhook answered 410 and wants no more', url);
    } catch (error) {
      throw attemptError(error, work.startedAt, clock.now());
    }
  },
  ended: ({ data }, { error }, clock) => deliveryEnded(data, { status: 'failed', error, now: clock.now() }),
};
