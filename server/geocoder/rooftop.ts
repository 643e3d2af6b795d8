import { parseAddress } from '../../query/geocode/address/address.ts';
import type { TierMatch } from './tier.ts';
import { gradeOf } from './verdict.ts';

/**
 * The address that a parcel may be matched by: the matched one with the unit that was asked for.
 * @param address as sent.
 * @returns null where the match is no rooftop, or its address is not known.
 */
export function rooftopAddressOf(address: string, { accuracyType, normalizedAddress }: TierMatch): string | null {
  if (gradeOf(accuracyType) !== 'parcel' || normalizedAddress === null) return null;
  const readings = parseAddress(address).located.flatMap(located => located.readings);
  const unit = readings.find(({ number, street }) => number !== null && street !== null)?.unit ?? null;
  return unit === null ? normalizedAddress : normalizedAddress.replace(/^[^,]*/, line => `${line} ${unit}`);
}
