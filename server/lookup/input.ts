import type { Point } from '../../query/evaluate/answer.ts';
import { stateOfZip } from '../../query/geocode/address/state.ts';
import { ServiceError } from '../errors/registry.ts';
import { coordinateOf, requirePlausible } from '../geocoder/coordinate.ts';

export const KINDS = ['address', 'coord', 'apn'] as const;
type Kind = (typeof KINDS)[number];

/** What the text of a lookup means. */
export type LookupInput =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'coord'; readonly point: Point }
  | { readonly kind: 'apn' };

/** Matches a ZIP code, with its four digits more or without: an area, by the rule of geocode. */
const ZIP_CODE = /^(\d{5})(?:-\d{4})?$/;
/** Matches a parcel number: digits and hyphens; some counties also use blanks, dots and slashes. */
const PARCEL_NUMBER = /^(?=.*\d)[\d\s./-]+$/;

/**
 * Reads the input of a lookup.
 * @param text as sent, not blank.
 * @param kind as sent; null to infer it from the shape of the text.
 * @throws ServiceError resolve_invalid_input for text that is not of the kind asked for or has neither letter nor
 * digit, resolve_coord_bounds for a coordinate outside the envelope.
 */
export function readInput(text: string, kind: Kind | null): LookupInput {
  const input = text.trim();
  if (kind === 'apn') return { kind };
  if (kind !== 'address') {
    const point = coordinateOf(input);
    if (point) return { kind: 'coord', point: requirePlausible(point) };
    if (kind === 'coord')
      throw new ServiceError('resolve_invalid_input', { why: 'it is not a `lat,lng` pair such as `44.80,-68.77`' });
    const [, zip] = ZIP_CODE.exec(input) ?? [];
    const isZip = zip !== undefined && stateOfZip(zip) !== null;
    if (!isZip && PARCEL_NUMBER.test(input)) return { kind: 'apn' };
  }
  if (!/[\p{L}\p{N}]/u.test(input))
    throw new ServiceError('resolve_invalid_input', { why: 'it holds neither a letter nor a digit' });
  return { kind: 'address', address: input };
}
