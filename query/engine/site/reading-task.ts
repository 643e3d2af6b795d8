import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import type { Point } from '../../evaluate/answer.ts';
import { utf8 } from '../../format/json-bytes.ts';
import { ACRE_M2 } from '../../geometry/acre.ts';
import { canonicalPolygon, digestOf } from '../../geometry/area/canonical-polygon.ts';
import { interiorPoint } from '../../geometry/area/interior-point.ts';
import { straightArea } from '../../geometry/polygon-overlap.ts';
import { toGeoJson } from '../../search/page/geojson.ts';
import { judgeAreas } from '../../search/request/area.ts';
import { areaTest } from '../../search/request/filter.ts';
import type { Issue } from '../../search/request/issue.ts';

/** A polygon that may be a site. */
export interface SiteCandidate {
  /** As it was sent, lng,lat. */
  readonly geometry: Geometry;
  /** Of it in the request, for issues. */
  readonly path: string;
  readonly maxAcres: number;
}

/** A polygon in its canonical form, or what is wrong with it. */
export type SiteReading =
  | {
      /** As GeoJSON in UTF-8: a megabyte that nobody has to make a text of. */
      readonly geoJson: Uint8Array;
      /** SHA-256 of the canonical form, hexadecimal. */
      readonly digest: string;
      readonly acres: number;
      /** West, south, east, north. */
      readonly extent: readonly [number, number, number, number];
      /** Inside it. */
      readonly point: Point;
    }
  | { readonly issue: Issue }
  | { readonly unread: string };

/** Brings a polygon into its canonical form and judges that as search judges areas; then its size. It is never repaired. */
export async function readSite({ geometry: sent, path, maxAcres }: SiteCandidate): Promise<SiteReading> {
  const geometry = canonicalPolygon(sent);
  if (!geometry)
    return {
      issue: {
        path,
        description: 'A ring has fewer than three different points at seven decimals.',
        hint: 'Remove the ring, or give it at least three points that lie more than a centimeter apart.',
      },
    };
  const { issues } = await judgeAreas([areaTest('intersects', geometry, path)], Infinity, sent);
  if (issues[0]) return { issue: issues[0] };
  const acres = straightArea(geometry) / ACRE_M2;
  if (!(acres <= maxAcres))
    return {
      issue: {
        path,
        description: `The site has ${Math.round(acres).toLocaleString('en-US')} acres, more than ${maxAcres.toLocaleString('en-US')}.`,
        hint: 'Register it in parts.',
      },
    };
  const inside = interiorPoint(geometry);
  if (!inside)
    return { issue: { path, description: 'The site has no interior.', hint: 'Make it wider than a micrometre.' } };
  const point = { lng: inside[0], lat: inside[1] };
  const geoJson = utf8(JSON.stringify(toGeoJson(geometry)));
  return { geoJson, digest: digestOf(geometry), acres, extent: boxOf(geometry), point };
}
