import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { StateStore } from './store.ts';

const EVERY_MS = 30_000;
/** Charges are kept for their month and the next one. The sums of a month stay. */
const CHARGES_KEPT_MS = 62 * 24 * 60 * 60 * 1000;
const WATCH_NEWS_KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Two years. */
const AUDIT_KEPT_MS = 730 * 24 * 60 * 60 * 1000;

/** Releases what dead processes reserved and deletes what has expired, in portions so that requests get their turn. */
export async function tidy(state: StateStore, now: number): Promise<void> {
  const { ledger, idempotency, geocodes } = state;
  await ledger.releaseExpired(now);
  while ((await idempotency.prune(now)) > 0) await setImmediate();
  while ((await geocodes.prune(now)) > 0) await setImmediate();
  while ((await ledger.prune(now - CHARGES_KEPT_MS)) > 0) await setImmediate();
  while ((await state.audit.prune(now - AUDIT_KEPT_MS)) > 0) await setImmediate();
  while ((await state.attempts.prune(now)) > 0) await setImmediate();
  while ((await state.providerRecords.prune(now)) > 0) await setImmediate();
  while ((await state.identities.prune(now)) > 0) await setImmediate();
  while ((await state.mailCodes.prune(now)) > 0) await setImmediate();
  while ((await state.onboarding.prune(now)) > 0) await setImmediate();
  while ((await state.deviceCodes.prune(now)) > 0) await setImmediate();
  while ((await state.sites.prune(now)) > 0) await setImmediate();
  while ((await state.matchMaps.prune(now)) > 0) await setImmediate();
  while ((await state.receipts.prune(now)) > 0) await setImmediate();
  while ((await state.watches.prune(now - WATCH_NEWS_KEPT_MS)) > 0) await setImmediate();
  while ((await state.runs.prune(now)) > 0) await setImmediate();
  while ((await state.exports.prune(now)) > 0) await setImmediate();
  while ((await state.uploads.prune(now)) > 0) await setImmediate();
  while (await state.giveBack()) await setImmediate();
}

/**
 * Runs `tidy` every half minute. Any number of servers may do so on one store.
 * @param failed is told of a failure; the next round tries again.
 * @returns a function that stops it and waits for the running round.
 */
export function keepTidy(state: StateStore, clock: Clock, failed: (error: unknown) => void): () => Promise<void> {
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(() => tidy(state, clock.now())).catch(failed);
  }, EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return round;
  };
}
