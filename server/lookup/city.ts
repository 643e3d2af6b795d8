import { parseAddress } from '../../query/geocode/address/address.ts';

/** The city in the likeliest reading of an address; null when it names none. */
export function cityNamed(address: string): string | null {
  const readings = parseAddress(address).located.flatMap(located => located.readings);
  const street = readings.find(reading => reading.street?.suffix && reading.city !== null);
  return (street ?? readings[0])?.city ?? null;
}
