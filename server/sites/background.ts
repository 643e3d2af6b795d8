import { setTimeout as sleep } from 'node:timers/promises';
import { EngineBusy } from '../../query/engine/engine-interface.ts';
import { readArea } from '../../query/search/page/geojson.ts';
import type { ScreeningClaim, SiteRecords } from '../state/sites.ts';
import { type ScreeningServices, screen } from './dossier.ts';
import type { Screener } from './operation.ts';

/** A screening that has not renewed for so long belongs to a process that is gone: another takes it over. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** How often other servers' work that was left behind is looked for. */
const LOOK_MS = 5_000;
/** Attempts after which a site has failed; one that killed its process counts. */
const MOST_ATTEMPTS = 4;
/** Before a site is tried again. */
const RETRY_MS = 5_000;

/** Screens sites in the background. */
export interface BackgroundScreener extends Screener {
  /** Ends what runs and lets another server have it. */
  stop(): Promise<void>;
}

/** What the background tells an operator. */
type Log = { error(detail: object, message: string): void };

async function screenClaimed(
  services: ScreeningServices,
  sites: SiteRecords,
  claim: ScreeningClaim,
  stopping: AbortSignal,
  log: Log,
): Promise<void> {
  const { clock } = services;
  const lost = new AbortController();
  const renewal = setInterval(() => {
    sites
      .renew(claim, clock.now() + LEASE_MS)
      .then(held => held || lost.abort())
      .catch(error => log.error({ err: error, site: claim.id }, 'the lease of a screening could not be renewed'));
  }, RENEW_MS);
  try {
    const geometry = readArea(JSON.parse(claim.geometry), 'site', Infinity);
    if ('description' in geometry) throw new Error(`the stored polygon cannot be read: ${geometry.description}`);
    const { acres, extent } = claim;
    const dossier = await screen(services, geometry, { acres, extent }, AbortSignal.any([stopping, lost.signal]));
    await sites.complete(claim, JSON.stringify(dossier), dossier.release ?? '', clock.now());
  } catch (error) {
    if (stopping.aborted) await sites.abandon(claim, null, 0);
    else if (!lost.signal.aborted) {
      const wait = error instanceof EngineBusy;
      if (!wait) log.error({ err: error, site: claim.id, attempt: claim.attempts }, 'a site could not be screened');
      const over = claim.attempts >= MOST_ATTEMPTS;
      await sites.abandon(claim, over ? (error as Error).message : null, clock.now() + RETRY_MS);
    }
  } finally {
    clearInterval(renewal);
  }
}

/**
 * Screens sites one after the other, so that no more than one worker of this process is busy with them; any number of
 * servers may do so on one store, and each site is screened by one of them.
 */
export function screenInBackground(services: ScreeningServices, sites: SiteRecords, log: Log): BackgroundScreener {
  const stopping = new AbortController();
  let waiting = true;
  let wake = () => {};
  const work = async () => {
    while (!stopping.signal.aborted) {
      waiting = false;
      try {
        const now = services.clock.now();
        const claim = await sites.claim(now, now + LEASE_MS);
        if (claim) {
          await screenClaimed(services, sites, claim, stopping.signal, log);
          continue;
        }
      } catch (error) {
        log.error({ err: error }, 'sites that wait to be screened could not be looked for');
      }
      if (waiting) continue;
      const look = new AbortController();
      wake = () => look.abort();
      await sleep(LOOK_MS, undefined, { ref: false, signal: look.signal }).catch(() => {});
    }
  };
  const working = work();
  return {
    begin() {
      waiting = true;
      wake();
    },
    async stop() {
      stopping.abort();
      wake();
      await working;
    },
  };
}
