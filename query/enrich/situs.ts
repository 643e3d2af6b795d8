import type { Value } from '../../datasets/dataset.ts';
import { parseAddress } from '../geocode/address.ts';
import { cityKey } from '../geocode/similarity.ts';
import { streetText } from '../geocode/street.ts';
import { capitals } from '../geocode/text.ts';

/** An address as it is compared with situs columns. */
export interface Situs {
  /** House number with which the street line begins, as written. */
  readonly number: string;
  /** Street line in the form of USPS Publication 28, with its unit. */
  readonly line: string;
  readonly city: string | null;
  /** Five digits. */
  readonly zip: string | null;
}

/**
 * Reads an address as `12 MAIN ST, BANGOR, ME 04401`, in any spelling; what follows the street line may be missing.
 * @returns null when it has no house number and street: then it names no one parcel.
 */
export function readSitus(address: string): Situs | null {
  const { zip, located } = parseAddress(address);
  const reading = located[0]?.readings[0];
  if (!reading?.number || !reading.street) return null;
  const { number, street, unit, city } = reading;
  const line = [number.text, streetText(street), unit].filter(Boolean).join(' ');
  return { number: number.text, line, city: city === null ? null : cityKey(city), zip };
}

/** Whether a parcel's situs columns say the same address; a city or ZIP code that either lacks does not tell them apart. */
export function sameSitus(
  { line, city, zip }: Situs,
  stored: { readonly address: Value; readonly city: Value; readonly zip: Value },
): boolean {
  if (typeof stored.address !== 'string' || readSitus(stored.address)?.line !== line) return false;
  if (city !== null && typeof stored.city === 'string' && cityKey(capitals(stored.city)) !== city) return false;
  return zip === null || typeof stored.zip !== 'string' || stored.zip.slice(0, 5) === zip;
}
