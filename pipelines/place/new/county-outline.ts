import { feature } from 'topojson-client';
import { countiesOf, countyBox } from '../../../datasets/codes/county-boxes.ts';
import { countyOutlines } from '../../../datasets/directory/county-outlines.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import { type Box, boxesMeet } from '../../../datasets/geometry.ts';
import { fromGeoJSON } from '../../../ingest/geojson.ts';
import { clipToBox } from '../../../query/geometry/area/clip-to-box.ts';
import { boxAround } from '../../../query/geometry/boxes-about.ts';
import { distanceTo } from '../../../query/geometry/feature-distance.ts';

/** Metres that these boundaries may be off: what generalizing leaves of a shore or a river, and a step of 280 m. */
export const OUTLINE_ACCURACY_M = 1500;

/** The outline of a county in lng,lat by its five digits; null where the boundaries have none: the county is no more. */
export function outlineOf(county: string): Geometry | null {
  const outlines = countyOutlines();
  const object = outlines.objects.counties.geometries.find(({ id }) => id === county);
  if (!object) return null;
  const found = feature(outlines, object);
  return found.type === 'Feature' ? fromGeoJSON(found.geometry) : null;
}

/** Whether the Census Bureau still has a county. */
export const isPresent = (county: string): boolean =>
  countyOutlines().objects.counties.geometries.some(({ id }) => id === county);

/** Counties about a place, with the metres from it: 0 in the county. */
export function countiesAbout(
  lng: number,
  lat: number,
): readonly { readonly county: string; readonly metres: number }[] {
  const near = countiesOf().filter(county => {
    const [west, south, east, north] = boxAround(countyBox(county)!, OUTLINE_ACCURACY_M);
    return lng >= west && lng <= east && lat >= south && lat <= north;
  });
  return near.flatMap(county => {
    const outline = outlineOf(county);
    return outline ? [{ county, metres: distanceTo(outline, lng, lat) }] : [];
  });
}

/** Ground of a county in a box, by its generalized boundary: whether there is any. */
export function hasGround(county: string, box: Box): boolean {
  const outline = boxesMeet(countyBox(county)!, box) ? outlineOf(county) : null;
  return outline !== null && clipToBox(outline, box) !== null;
}
