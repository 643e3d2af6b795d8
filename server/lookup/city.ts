import { parseAddress } from '../../query/geocode/address/address.ts';

/** Words of city names that are written short and long (Publication 28, and the variants the interface names). */
const LONG: ReadonlyMap<string, string> = new Map([
  ['ST', 'SAINT'],
  ['STE', 'SAINTE'],
  ['MT', 'MOUNT'],
  ['MTN', 'MOUNTAIN'],
  ['FT', 'FORT'],
  ['PT', 'POINT'],
  ['N', 'NORTH'],
  ['S', 'SOUTH'],
  ['E', 'EAST'],
  ['W', 'WEST'],
  ['HTS', 'HEIGHTS'],
  ['SPGS', 'SPRINGS'],
  ['JCT', 'JUNCTION'],
  ['TWP', 'TOWNSHIP'],
]);

/** A city's name in one spelling: `St. Paul` and `SAINT PAUL`, `La Grange` and `LAGRANGE`, `City of Bangor` and `BANGOR`. */
function canonical(city: string): string {
  const words = city
    .normalize('NFKD')
    .replace(/[\u0300-\u036f.'’]/g, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(word => LONG.get(word) ?? word);
  return words
    .join(' ')
    .replace(/^(?:CITY|TOWN|VILLAGE|BOROUGH|TOWNSHIP) OF (?:THE )?/, '')
    .replaceAll(' ', '');
}

/** Whether two names are of one city, as far as their spelling tells. */
export const sameCity = (a: string, b: string): boolean => canonical(a) === canonical(b);

/** The city that an address names, as its likeliest reading has it; null when it names none. */
export function cityNamed(address: string): string | null {
  const readings = parseAddress(address).located.flatMap(located => located.readings);
  const street = readings.find(reading => reading.street?.suffix && reading.city !== null);
  return (street ?? readings[0])?.city ?? null;
}
