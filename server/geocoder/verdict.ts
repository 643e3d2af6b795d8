import { STATE_FIPS } from '../../datasets/codes/state-fips.ts';
import { parseAddress } from '../../query/geocode/address/address.ts';
import type { AccuracyType } from '../../query/geocode/match.ts';
import { distance } from '../../query/geometry/geodesic.ts';
import { ServiceError } from '../errors/registry.ts';
import { withinEnvelope } from '../locator.ts';
import { coordinateInAnyOrder } from './coordinate.ts';
import { neighborhoodOf } from './neighborhood.ts';
import type { TierAnswer, TierMatch } from './tier.ts';

/** Matches with a lower similarity are refused (a limit of the interface). */
const MINIMUM_SIMILARITY = 0.8;

/** How exact a coordinate is: on the parcel, on the street, or only in the area. */
type Grade = 'parcel' | 'street' | 'centroid';

const GRADES: Readonly<Record<AccuracyType, Grade>> = {
  rooftop: 'parcel',
  nearest_rooftop_match: 'parcel',
  point: 'street',
  range_interpolation: 'street',
  intersection: 'street',
  street_center: 'street',
  place: 'centroid',
  county: 'centroid',
  state: 'centroid',
};

/** The grade of an accuracy type; shown in the `geocode` block. */
export const gradeOf = (type: AccuracyType): Grade => GRADES[type];

/** A box in WGS84 degrees. Puerto Rico and Guam are answered like states; other territories are refused. */
type Box = readonly [west: number, south: number, east: number, north: number];
const TERRITORIES: ReadonlyMap<string, Box> = new Map<string, Box>([
  ['PR', [-68, 17.6, -65.1, 18.6]],
  ['GU', [144.5, 13.1, 145.1, 13.8]],
]);

/** Whether a match lies in a state, DC, Puerto Rico or Guam, judged by its state code and coordinate. */
function inCountry({ lng, lat, state }: TierMatch): boolean {
  const boxed = ([west, south, east, north]: Box) => lng >= west && lng <= east && lat >= south && lat <= north;
  if (state === null) return withinEnvelope({ lng, lat }) || [...TERRITORIES.values()].some(boxed);
  const territory = TERRITORIES.get(state);
  return territory ? boxed(territory) : Object.hasOwn(STATE_FIPS, state) && withinEnvelope({ lng, lat });
}

/** The conclusion from an answer. */
type Verdict =
  | { readonly kind: 'found'; readonly match: TierMatch }
  /** Distinct places with comparable similarity, best first. None of them is picked. */
  | { readonly kind: 'several'; readonly matches: readonly TierMatch[] }
  /** Only a ZIP code, city, county or state is known. */
  | { readonly kind: 'coarse' }
  | { readonly kind: 'none' };

/** Metres. A large parcel's middle and its building may be this far apart; two towns are farther. */
const ONE_ADDRESS_M = 3_000;

/**
 * Whether two matches are one address that two sources place differently, such as the middle of a parcel and the
 * building on it. When one source has an address at two places, or two sources name no city, they are two addresses.
 */
const isOneAddress = (a: TierMatch, b: TierMatch) =>
  a.normalizedAddress !== null &&
  a.normalizedAddress === b.normalizedAddress &&
  a.source !== b.source &&
  distance(a.lng, a.lat, b.lng, b.lat) <= ONE_ADDRESS_M;

/** Draws the conclusion from an answer. Matches that are too dissimilar or abroad are ignored. */
export function verdictOf({ matches, area }: TierAnswer): Verdict {
  const similar = matches.filter(m => (m.similarity === null || m.similarity >= MINIMUM_SIMILARITY) && inCountry(m));
  const [best] = similar;
  if (!best) return { kind: area ? 'coarse' : 'none' };
  if (gradeOf(best.accuracyType) === 'centroid') return { kind: 'coarse' };
  const exact: TierMatch[] = [];
  for (const match of similar)
    if (gradeOf(match.accuracyType) !== 'centroid' && !exact.some(one => isOneAddress(one, match))) exact.push(match);
  return exact.length === 1 ? { kind: 'found', match: best } : { kind: 'several', matches: exact };
}

/** What tells places of one address apart and the address does not name. */
function missingFrom(address: string, { city }: TierAnswer): string[] {
  const { zip, located } = parseAddress(address);
  const reading = located.flatMap(({ readings }) => readings).find(({ street }) => street !== null);
  return [
    ...(city === null && !reading?.city ? ['city'] : []),
    ...(located.every(({ state }) => state === null) ? ['state'] : []),
    ...(zip === null ? ['ZIP code'] : []),
  ];
}

/**
 * Words for why an address has no match: what its street has instead of the number, or which cities are known.
 * @param address as typed.
 */
export function whyNone({ surroundings }: TierAnswer, address: string): string {
  if (coordinateInAnyOrder(address, withinEnvelope) !== null)
    return 'it is a coordinate and no address; send it as latitude and longitude where these are taken, or to POST /v1/lookup, which takes it as text';
  const unknown = 'nothing similar enough to it is known';
  if (!surroundings) return `${unknown}; check number, street, city and state`;
  const { street, numbers, city, cities, others, relation, apart, unit } = surroundings;
  if (relation !== undefined)
    return `it says where a place lies from another ("${relation.toLowerCase()}"); name the place by its own house number and street, by a crossing (Main St & Oak Ave), or by its coordinate`;
  if (apart !== undefined)
    return `${apart.replace(' & ', ' and ')} are known and do not meet; name a crossing with another street, or a house number`;
  if (unit !== undefined)
    return `${unit.replace('# ', '#')} stands where a unit does, and it has no house number; write that in front of the street`;
  if (street !== null) {
    const instead = numbers.length === 1 ? `only ${numbers[0]} is` : `${listed(numbers)} are the nearest that are`;
    return `its number is not known on ${street}; ${instead}`;
  }
  if (city !== null) return `${unknown} in ${city}, of which other streets are known; check number and street`;
  const more = others > 0 ? [`${others} ${others === 1 ? 'other' : 'others'}`] : [];
  return `${unknown}; addresses are known in ${listed([...cities, ...more])}`;
}

/** A list for people: a, b and c. */
const listed = (items: readonly string[]) =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/**
 * The one place that an answer names.
 * @param address as typed: where it fits several places, the error says what it lacks.
 * @throws ServiceError address_not_found (also where several places fit alike), address_too_coarse.
 */
export function requireMatch(answer: TierAnswer, address: string): TierMatch {
  const verdict = verdictOf(answer);
  switch (verdict.kind) {
    case 'found':
      return verdict.match;
    case 'coarse':
      throw new ServiceError('address_too_coarse');
    case 'none':
      throw new ServiceError(
        'address_not_found',
        { why: whyNone(answer, address) },
        { ...neighborhoodOf(answer, address) },
      );
    case 'several': {
      const missing = missingFrom(address, answer);
      const advice = missing.length > 0 ? `add its ${missing.join(' or ')}, or ask` : 'ask';
      throw new ServiceError('address_not_found', {
        why: `it fits ${verdict.matches.length} places equally well; ${advice} by the coordinate of the one that is meant, which POST /v1/lookup lists`,
      });
    }
  }
}
