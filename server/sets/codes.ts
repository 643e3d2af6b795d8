import { PROXIMITY_ERRORS } from '../errors/proximity.ts';
import { ADDRESS_CODES } from '../geocode/schema.ts';

const DRIVES = Object.keys(PROXIMITY_ERRORS) as (keyof typeof PROXIMITY_ERRORS)[];

/** What a question about a set, and an area of one, may be refused for. */
export const SET_CODES = [
  'search_invalid_request',
  'search_unavailable',
  'area_too_large',
  'parcel_not_found',
  'coord_out_of_bounds',
  'credits_exhausted',
  ...ADDRESS_CODES,
  ...DRIVES.filter(code => code !== 'unknown_set'),
  'release_not_kept',
] as const;
