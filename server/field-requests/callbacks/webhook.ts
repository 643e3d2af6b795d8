import { Webhook } from 'standardwebhooks';
import { Hopeless, type JobServices } from '../../jobs/job-kind.ts';
import { MailRefused } from '../../mail/mailer.ts';
import { type SafeClient, SafeClientError } from '../../upstream/safe-client.ts';
import { useCall } from './quotas.ts';

const HOUR_MS = 3_600_000;
/** Milliseconds of attempts before a message is a dead letter. */
const TRIED_MS = 72 * HOUR_MS;

/** Milliseconds to resolve the host name of a webhook. If that is too short, the first delivery checks it. */
const CALLBACK_LIMIT_MS = 1_500;

/** How often messages are tried: thirty seconds, doubled up to six hours, with jitter of at most a half. Three days end before 60 attempts do. */
export const DELIVERY_ATTEMPTS = { atOnce: 4, attempts: 60, retryMs: 30_000, mostMs: 6 * HOUR_MS } as const;

/** A failed attempt. Another may succeed, until three days are over. */
export class NotDelivered extends Error {
  override readonly name = 'NotDelivered';
}

/** Why a webhook may not be called, as a fault of the body that names it; null where it may, or none is named. */
export async function webhookFault(client: SafeClient, url: string | undefined) {
  if (url === undefined) return null;
  try {
    await client.check(url, CALLBACK_LIMIT_MS);
    return null;
  } catch (error) {
    // A host that does not answer now may do so later.
    if (!(error instanceof SafeClientError) || !['refused', 'unresolved'].includes(error.fault)) return null;
    const msg = `Input should be an https URL that leads to public addresses, but ${error.message}`;
    return { loc: ['callback', 'webhook_url'], msg, type: 'url_not_public' };
  }
}

/** A message for a webhook. */
interface WebhookMessage {
  /** By which its receiver knows one that comes twice. */
  readonly id: string;
  readonly event: string;
  /** JSON text. */
  readonly payload: string;
  readonly accountId: string;
}

/**
 * Calls a webhook. Redirects are not followed.
 * @returns whether it took the message, or answered 410 and wants no more.
 * @throws NotDelivered; Hopeless where its URL may not be called; AbortError.
 */
export async function callWebhook(
  { state, clock, callbacks: { client, secret } }: JobServices,
  { id, event, payload, accountId }: WebhookMessage,
  url: string,
  signal: AbortSignal,
): Promise<'taken' | 'gone'> {
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
    'x-service-event': event,
    'x-service-delivery': id,
    'user-agent': 'plat-webhook',
    ...signed,
  };
  const admit = async (addresses: readonly string[]) => {
    const full = await useCall({ state, clock }, accountId, url, addresses);
    return full && `the day's ${full} are used up`;
  };
  const { status } = await client
    .send(url, { method: 'POST', headers, body: payload, maxBytes: 0, signal, admit })
    .catch((error: unknown) => {
      if (!(error instanceof SafeClientError)) throw error;
      const message = `the webhook was not called: ${error.message}`;
      throw error.fault === 'refused' ? new Hopeless(message) : new NotDelivered(message);
    });
  if (status >= 200 && status < 300) return 'taken';
  if (status === 410) return 'gone';
  const why = status >= 300 && status < 400 ? ', and redirects are not followed' : '';
  throw new NotDelivered(`the webhook answered ${status}${why}; expected 200 to 299`);
}

/** What a failed attempt is to its job: Hopeless where another cannot help. @param startedAt when attempts began, epoch milliseconds. */
export function attemptError(error: unknown, startedAt: number, now: number): unknown {
  if (error instanceof MailRefused && !error.retryable) return new Hopeless(error.message);
  const isRetryable = error instanceof NotDelivered || error instanceof MailRefused;
  return isRetryable && now - startedAt >= TRIED_MS ? new Hopeless(error.message) : error;
}
