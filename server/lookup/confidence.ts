import { parseAddress } from '../../query/geocode/address/address.ts';
import { cityCost } from '../../query/geocode/address/city.ts';
import type { Reading } from '../../query/geocode/address/reading.ts';
import { COST, streetCost } from '../../query/geocode/address/similarity.ts';
import type { TierMatch } from '../geocoder/tier.ts';

const readingsOf = (address: string): Reading[] =>
  parseAddress(address).located.flatMap(({ readings }) => readings.filter(({ street }) => street !== null));

/** The cost of the differences between two readings, as the local geocoder computes it. */
function costOf(wanted: Reading, found: Reading): number {
  const number = wanted.number?.text === found.number?.text ? 0 : COST.numberUnknown;
  const city =
    wanted.city === null
      ? COST.cityMissing
      : found.city === null
        ? 0
        : (cityCost(wanted.city, found.city) ?? COST.cityOther);
  return wanted.strain + number + streetCost(wanted.street!, found.street!) + city;
}

/**
 * How likely it is that a match is the address asked for, 0 to 1: the similarity that the provider gives. The fallback
 * gives none; then the similarity of the two texts, by the formula in docs/geocoding.md. 0 when nothing can be
 * compared.
 */
export function confidenceOf(wanted: string, { similarity, normalizedAddress }: TierMatch): number {
  if (similarity !== null) return similarity;
  if (normalizedAddress === null) return 0;
  const found = readingsOf(normalizedAddress);
  const costs = readingsOf(wanted).flatMap(reading => found.map(other => costOf(reading, other)));
  return Math.round(1000 * Math.max(0, 1 - Math.min(1, ...costs))) / 1000;
}
