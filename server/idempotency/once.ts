import { createHash } from 'node:crypto';
import { accountOf, type Ctx } from '../context.ts';
import { shortage } from '../credits/charge.ts';
import { ServiceError } from '../errors/registry.ts';
import { type Claim, type Found, TakenOver } from '../state/idempotency.ts';
import type { Reservation } from '../state/ledger.ts';
import { canonicalJson } from './canonical-json.ts';

/** How long a stored result answers for its key. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** An executor that has not renewed for so long is dead: another may take over. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** The key beside a stored result under which stands the release that it came from. */
const RELEASE = '#release';

/** Work done under a key: its answer and what it costs. */
export interface Done<T> {
  readonly result: T;
  /** Null when there was nothing to pay for. */
  readonly reservation: Reservation | null;
  readonly cost: number;
}

/** Work that failed or was refused, with the reservation that must be given back. */
export class Failed extends Error {
  readonly reservation: Reservation | null;
  constructor(cause: unknown, reservation: Reservation | null) {
    super('The work under an idempotency key failed', { cause });
    this.reservation = reservation;
  }
}

/**
 * Work that may have been filed or not: whoever did it was not told. Neither its key nor its reservation is given back then: who comes
 * again under the key when the lease has ended files it under the same id, which changes nothing where it is there.
 */
export class Undecided extends Error {
  constructor(cause: unknown) {
    super('Nobody knows whether the work under an idempotency key was filed', { cause });
  }
}

function refuse(found: Exclude<Found, { kind: 'execute' | 'replay' }>): ServiceError {
  return found.kind === 'reused' ? new ServiceError('idempotency_key_reused') : new ServiceError('batch_in_progress');
}

/** Whether an error says that nothing will be done, whoever is asked. */
const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.code !== 'state_unavailable';

/**
 * Executes a request once for all that come under its key in 24 hours: the first does the work, later ones get its
 * result with `replayed: true`. The result is filed in the same transaction that charges for it. A request that is
 * refused or fails leaves the key free; one whose process dies, or of which nobody knows whether it was filed, frees it when its lease
 * ends.
 * @param request `endpoint` as the ledger files it, the key as sent and the body as parsed.
 * @param work gets the id to reserve credits under, the same when it takes over from a dead process, and the claim, without which it
 * may file nothing.
 * @throws ServiceError idempotency_key_reused, batch_in_progress; whatever the work throws (unwrapped from Failed and Undecided).
 */
export async function once<T extends object>(
  ctx: Ctx,
  request: { readonly endpoint: string; readonly key: string; readonly body: unknown },
  work: (chargeId: string, claim: Claim) => Promise<Done<T>>,
): Promise<T & { readonly replayed?: true }> {
  const { endpoint, key, body } = request;
  const { clock } = ctx;
  const records = ctx.state.idempotency;
  const bodyHash = createHash('sha256').update(canonicalJson(body)).digest('base64url');
  const find = () => {
    const now = clock.now();
    const accountId = accountOf(ctx).id;
    const [leaseUntil, expiresAt] = [now + LEASE_MS, now + KEPT_MS];
    return records.begin({ accountId, endpoint, key, bodyHash, now, leaseUntil, expiresAt });
  };
  const replay = (response: string) => {
    const { [RELEASE]: release, ...result } = JSON.parse(response) as T & { readonly [RELEASE]?: string };
    if (release !== undefined) ctx.release.name(release);
    return { ...(result as unknown as T), replayed: true as const };
  };

  const found = await find();
  if (found.kind === 'replay') return replay(found.response);
  if (found.kind !== 'execute') throw refuse(found);
  const { claim } = found;
  const renewal = setInterval(() => {
    records
      .renew(claim, clock.now() + LEASE_MS)
      .catch(error => ctx.log.error({ err: error }, 'an idempotency lease could not be renewed'));
  }, RENEW_MS);
  try {
    const done = await work(`${endpoint}/${claim.id}`, claim).catch(async (error: unknown) => {
      if (error instanceof Undecided) throw error.cause;
      const failed = error instanceof Failed ? error : new Failed(error, null);
      // Whoever died before may have filed the work. To free its key for a failure of the store would have it done twice.
      const isOurs = !(failed.cause instanceof TakenOver);
      if (isOurs && claim.isTakeover && !isRefusal(failed.cause)) throw failed.cause;
      await records.abandon(claim, { reservation: failed.reservation, now: clock.now() });
      if (!isOurs) return null;
      throw failed.cause;
    });
    // Another process has taken over: its result is the one that was charged.
    const lost = async () => {
      const theirs = await find();
      if (theirs.kind === 'replay') return replay(theirs.response);
      throw new ServiceError('batch_in_progress');
    };
    return done ? await file(ctx, claim, done, lost) : await lost();
  } finally {
    clearInterval(renewal);
  }
}

/** Files a result and charges for it. @param lost what to answer when the claim was taken over. */
async function file<T>(ctx: Ctx, claim: Claim, done: Done<T>, lost: () => Promise<T>): Promise<T> {
  const { result, reservation, cost } = done;
  const now = ctx.clock.now();
  const { source } = ctx.release;
  const stored = JSON.stringify(source === null ? result : { ...result, [RELEASE]: source });
  const outcome = await ctx.state.idempotency.complete(claim, stored, { reservation, cost, now });
  if (outcome === 'lost') return lost();
  if (outcome !== 'unaffordable') {
    if (reservation && outcome) ctx.bill.add(cost, reservation.allowance, outcome);
    return result;
  }
  await ctx.state.idempotency.abandon(claim, { reservation, now });
  throw await shortage(ctx, cost);
}
