import { cityCost } from '../../query/geocode/address/city.ts';
import { capitals } from '../../query/geocode/address/text.ts';
import type { TierAnswer, TierMatch } from '../geocoder/tier.ts';
import { verdictOf, whyNone } from '../geocoder/verdict.ts';
import { cityNamed } from './city.ts';
import { confidenceOf } from './confidence.ts';
import type { LookupResult } from './schema.ts';

/** Candidates offered at most (a limit of the interface). */
const MAX_CANDIDATES = 3;

/** A result for an address that does not name exactly one place. */
type Unmatched = Exclude<LookupResult, { disposition: 'resolved' }>;

/** Makes a `no_match` result. */
export const noMatch = (
  reason: Extract<LookupResult, { disposition: 'no_match' }>['reason'],
  hint: string,
): Extract<LookupResult, { disposition: 'no_match' }> => ({
  disposition: 'no_match',
  reason,
  hint,
});

/** The one place an address names, or why there is none. It never picks among several, and never changes the city. */
export function judged(address: string, answer: TierAnswer): { readonly match: TierMatch } | Unmatched {
  const verdict = verdictOf(answer);
  switch (verdict.kind) {
    case 'none':
      return noMatch(
        'unaddressed_or_no_match',
        `${whyNone(answer, address).replace(/^[a-z]/, first => first.toUpperCase())}. Correct the address, or send the coordinate.`,
      );
    case 'coarse':
      return noMatch('address_too_coarse', 'Only the area is known: add a house number and street.');
    case 'several':
      return {
        disposition: 'clarify',
        candidates: verdict.matches.slice(0, MAX_CANDIDATES).map(match => ({
          resolved_address: match.normalizedAddress,
          lat: match.lat,
          lng: match.lng,
          confidence: confidenceOf(address, match),
        })),
      };
  }
  const { match } = verdict;
  // The local geocoder has read the address: null then means that the address names no city.
  const city = answer.provider === 'other' ? answer.city : (answer.city ?? cityNamed(address));
  const isOf = (name: string | null | undefined) => name != null && cityCost(capitals(city!), capitals(name)) !== null;
  if (city !== null && match.city !== null && !isOf(match.city) && !isOf(match.postalCity))
    return noMatch(
      'unaddressed_or_no_match',
      `The only match, ${match.normalizedAddress}, lies in another city than the input names: correct or omit the city.`,
    );
  return { match };
}
