import { parseAddress } from '../../query/geocode/address/address.ts';

/** Words in city names that have a short and a long form (USPS Publication 28, and those the interface names). */
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

/** One spelling for a city's name: `St. Paul` = `SAINT PAUL`, `La Grange` = `LAGRANGE`, `City of Bangor` = `BANGOR`. */
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

/** Whether two names mean the same city, judged by spelling alone. */
export const sameCity = (a: string, b: string): boolean => canonical(a) === canonical(b);

/** The city in the likeliest reading of an address; null when it names none. */
export function cityNamed(address: string): string | null {
  const readings = parseAddress(address).located.flatMap(located => located.readings);
  const street = readings.find(reading => reading.street?.suffix && reading.city !== null);
  return (street ?? readings[0])?.city ?? null;
}
