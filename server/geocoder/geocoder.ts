import { createHash } from 'node:crypto';
import { unsupportedForm } from '../../query/geocode/address/unsupported-form.ts';
import type { Clock } from '../clock.ts';
import { ServiceError } from '../errors/registry.ts';
import type { Gate } from '../lease/gate.ts';
import type { GeocodeRecords } from '../state/geocodes.ts';
import { periodOf } from '../state/usage/period.ts';
import type { GeocodeTier, LocateTerms, TierAnswer } from './tier.ts';
import { verdictOf } from './verdict.ts';

/** How long a resolved address is kept for the account that asked (a limit of the interface). */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Whose turn guests wait for, all together. */
const GUESTS = 'guests';

/** An address that can be looked up, with what is known about it before the lookup. */
export interface OpenAddress {
  /** Digest of the address. Case, spacing and compatible characters do not change it. */
  readonly key: string;
  /** Whether the account resolved this address in the last 30 days. Endpoints that charge make repeats free. */
  readonly repeat: boolean;
  /**
   * Looks the address up, or returns the answer of a lookup before.
   * @throws ServiceError geocode_unconfigured, geocode_busy, geocode_budget_exhausted (all three before any lookup),
   * geocode_upstream_error, geocode_timeout, geocode_forbidden; AbortError when the signal aborts.
   */
  answer(terms: LocateTerms): Promise<TierAnswer>;
}

/** Resolves addresses to places with a tier. */
export interface Geocoder {
  /**
   * @param accountId null of a guest, of whom nothing is kept.
   * @throws ServiceError address_form_unsupported, told from the text alone; auth_invalid of a guest where lookups cost something.
   */
  open(accountId: string | null, address: string): Promise<OpenAddress>;
}

interface GeocoderOptions {
  readonly tier: GeocodeTier;
  readonly records: GeocodeRecords;
  readonly clock: Clock;
  /** Limits how many lookups run at once. */
  readonly gate: Gate;
  /** Lookups a month over all servers; null is no limit. */
  readonly budget: number | null;
}

function hashOf(address: string): string {
  const text = address.normalize('NFKC').toUpperCase().replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(text).digest('base64url');
}

/** Makes a geocoder that checks cache, gate and budget before it asks a tier. */
export function createGeocoder({ tier, records, clock, gate, budget }: GeocoderOptions): Geocoder {
  const lookUp = async (accountId: string | null, address: string, terms: LocateTerms): Promise<TierAnswer> => {
    tier.requireReady();
    const visit = await gate.enter(accountId ?? GUESTS, terms.signal);
    if (!visit) throw new ServiceError('geocode_busy');
    try {
      if (budget !== null && !(await records.spend(periodOf(clock.now()), budget)))
        throw new ServiceError('geocode_budget_exhausted');
      return await tier.locate(address, { ...terms, account: accountId ?? undefined });
    } finally {
      visit.release();
    }
  };
  return {
    async open(accountId, address) {
      const form = unsupportedForm(address);
      if (form !== null) throw new ServiceError('address_form_unsupported', { ...form });
      if (accountId === null && !tier.isFree) throw new ServiceError('auth_invalid');
      const key = hashOf(address);
      const kept = accountId === null ? null : await records.kept(accountId, key, clock.now());
      return {
        key,
        repeat: kept !== null,
        async answer(terms) {
          const version = tier.version();
          if (kept?.version === version) return JSON.parse(kept.answer) as TierAnswer;
          const answer = await lookUp(accountId, address, terms);
          if (accountId !== null && verdictOf(answer).kind === 'found') {
            const expiresAt = clock.now() + KEPT_MS;
            await records.keep({ accountId, addressHash: key, version, answer: JSON.stringify(answer), expiresAt });
          }
          return answer;
        },
      };
    },
  };
}
