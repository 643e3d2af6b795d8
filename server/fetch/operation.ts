import { randomUUID } from 'node:crypto';
import { accountOf, type Ctx } from '../context.ts';
import { reserveCredits, settleCredits } from '../credits/charge.ts';
import { billed, priceOf } from '../credits/price.ts';
import { fetchAt } from './location.ts';
import { placeOf, readLocator } from './locator.ts';
import type { FetchBody, FetchResult } from './schema.ts';
import { selectFields } from './selection.ts';

/**
 * POST /v1/fetch: named fields at one place, each with its provenance. Judges the locator, then the fields, then the
 * place, then the credits. Failed fields are not charged; values from the response cache cost what fresh ones cost.
 * @param body already of the right shape.
 * @throws ServiceError invalid_locator, no_fields_requested, fields_unknown, fields_too_many, coord_out_of_bounds,
 * geocode_unconfigured, credits_exhausted, fetch_busy; AbortError when the client has gone, at no charge.
 */
export async function fetchFields(ctx: Ctx, body: FetchBody): Promise<FetchResult> {
  const locator = readLocator(body);
  const names = selectFields(ctx.catalog, body);
  const point = placeOf(locator);
  const { plan } = accountOf(ctx);
  const { total } = priceOf(ctx.catalog, plan, names);
  const reservation = await reserveCredits(ctx, randomUUID(), 'fetch', [total]);
  const result = await fetchAt(ctx, names, point).catch(async (error: unknown) => {
    await settleCredits(ctx, reservation, 0);
    throw error;
  });
  await settleCredits(ctx, reservation, priceOf(ctx.catalog, plan, billed(result.fields)).total);
  return result;
}
