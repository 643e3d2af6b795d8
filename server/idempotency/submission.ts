import { createHash, randomUUID } from 'node:crypto';
import type { Ctx } from '../context.ts';
import { settleCredits } from '../credits/charge.ts';
import type { Claim } from '../state/idempotency.ts';
import type { Reservation } from '../state/ledger.ts';
import { Failed, once, Undecided } from './once.ts';

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
 * @param submit gets the id to reserve credits under and the claim, null without a key; it throws Failed with the reservation that must be given back, or Undecided.
 * @throws as `once`.
 */
export async function submitOnce<T extends object>(
  ctx: Ctx,
  { endpoint, key, body }: Submission,
  submit: (chargeId: string, claim: Claim | null) => Promise<T>,
): Promise<T> {
  if (key !== null)
    return once(ctx, { endpoint, key, body }, async (chargeId, claim) => ({
      result: await submit(chargeId, claim),
      // It is charged when it is done, not here.
      reservation: null,
      cost: 0,
    }));
  try {
    return await submit(`${endpoint}/${randomUUID()}`, null);
  } catch (error) {
    if (error instanceof Undecided) throw error.cause;
    if (!(error instanceof Failed)) throw error;
    if (error.reservation) await settleCredits(ctx, error.reservation, 0);
    throw error.cause;
  }
}

/** Work whose credits are reserved, and how it is filed. */
interface Filing {
  readonly reservation: Reservation | null;
  /** Files it; where it is there already, nothing changes. */
  file(): Promise<void>;
  /** Whether it is there. */
  isThere(): Promise<boolean>;
  /** What a refusal is told as; the error itself where it is none. Nothing was filed when it is one. */
  refusalOf(error: unknown): unknown;
}

/**
 * Files work. A store that fails may have filed it all the same, and work that is there is done and charged: its reservation is given
 * back only when it is not there.
 * @throws Failed, Undecided.
 */
export async function fileWork({ reservation, file, isThere, refusalOf }: Filing): Promise<void> {
  try {
    await file();
  } catch (error) {
    const refusal = refusalOf(error);
    const isFiled = refusal === error ? await isThere().catch(() => null) : false;
    if (isFiled === null) throw new Undecided(error);
    if (!isFiled) throw new Failed(refusal, reservation);
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** Derives the id of such work from its charge, so that it stays the same when another server takes the submission over. */
export function idOfCharge(prefix: string, chargeId: string): string {
  const digest = createHash('sha256').update(chargeId).digest();
  return `${prefix}_${[...digest.subarray(0, 26)].map(byte => LETTERS[byte & 31]).join('')}`;
}
