import { randomUUID } from 'node:crypto';
import { accountOf, type Ctx } from '../context.ts';
import { reserveCredits, settleCredits, shortage } from '../credits/charge.ts';
import { billed, priceOf } from '../credits/price.ts';
import { ServiceError } from '../errors/registry.ts';
import { type OpenLocator, openLocator, type Place } from '../geocode/resolver.ts';
import { type Done, Failed, once } from '../idempotency/once.ts';
import { type Locator, readLocator } from '../locator.ts';
import { outlive } from '../outliving.ts';
import { chooseRelease } from '../release/choice.ts';
import type { Reservation } from '../state/ledger.ts';
import type { BatchBody, BatchEntry, BatchResult } from './batch-schema.ts';
import { fetchAt, LOCATION_LIMIT_MS } from './location.ts';
import { withoutOwners } from './owner-withholding.ts';
import { MAX_FIELDS, selectFields } from './selection.ts';

/** Milliseconds one batch may take. Without it, 25 locations, four at a time, could take 140 s. */
export const BATCH_LIMIT_MS = 90_000;
/** Bytes of one record, estimated. */
const RECORD_BYTES = 1_000;

/** Estimates the bytes of a batch answer. Records are objects in memory before they become text. */
export const batchBytes = (body: unknown): number => (body as BatchBody).locations.length * MAX_FIELDS * RECORD_BYTES;

/** Locations computed at once. */
const AT_ONCE = 4;
const ENDPOINT = 'fetch/batch';

interface BatchOptions {
  /** 8 to 128 characters of `A-Za-z0-9_-`; null for none. */
  readonly idempotencyKey?: string | null;
  /** Called each time locations are done, with the number done and the number of all. */
  readonly onProgress?: (done: number, total: number) => void;
}

const refused = (index: number, { code, message, retryable }: ServiceError): BatchEntry => ({
  index,
  ok: false,
  error: { error: code, message, retryable },
});

/** Runs the work for each item in order, a few at a time. The first failure ends it. */
async function eachAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** A location that passed the checks and can be resolved. */
interface OpenLocation {
  readonly index: number;
  /** Index of the first location with the same address, which pays for resolving it. */
  readonly first: number;
  /** Credits that resolving this location costs. */
  readonly credits: number;
  readonly resolve: () => Promise<Place>;
  /** Credits of resolving the address: charged at the first call for each address of the batch, 0 afterwards. */
  readonly charge: () => number;
}

