import { randomBytes } from 'node:crypto';
import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { canonicalJson } from '../idempotency/canonical-json.ts';
import { PLANS } from '../plans.ts';
import type { FilingKey } from '../state/field-requests/records.ts';
import type { FieldRequestRow } from '../state/field-requests/row.ts';
import { digestOf } from '../state/sign-in/digest.ts';
import type { SafeClient } from '../upstream/safe-client.ts';
import { deliveryOf } from './callbacks/news.ts';
import { webhookFault } from './callbacks/webhook.ts';
import { resolveLocations } from './location.ts';
import { invalidPayload } from './payload.ts';
import { type FieldRequestAccepted, type FieldRequestBody, MAX_BLOB_BYTES } from './schema.ts';
import { screeningOf } from './screening/screening-job.ts';
import { inTheirWords } from './unavailable.ts';

/** Milliseconds that a filing may take: enough for twenty addresses, four at a time. */
export const FILING_LIMIT_MS = 30_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** The services that filings need beside those of every request. */
export interface FieldRequestServices {
  /** Checks the target of webhooks. */
  readonly client: SafeClient;
}

/** Makes an id: 130 random bits, which nobody can guess. */
const newId = (): string => `fr_${Array.from(randomBytes(26), byte => LETTERS[byte & 31]).join('')}`;

/** @throws ServiceError invalid_payload when the webhook may not be called. */
async function requireCallable(client: SafeClient, url: string | undefined): Promise<void> {
  const fault = await webhookFault(client, url);
  if (fault) throw invalidPayload([fault]);
}

const acceptedOf = ({ id, status }: FieldRequestRow): FieldRequestAccepted => ({
  request_id: id,
  status,
  poll: `/v1/field-requests/${id}`,
});

/**
 * POST /v1/field-requests: stores a request for a data point and screens it in the background. Free. With a key that
 * was used for the same body, it answers the earlier request.
 * @param body already of the right shape.
 * @returns the answer, and whether the request was filed now.
 * @throws ServiceError context_blob_too_large, invalid_payload (the webhook), idempotency_key_reused,
 * field_requests_limited, whatever resolveLocations throws, field_requests_unavailable; AbortError when the client has
 * gone. Nothing was filed then.
 */
export function fileFieldRequest(
  ctx: Ctx,
  { client }: FieldRequestServices,
  body: FieldRequestBody,
): Promise<{ readonly filed: boolean; readonly answer: FieldRequestAccepted }> {
  return inTheirWords(async () => {
    const { idempotency_key: key, callback = null, context_blob: blob = null, ...kept } = body;
    const bytes = Buffer.byteLength(blob ?? '');
    if (bytes > MAX_BLOB_BYTES) throw new ServiceError('context_blob_too_large', { bytes, limit: MAX_BLOB_BYTES });
    const account = accountOf(ctx);
    const filing: FilingKey = {
      accountId: account.id,
      keyHash: key === undefined ? null : digestOf(key),
      bodyHash: digestOf(canonicalJson(kept)),
      callback,
      contextBlob: blob,
      now: ctx.clock.now(),
      delivery: deliveryOf,
    };
    const most = PLANS[account.plan].openFieldRequests;
    const limited = () => new ServiceError('field_requests_limited', { limit: most });
    await requireCallable(client, callback?.webhook_url);
    // A replay resolves no address, so it works without the geocoder.
    const earlier = await ctx.state.fieldRequests.replay(filing);
    if (earlier === 'reused') throw new ServiceError('idempotency_key_reused');
    if (earlier) return { filed: false, answer: acceptedOf(earlier.row) };
    // Asked before addresses are looked up, and once more in the transaction that files the request.
    if ((await ctx.state.fieldRequests.open(account.id)) >= most) throw limited();
    const locations = await resolveLocations(ctx, kept.example_locations);
    const id = newId();
    const result = await ctx.state.fieldRequests.file({
      ...filing,
      id,
      job: screeningOf(id, account.id),
      body: kept,
      locations,
      by: account.email,
      mostOpen: most,
    });
    if (result === 'reused') throw new ServiceError('idempotency_key_reused');
    if (result === 'limited') throw limited();
    return { filed: result.filed, answer: acceptedOf(result.row) };
  });
}
