import { createHash, randomUUID } from 'node:crypto';
import type { Ctx } from '../context.ts';
import { settleCredits } from '../credits/charge.ts';
import { Failed, once } from './once.ts';

/** A request for work that is done in the background. */
interface Submission {
  /** As the ledger files it. */
  readonly endpoint: string;
  /** Null where the same request may be submitted again. */
  readonly key: string | null;
  /** As parsed. */
  readonly body: unknown;
}

/**
 * Submits work that is done, and charged, in the background. With a key it is submitted once in 24 hours.
 * @param submit gets the id to reserve credits under, and throws Failed with the reservation that must be given back.
 * @throws as `once`.
 */
export async function submitOnce<T extends object>(
  ctx: Ctx,
  { endpoint, key, body }: Submission,
  submit: (chargeId: string) => Promise<T>,
): Promise<T> {
  if (key !== null)
    return once(ctx, { endpoint, key, body }, async chargeId => ({
      result: await submit(chargeId),
      // It is charged when it is done, not here.
      reservation: null,
      cost: 0,
    }));
  try {
    return await submit(`${endpoint}/${randomUUID()}`);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    if (error.reservation) await settleCredits(ctx, error.reservation, 0);
    throw error.cause;
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** Derives the id of such work from its charge, so that it stays the same when another server takes the submission over. */
export function idOfCharge(prefix: string, chargeId: string): string {
  const digest = createHash('sha256').update(chargeId).digest();
  return `${prefix}_${[...digest.subarray(0, 26)].map(byte => LETTERS[byte & 31]).join('')}`;
}
