import type { Point } from '../query/evaluate/answer.ts';
import { ServiceError } from './errors/registry.ts';

/** A body that may give a place in either form; null counts as not given. */
export interface LocatorBody {
  readonly lat?: number | null;
  readonly lng?: number | null;
  readonly address?: string | null;
}

/** Exactly one of the two forms. */
export type Locator = { readonly point: Point } | { readonly address: string };

/**
 * Reads the one locator of a body.
 * @param index of the location in a list, which the refusal names.
 * @throws ServiceError invalid_locator for both forms, neither, or half a coordinate.
 */
export function readLocator(body: LocatorBody, index?: number): Locator {
  const lat = body.lat ?? null;
  const lng = body.lng ?? null;
  const address = body.address ?? null;
  const refuse = (found: string) =>
    index === undefined
      ? new ServiceError('invalid_locator', { found })
      : new ServiceError('invalid_locator', { found: `in \`locations[${index}]\` ${found}` }, { index });
  if (address !== null) {
    if (lat !== null || lng !== null) throw refuse('both forms were sent');
    return { address };
  }
  if (lat === null && lng === null) throw refuse('neither was sent');
  if (lat === null) throw refuse('`lat` is missing');
  if (lng === null) throw refuse('`lng` is missing');
  return { point: { lng, lat } };
}

/**
 * Whether a point lies in the accepted envelope: lat 18 to 72 with lng -180 to -65, and the western Aleutians,
 * lat 51 to 54 with lng 172 to below 180 (WGS84 degrees).
 */
export const withinEnvelope = ({ lng, lat }: Point): boolean =>
  (lat >= 18 && lat <= 72 && lng >= -180 && lng <= -65) || (lat >= 51 && lat <= 54 && lng >= 172 && lng < 180);

/**
 * Checks that a point lies in the accepted envelope.
 * @throws ServiceError coord_out_of_bounds, which says when swapping lat and lng would fit.
 */
export function requireEnvelope(point: Point): void {
  if (withinEnvelope(point)) return;
  const hint = withinEnvelope({ lng: point.lat, lat: point.lng }) ? '; lat and lng seem to be swapped' : '';
  throw new ServiceError('coord_out_of_bounds', { lat: point.lat, lng: point.lng, hint });
}
