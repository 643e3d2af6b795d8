import { randomUUID } from 'node:crypto';
import { requirePresetFields } from '../auth/guest.ts';
import { accountOf, type Ctx, isGuest } from '../context.ts';
import { reserveCredits, settleCredits } from '../credits/charge.ts';
import { billed, priceOf } from '../credits/price.ts';
import { openLocator } from '../geocode/resolver.ts';
import { readLocator } from '../locator.ts';
import { chooseRelease } from '../release/choice.ts';
import { fetchAt, LOCATION_LIMIT_MS } from './location.ts';
import type { FetchBody, FetchResult } from './schema.ts';
import { selectFields } from './selection.ts';

/**
 * POST /v1/fetch: named fields at one place, each with its provenance. Judges the locator, then the fields, then the
 * place, then the credits, then resolves an address. A guest is charged nothing. Failed fields are not charged; values from the response cache cost
 * what fresh ones cost.
 * @param body already of the right shape.
 * @throws ServiceError invalid_locator, no_fields_requested, fields_unknown, fields_too_many, release_not_kept, coord_out_of_bounds,
 * credits_exhausted, fetch_busy, auth_invalid of a guest beyond the presets, those of an address (OpenLocator); AbortError when the client has gone, at no charge.
 */
export async function fetchFields(ctx: Ctx, body: FetchBody): Promise<FetchResult> {
  const locator = readLocator(body);
  const names = selectFields(ctx.catalog, body);
  requirePresetFields(ctx, ctx.catalog.presets, names);
  chooseRelease(ctx, body);
  const open = await openLocator(ctx, locator);
  if (isGuest(ctx)) return fetchAt(ctx, names, await open.resolve());
  const { plan } = accountOf(ctx);
  const { total } = priceOf(ctx.catalog, plan, names);
  const reservation = await reserveCredits(ctx, randomUUID(), 'fetch', [total + open.credits]);
  const work = async () => {
    const place = await open.resolve();
    // The time to resolve an address comes on top of the time for the location.
    const deadline = place.geocode === null ? ctx.deadline : ctx.clock.now() + LOCATION_LIMIT_MS;
    return fetchAt({ ...ctx, deadline }, names, place);
  };
  const result = await work().catch(async (error: unknown) => {
    await settleCredits(ctx, reservation, 0);
    throw error;
  });
  await settleCredits(ctx, reservation, priceOf(ctx.catalog, plan, billed(result.fields)).total + open.credits);
  return result;
}
