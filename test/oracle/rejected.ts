import { fromGeoJSON, type Polygonal } from './geojson.ts';
import { contains } from './geometry.ts';
import { type OracleFilter, type OracleParcel, searchAll } from './search.ts';

/** A parcel that was rejected: of what it does not list among its values nobody knows anything. */
export interface RejectedParcel extends Omit<OracleParcel, 'geometry'> {
  /** Corners of an outline that has no area; none where no place is known. */
  readonly corners: readonly (readonly [number, number])[];
}

const BY_KEY = ['state', 'state2', 'geoid'];

/** Whether a rejected parcel may pass all filters. */
export const mayPass = (row: RejectedParcel, filters: readonly OracleFilter[]): boolean =>
  filters.every(filter => {
    if (filter.field === 'geometry') {
      const area = fromGeoJSON(filter.value as Polygonal);
      return row.corners.some(([lng, lat]) => contains(area, lng, lat));
    }
    if (!(filter.field in row.values) && !BY_KEY.includes(filter.field)) return true;
    return searchAll([row as unknown as OracleParcel], [filter]).length > 0;
  });
