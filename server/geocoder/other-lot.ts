import { houseOf, isSameNumber, isSitusOf } from '../../query/geocode/address/number/numbered-house.ts';
import type { TierMatch } from './tier.ts';

/** A match that is the neighbour of what was asked for. */
export interface OtherLot {
  /** For whoever misses the parcel. */
  readonly reason: string;
  /** Whether a parcel is that of the address all the same, by its own situs address. */
  isSitus(situs: string | null): boolean;
}

/**
 * Whether the nearest rooftop that a geocoder answered with stands on another lot than the address: its number is another
 * one. Across the street (the other parity) it nearly always does; on the same side a third of the next numbers
 * does (Forest City, docs/lookup.md), which is too many to name a parcel by. Of a number that differs in what stands
 * behind it (12 for 12C, 25 for 25 1/2) nobody can tell, so that it names none either.
 * @param address as sent.
 * @returns null where the match is no neighbour, or its number is not told.
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
