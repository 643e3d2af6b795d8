import { consentOf, countMail } from '../field-requests/callbacks/consent.ts';
import { attemptError, callWebhook, DELIVERY_ATTEMPTS } from '../field-requests/callbacks/webhook.ts';
import { type JobKind, type JobServices, jobOf } from '../jobs/job-kind.ts';
import { addresseeOf } from '../state/field-requests/mail-consents.ts';
import type { Effect, NewJob } from '../state/jobs/queue.ts';
import { type WatchDeliveryId, type WatchDeliveryWork, watchDeliveryEnded } from '../state/watches/deliveries.ts';
import { eventNow } from './event.ts';
import { messageOf } from './message.ts';
import type { WatchEvent } from './schema.ts';

const EVENT = 'watch_changed';

const idOf = ({ watch_id, release, channel }: WatchDeliveryId): WatchDeliveryId => ({ watch_id, release, channel });

/** Sends a message by mail if the owner of the address wants it, or asks them. @returns the effect that ends or holds it. */
async function mail(services: JobServices, work: WatchDeliveryWork, event: WatchEvent): Promise<Effect> {
  const { state, clock, callbacks } = services;
  const { mailer, mailLinks, publicUrl } = callbacks;
  const { accountId, callback } = work;
  const now = clock.now();
  const ended = (status: 'delivered' | 'ended', error: string | null) =>
    watchDeliveryEnded(idOf(work), { status, error, now });
  const to = callback?.email;
  if (to === undefined) return ended('ended', 'the watch names no e-mail address any more');
  const consent = await consentOf(services, accountId, to);
  if (consent === 'refused') return ended('ended', 'the owner of the address wants no more mail');
  if (consent === 'waiting') {
    const { address } = addresseeOf(to);
    return state.watches.held(idOf(work), { accountId, address }, deliveryOf(work, accountId));
  }
  await countMail(services, accountId, to);
  await mailer.send(messageOf(to, event, { catalog: services.catalog, publicUrl, stop: mailLinks.stop(to, now) }));
  return ended('delivered', null);
}

/**
 * Tells a change on one channel, as news about field requests are told: at least once, with repeated attempts over three days and
 * growing delays. The watch says how it ended.
 */
export const watchDeliveryJob: JobKind<WatchDeliveryId> = {
  name: 'watch-delivery',
  summary: 'Tells by webhook or mail what changed of a watch.',
  ...DELIVERY_ATTEMPTS,
  async run(services, { data, signal }) {
    const { state, clock } = services;
    const work = await state.watches.delivery(data);
    if (work?.status !== 'waiting') return undefined;
    const ended = (status: 'delivered' | 'ended', error: string | null, gone?: string) =>
      watchDeliveryEnded(idOf(data), { status, error, now: clock.now() }, gone);
    try {
      const event = eventNow(work.payload, work.createdAt, services.engine.withheldSince());
      if (data.channel === 'email') return await mail(services, work, event);
      const url = work.callback?.webhook_url;
      if (url === undefined) return ended('ended', 'the watch names no webhook any more');
      const payload = JSON.stringify(event);
      const message = { id: `${data.watch_id}:${data.release}`, event: EVENT, payload, accountId: work.accountId };
      return (await callWebhook(services, message, url, signal)) === 'taken'
        ? ended('delivered', null)
        : ended('ended', 'the webhook answered 410 and wants no more', url);
    } catch (error) {
      throw attemptError(error, work.startedAt, clock.now());
    }
  },
  ended: ({ data }, { error }, clock) => watchDeliveryEnded(idOf(data), { status: 'failed', error, now: clock.now() }),
};

/** Makes the job that sends a message. @param account whose watch it is about. */
export function deliveryOf(id: WatchDeliveryId, account: string): NewJob {
  const { watch_id, release, channel } = id;
  return jobOf(watchDeliveryJob, `${watch_id}:${release}:${channel}`, idOf(id), account);
}
