import { houseOf, isSameNumber, isSitusOf } from '../../query/geocode/address/number/numbered-house.ts';
import type { TierMatch } from './tier.ts';

/** Says that a match is a neighbour of the address asked for. */
export interface OtherLot {
  /** Why no parcel is named, for the caller. */
  readonly reason: string;
  /** Whether a parcel has the address asked for as its own situs address. */
  isSitus(situs: string | null): boolean;
}

/**
 * Finds out whether a rooftop that a geocoder answered with stands on another lot than the address, because its house
 * number differs. Across the street (the other parity) it nearly always does. On the same side a third of the next
 * numbers does (Forest City, docs/lookup.md), which is too many to name a parcel. When only the suffix differs (12 for
 * 12C, 25 for 25 1/2) nobody can tell, so that no parcel is named either.
 * @param address as sent.
 * @returns null when the match is no neighbour, or when its house number is not known.
 */
export function otherLotOf(address: string, match: TierMatch): OtherLot | null {
  if (match.accuracyType !== 'nearest_rooftop_match' || match.normalizedAddress === null) return null;
  const wanted = houseOf(address);
  const found = houseOf(match.normalizedAddress);
  if (!wanted || !found) return null;
  const same = isSameNumber(wanted.number, found.number);
  if (same && wanted.number.suffix === found.number.suffix) return null;
  const across = (wanted.number.value - found.number.value) % 2 !== 0;
  const lot = same
    ? 'whether it stands on the same lot is not known'
    : `it stands on another lot${across ? ' across the street' : ''}`;
  return {
    reason: `the nearest known building is number ${found.number.text}, not ${wanted.number.text}: ${lot}, so that no parcel was matched`,
    isSitus: situs => situs !== null && isSitusOf(wanted, situs),
  };
}
