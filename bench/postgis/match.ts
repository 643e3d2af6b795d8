import type { Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import type { Partition } from '../../datasets/release.ts';
import { ACRE_M2 } from '../../query/geometry/acre.ts';
import { toWkt } from '../../query/geometry/wkt.ts';
import { toGeoJson } from '../../query/search/page/geojson.ts';
import type { CountyOf } from '../../query/search/request/filter.ts';
import { PARCEL_AREA } from '../../query/search/request/name.ts';

/** Interior point of the parcel that ingest stored. */
const METHOD = 'parcel_representative_point';

/** A stored value as it is answered: timestamps to the millisecond. */
function answered(name: string, value: Value | undefined): Value {
  if (value === null || value === undefined) return null;
  const type = PARCEL_ATTRIBUTES[name as keyof typeof PARCEL_ATTRIBUTES]?.type as string | undefined;
  if (type === 'date') return String(value).slice(0, 10);
  if (type === 'timestamp') return new Date(Date.parse(String(value))).toISOString();
  return value;
}

function storedValue(name: string, properties: Readonly<Record<string, Value>>): Value {
  if (name === PARCEL_AREA) {
    const acres = properties.acreage;
    return typeof acres === 'number' ? acres * ACRE_M2 : null;
  }
  return properties[name] ?? null;
}

/**
 * Fills a match from a parcel's row.
 * @param geometry asked for only when an output shows it.
 * @param outputs names, in order.
 * @param county state and FIPS code, which the partition's key says and a row may lack.
 */
export function toMatch(
  properties: Readonly<Record<string, Value>>,
  geometry: () => Geometry,
  partition: Partition,
  { state, fips }: CountyOf,
  outputs: readonly string[],
  countyByFips: boolean,
): object {
  const fields: Record<string, unknown> = {};
  const field_status: Record<string, 'ok' | 'absent'> = {};
  for (const name of outputs) {
    const value = output(name);
    fields[name] = value;
    field_status[name] = value === null ? 'absent' : 'ok';
  }
  function output(name: string): unknown {
    switch (name) {
      case 'state':
      case 'state2':
        return state;
      case 'geoid':
        return fips;
      case 'county':
        return countyByFips ? fips : (properties.county ?? null);
      case 'geometry':
        return toGeoJson(geometry());
      case 'parcel_boundary_geojson':
        return JSON.stringify(toGeoJson(geometry()));
      case 'parcel_geometry_wkt':
        return toWkt(geometry());
      default:
        return answered(name, storedValue(name, properties));
    }
  }
  return {
    apn: properties.apn ?? null,
    address: properties.address ?? null,
    state,
    county: properties.county ?? null,
    city: properties.city ?? null,
    acreage: properties.acreage ?? null,
    source: partition.provenance.source,
    analysis_point: { lat: Number(properties.centroid_lat), lng: Number(properties.centroid_lon), method: METHOD },
    fields,
    field_status,
  };
}
