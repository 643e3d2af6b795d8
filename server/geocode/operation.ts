import { randomUUID } from 'node:crypto';
import { accountOf, type Ctx } from '../context.ts';
import { reserveCredits, settleCredits } from '../credits/charge.ts';
import { blockOf, type GeocodeBlock } from '../geocoder/block.ts';
import { requireMatch } from '../geocoder/verdict.ts';
import { GEOCODE_CREDITS } from './resolver.ts';
import type { GeocodeBody } from './schema.ts';

/** Milliseconds one geocode may take: enough for both tiers. */
export const GEOCODE_LIMIT_MS = 8_000;

/**
 * POST /v1/geocode: the place of an address with its accuracy. Addresses outside the envelope of coordinates are
 * answered too.
 * @param body already of the right shape.
 * @throws ServiceError address_form_unsupported, credits_exhausted, address_not_found, address_too_coarse and every
 * geocode_* code; AbortError when the client has gone. None of them is charged.
 */
export async function geocodeAddress(ctx: Ctx, body: GeocodeBody): Promise<GeocodeBlock> {
  const open = await ctx.geocoder.open(accountOf(ctx).id, body.address);
  const reservation = await reserveCredits(ctx, randomUUID(), 'geocode', [GEOCODE_CREDITS]);
  const work = async () => {
    const answer = await open.answer({ deadline: ctx.deadline, signal: ctx.signal });
    return blockOf(requireMatch(answer, body.address), answer.provider);
  };
  const block = await work().catch(async (error: unknown) => {
    await settleCredits(ctx, reservation, 0);
    throw error;
  });
  await settleCredits(ctx, reservation, GEOCODE_CREDITS);
  // Only layers of the release answer so. Which of two, published meanwhile, is not known.
  if (block.provider === 'other' && ctx.engine.status().release === ctx.release.id) ctx.release.take();
  return block;
}
