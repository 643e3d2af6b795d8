import type { Value } from '../../datasets/dataset.ts';
import { parseAddress } from '../geocode/address/address.ts';
import { cityKey } from '../geocode/address/city.ts';
import { type HouseNumber, holds, numberAt } from '../geocode/address/house-number.ts';
import type { Whereabouts } from '../geocode/address/number/hyphen.ts';
import { streetText } from '../geocode/address/street.ts';
import { capitals } from '../geocode/address/text.ts';

/** An address as it is compared with situs columns. */
export interface Situs {
  readonly number: HouseNumber;
  /** Street in the form of USPS Publication 28. */
  readonly line: string;
  /** What tells its unit from others of the house, whatever kind of unit it is called: 7 of UNIT 07, # 7 and APT 7; null where it has none. */
  readonly unit: string | null;
  readonly city: string | null;
  /** Five digits. */
  readonly zip: string | null;
}

/**
 * Reads an address as `12 MAIN ST, BANGOR, ME 04401`, in any spelling; what follows the street line may be missing.
 * @param where the county lies: it says what a hyphen in a number means.
 * @returns null when it has no house number and street: then it names no one parcel.
 */
export function readSitus(address: string, where: Pick<Whereabouts, 'state' | 'county'>): Situs | null {
  const { zip, located } = parseAddress(address);
  const reading = located[0]?.readings[0];
  if (!reading?.number || !reading.street) return null;
  const { street, unit, city } = reading;
  const number = numberAt(reading.number, { ...where, zip, city });
  return { number, line: streetText(street), unit: unitKey(unit), city: city === null ? null : cityKey(city), zip };
}

/** A unit as units are compared: without what a dwelling is called, and without zeros in front. */
const unitKey = (unit: string | null): string | null =>
  unit === null ? null : unit.replace(/^(?:UNIT|APT|#|STE) /, '').replace(/\b0+(?=\d)/g, '');

/** Whether a stored number is the asked one: the same, or a range that holds it (13-17 holds 13, 15 and 17). */
const isNumber = (stored: HouseNumber, { grid, suffix, value, high }: HouseNumber): boolean =>
  stored.grid === grid && stored.suffix === suffix && holds(stored, value) && holds(stored, high);

/**
 * Whether a parcel's situs columns say the same house, whatever its unit; a city or ZIP code that either lacks does not tell them apart.
 * @returns what it says; null where it is another house.
 */
export function sameHouse(
  { number, line, city, zip }: Situs,
  stored: { readonly address: Value; readonly city: Value; readonly zip: Value },
  where: Pick<Whereabouts, 'state' | 'county'>,
): Situs | null {
  if (typeof stored.address !== 'string') return null;
  const situs = readSitus(stored.address, where);
  if (!situs || situs.line !== line || !isNumber(situs.number, number)) return null;
  if (city !== null && typeof stored.city === 'string' && cityKey(capitals(stored.city)) !== city) return null;
  return zip === null || typeof stored.zip !== 'string' || stored.zip.slice(0, 5) === zip ? situs : null;
}

/** Of rows of one house those of the unit that was asked for, else those of the whole house. */
export function ofUnit<T extends { readonly unit: string | null }>(rows: readonly T[], unit: string | null): T[] {
  const own = rows.filter(row => row.unit === unit);
  return own.length > 0 ? own : rows.filter(row => row.unit === null);
}