/** Checks each location by itself; a refusal becomes its entry. The same address is resolved and charged once. */
async function openLocations(ctx: Ctx, locators: readonly Locator[], results: BatchEntry[]): Promise<OpenLocation[]> {
  const locations: OpenLocation[] = [];
  const shared = new Map<string, Omit<OpenLocation, 'index'>>();
  const share = (index: number, { key, credits, resolve }: OpenLocator) => {
    let place: Promise<Place> | undefined;
    let charged = false;
    const charge = () => {
      const due = charged ? 0 : credits;
      charged = true;
      return due;
    };
    const sharedLocation = key === null ? undefined : shared.get(key);
    const location = sharedLocation ?? { first: index, credits, resolve: () => (place ??= resolve()), charge };
    if (key !== null) shared.set(key, location);
    return location;
  };
  for (const [index, locator] of locators.entries()) {
    if (results[index] !== undefined) continue;
    try {
      locations.push({ index, ...share(index, await openLocator(ctx, locator)) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      results[index] = refused(index, error);
    }
  }
  return locations;
}

/** Locations of a batch that were checked and whose credits are reserved. */
export interface Reserved {
  /** Entries of the refused locations, at their index. */
  readonly results: BatchEntry[];
  readonly runnable: readonly OpenLocation[];
  /** Null when there is nothing to pay for. */
  readonly reservation: Reservation | null;
}

/**
 * Checks each location by itself and reserves the credits of those that may run.
 * @param charge under which the ledger files it. Its id never comes from a caller.
 * @throws ServiceError credits_exhausted when not one location fits.
 */
export async function reserveLocations(
  ctx: Ctx,
  locators: readonly Locator[],
  names: readonly string[],
  { endpoint, chargeId }: { readonly endpoint: string; readonly chargeId: string },
): Promise<Reserved> {
  const { plan } = accountOf(ctx);
  const results: BatchEntry[] = new Array(locators.length);
  const places = await openLocations(ctx, locators, results);
  const price = priceOf(ctx.catalog, plan, names).total;
  let reservation: Reservation | null = null;
  if (places.length > 0) {
    const costs = places.map(({ index, first, credits }) => price + (index === first ? credits : 0));
    reservation = await reserveCredits(ctx, chargeId, endpoint, costs);
  }
  const granted = new Set(places.flatMap(({ index }, i) => (reservation!.granted[i] ? [index] : [])));
  // A repeated address runs only if its first location, which pays for resolving it, runs too.
  const runnable = places.filter(({ index, first }) => granted.has(index) && granted.has(first));
  if (reservation && runnable.length === 0) {
    await settleCredits(ctx, reservation, 0);
    throw await shortage(ctx, Math.min(...places.map(({ credits }) => price + credits)));
  }
  for (const place of places)
    if (!runnable.includes(place))
      results[place.index] = refused(place.index, await shortage(ctx, price + place.credits));
  return { results, runnable, reservation };
}

/** Restores reserved locations from what was stored about them. @param refusals entries of those that may not run. */
export async function openReserved(
  ctx: Ctx,
  locators: readonly Locator[],
  refusals: readonly BatchEntry[],
  reservation: Reservation | null,
): Promise<Reserved> {
  const results: BatchEntry[] = new Array(locators.length);
  for (const entry of refusals) results[entry.index] = entry;
  const runnable = await openLocations(ctx, locators, results);
  return { results, runnable, reservation };
}

/**
 * Answers each reserved location by itself, and says what the answers cost.
 * @throws Failed, with the reservation, when the request is given up meanwhile.
 */
export async function answerReserved(
  ctx: Ctx,
  locators: readonly Locator[],
  names: readonly string[],
  { results, runnable, reservation }: Reserved,
  onProgress: BatchOptions['onProgress'],
): Promise<Done<BatchResult>> {
  const { plan } = accountOf(ctx);
  let done = locators.length - runnable.length;
  let cost = 0;
  if (done > 0) onProgress?.(done, locators.length);
  const answer = async ({ index, resolve, charge }: OpenLocation) => {
    try {
      const place = await resolve();
      const deadline = Math.min(ctx.deadline, ctx.clock.now() + LOCATION_LIMIT_MS);
      const result = await fetchAt({ ...ctx, deadline }, names, place);
      cost += priceOf(ctx.catalog, plan, billed(result.fields)).total + charge();
      results[index] = { index, ok: true, ...result };
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      if (!(error instanceof ServiceError)) ctx.log.error({ err: error, index }, 'unhandled fault of a batch location');
      results[index] = refused(index, error instanceof ServiceError ? error : new ServiceError('location_failed'));
    }
    done++;
    onProgress?.(done, locators.length);
  };
  await eachAtOnce(runnable, answer).catch((error: unknown) => {
    throw new Failed(error, reservation);
  });
  return { result: { fetched_at: new Date(ctx.clock.now()).toISOString(), results }, reservation, cost };
}

/** A batch that was read. */
interface BatchQuestion {
  readonly locators: readonly Locator[];
  readonly names: readonly string[];
  readonly body: BatchBody;
}

async function answerLocations(
  ctx: Ctx,
  { locators, names, body }: BatchQuestion,
  chargeId: string,
  onProgress: BatchOptions['onProgress'],
): Promise<Done<BatchResult>> {
  chooseRelease(ctx, body);
  const { id } = accountOf(ctx);
  const turn = (await ctx.batches.enter(id, ctx.signal))!;
  try {
    const reserved = await reserveLocations(ctx, locators, names, { endpoint: ENDPOINT, chargeId });
    return await answerReserved(ctx, locators, names, reserved, onProgress);
  } finally {
    turn.release();
  }
}

/**
 * POST /v1/fetch/batch: named fields at 1 to 25 places; `results[i]` answers `locations[i]`. Locators and fields are
 * checked for the whole request before any work, everything else for each location. With a key it runs once in 24
 * hours, and it goes on when the client has gone, because a retry will ask for the result.
 * @param body already of the right shape.
 * @throws ServiceError invalid_locator, no_fields_requested, fields_unknown, fields_too_many, release_not_kept, credits_exhausted (not
 * one location fits), batch_in_progress, idempotency_key_reused; AbortError when the client has gone, at no charge.
 */
export async function fetchBatch(ctx: Ctx, body: BatchBody, options: BatchOptions = {}): Promise<BatchResult> {
  const locators = body.locations.map((location, index) => readLocator(location, index));
  const names = selectFields(ctx.catalog, body);
  const { idempotencyKey = null, onProgress } = options;
  if (idempotencyKey !== null) {
    const kept: Ctx = { ...ctx, signal: new AbortController().signal };
    const work = once(kept, { endpoint: ENDPOINT, key: idempotencyKey, body }, chargeId =>
      answerLocations(kept, { locators, names, body }, chargeId, onProgress),
    );
    const result = await outlive(ctx.outliving, work);
    return result.replayed ? withoutOwners(result, ctx.engine.withheldSince()) : result;
  }
  try {
    const done = await answerLocations(ctx, { locators, names, body }, randomUUID(), onProgress);
    if (done.reservation) await settleCredits(ctx, done.reservation, done.cost);
    return done.result;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    if (error.reservation) await settleCredits(ctx, error.reservation, 0);
    throw error.cause;
  }
}
