import type { FieldRecord } from '../values/field-record.ts';

/** What tells whether a place floods, and how far it is from where it does. */
export const FLOOD_FIELDS: readonly string[] = [
  'fema_flood_zone',
  'within_floodplain_polygon',
  'nearest_sfha_distance_m',
];
/** How much of a parcel floods, whatever its place does: 0 to 1. */
export const FLOOD_SHARE = 'parcel_flood_sfha_fraction';

/** Shares that are told as none and as all of a parcel. */
const [NONE, ALL] = [0.0005, 0.995];

/** The share of a parcel in flood hazard areas where it has ground on both sides of their line; null where it has not, or nobody knows. */
export function partFlooded(record: FieldRecord | undefined): number | null {
  const { status, value } = record ?? {};
  return status === 'ok' && typeof value === 'number' && value >= NONE && value < ALL ? value : null;
}
