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
 * does (Forest City, docs/lookup.md), which is too many to name a parcel by. A number that differs in what stands
 * behind it (12 for 12C) is the same lot's as far as anybody can tell.
 * @param address as sent.
 * @returns null where the match is no neighbour, or its number is not told.
 */
export function otherLotOf(address: string, match: TierMatch): OtherLot | null {
  if (match.accuracyType !== 'nearest_rooftop_match' || match.normalizedAddress === null) return null;
  const wanted = houseOf(address);
  const found = houseOf(match.normalizedAddress);
  if (!wanted || !found || isSameNumber(wanted.number, found.number)) return null;
  const across = (wanted.number.value - found.number.value) % 2 !== 0;
  return {
    reason: `the nearest known building is number ${found.number.text}, not ${wanted.number.text}: it stands on another lot${across ? ' across the street' : ''}, so that no parcel was matched`,
    isSitus: situs => situs !== null && isSitusOf(wanted, situs),
  };
}
