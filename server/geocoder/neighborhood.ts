import { parseAddress } from '../../query/geocode/address/address.ts';
import type { TierAnswer } from './tier.ts';

/** Addresses or cities that are known near an address that nothing answers: what can be asked for instead. */
export interface Neighborhood {
  /** On its street, the nearest number first. */
  readonly nearest_addresses?: readonly string[];
  /** Those of the release that have most streets, in capitals. */
  readonly cities?: readonly string[];
}

/** The number that an address was read with; null where it has none. */
function numberIn(address: string): number | null {
  const readings = parseAddress(address).located.flatMap(({ readings: all }) => all);
  return readings.find(({ number }) => number !== null)?.number?.value ?? null;
}

/** What a geocoder knows near an address that it does not know. @param address as typed. */
export function neighborhoodOf({ surroundings }: TierAnswer, address: string): Neighborhood {
  if (!surroundings) return {};
  const { street, numbers, cities } = surroundings;
  if (street !== null && numbers.length > 0) {
    const wanted = numberIn(address) ?? 0;
    const off = (number: string) => Math.abs(Number.parseInt(number, 10) - wanted);
    return { nearest_addresses: numbers.toSorted((a, b) => off(a) - off(b)).map(number => `${number} ${street}`) };
  }
  return cities.length > 0 ? { cities } : {};
}
