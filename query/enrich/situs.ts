import type { Value } from '../../datasets/dataset.ts';

/** An address as it is compared with situs columns. */
export interface Situs {
  /** House number with which the street line begins. */
  readonly number: string;
  /** Street line, normalised. */
  readonly line: string;
  readonly city: string | null;
  /** Five digits. */
  readonly zip: string | null;
}

/** Words of a street line that publishers write out or abbreviate, in the form of USPS Publication 28, appendix C1. */
// biome-ignore format: a table of words
const STANDARD: Readonly<Record<string, string>> = {
  ALLEY: 'ALY', AVENUE: 'AVE', AV: 'AVE', BOULEVARD: 'BLVD', BRIDGE: 'BRG', CENTER: 'CTR', CIRCLE: 'CIR', COURT: 'CT',
  COVE: 'CV', CREEK: 'CRK', CRESCENT: 'CRES', CROSSING: 'XING', DRIVE: 'DR', EXTENSION: 'EXT', HEIGHTS: 'HTS',
  HIGHWAY: 'HWY', HILL: 'HL', ISLAND: 'IS', JUNCTION: 'JCT', LANE: 'LN', LANDING: 'LNDG', MOUNT: 'MT', MOUNTAIN: 'MTN',
  PARKWAY: 'PKWY', PLACE: 'PL', PLAZA: 'PLZ', POINT: 'PT', RIDGE: 'RDG', ROAD: 'RD', ROUTE: 'RTE', SQUARE: 'SQ',
  STREET: 'ST', STR: 'ST', TERRACE: 'TER', TRAIL: 'TRL', TURNPIKE: 'TPKE', VALLEY: 'VLY', VIEW: 'VW', VILLAGE: 'VLG',
  NORTH: 'N', SOUTH: 'S', EAST: 'E', WEST: 'W', NORTHEAST: 'NE', NORTHWEST: 'NW', SOUTHEAST: 'SE', SOUTHWEST: 'SW',
};

/** Upper case, without punctuation, every word in its standard form. */
export const situsLine = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f.'’]/g, '')
    .toUpperCase()
    .split(/[^A-Z0-9/-]+/)
    .filter(Boolean)
    .map(word => STANDARD[word] ?? word)
    .join(' ');

/**
 * Reads an address as `12 MAIN ST, BANGOR, ME 04401`; what follows the street line may be missing.
 * @returns null when the street line does not begin with a house number: then it names no one parcel.
 */
export function readSitus(address: string): Situs | null {
  const [street = '', ...rest] = address.split(',');
  const line = situsLine(street);
  const number = /^\d[\dA-Z/-]*(?= )/.exec(line)?.[0];
  if (number === undefined) return null;
  const zip = /\b(\d{5})(?:-\d{4})?\s*$/.exec(address)?.[1] ?? null;
  const city = rest.length > 1 || (rest[0] && !/\d/.test(rest[0])) ? situsLine(rest[0]!) : null;
  return { number, line, city: city || null, zip };
}

/** Whether a parcel's situs columns say the same address; a city or ZIP code that either lacks does not tell them apart. */
export function sameSitus(
  { line, city, zip }: Situs,
  stored: { readonly address: Value; readonly city: Value; readonly zip: Value },
): boolean {
  if (typeof stored.address !== 'string' || situsLine(stored.address) !== line) return false;
  if (city !== null && typeof stored.city === 'string' && situsLine(stored.city) !== city) return false;
  return zip === null || typeof stored.zip !== 'string' || stored.zip.slice(0, 5) === zip;
}
