import type { ApiRequest } from '../api/api-request.ts';
import type { AreaGeometry } from '../map/scene.ts';
import type { Place } from '../shell/address.ts';
import type { FieldRecord } from '../values/field-record.ts';

/** A parcel as a search answers it. */
export interface FoundParcel {
  readonly apn: string | null;
  readonly address: string | null;
  readonly source: string;
  readonly analysis_point: Place;
  readonly fields: { readonly geometry?: AreaGeometry | null };
  readonly enrichment?: { readonly fields: Readonly<Record<string, FieldRecord>> };
}

/** Degrees about a point: a hand's breadth, since a search wants an area. */
const AT_POINT = 1e-6;
/** Degrees about a point where a parcel of a known number lies: 100 m, since a click may lie beside the parcel. */
const NEAR_POINT = 1e-3;

/**
 * The search for the parcels at a point, with their boundaries, which no field of enrichment is.
 * @param states where they may lie, as two letters.
 * @param apn of the one that is meant; null for all. @param enrich whether everything known of it is asked for too.
 */
export function parcelSearch(
  { lat, lng }: Place,
  states: readonly unknown[],
  apn: string | null,
  enrich = false,
): ApiRequest {
  const d = apn === null ? AT_POINT : NEAR_POINT;
  const at = (x: number, y: number) => [Number((lng + x).toFixed(6)), Number((lat + y).toFixed(6))];
  const ring = [at(-d, -d), at(d, -d), at(d, d), at(-d, d), at(-d, -d)];
  const filters = [
    states.length === 1 ? { field: 'state', op: 'eq', value: states[0] } : { field: 'state', op: 'in', value: states },
    ...(apn === null ? [] : [{ field: 'apn', op: 'eq', value: apn }]),
    { field: 'geometry', op: 'intersects', value: { type: 'Polygon', coordinates: [ring] } },
  ];
  const body = { filters, fields: ['geometry'], ...(enrich && { enrich }), limit: apn === null ? 10 : 1 };
  return { method: 'POST', path: '/v1/search', body };
}
