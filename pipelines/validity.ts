import { orient2d } from 'robust-predicates';
import type { VectorLayer } from '../datasets/dataset.ts';
import type { Geometry } from '../datasets/geometry.ts';
import { type GeosPolygons, polygonsToGeometry, ringsOf } from '../query/geos.ts';
import { provesValid } from './disjoint-rings.ts';

/** What became of a geometry: kept as it is, repaired (what was done), or rejected (why). */
export type Verdict =
  | { readonly kind: 'valid'; readonly geometry: Geometry }
  | { readonly kind: 'repaired'; readonly geometry: Geometry; readonly reason: string }
  | { readonly kind: 'rejected'; readonly reason: string };

/** Areas that differ by no more are the same area: 1 cm² in m². */
const SAME_AREA_M2 = 1e-4;
/** Metres of one degree of latitude on a sphere of the WGS84 mean radius (6,371,008.8 m). */
const METRES_PER_DEGREE = 111_195.08;

/** Closes a ring and drops repeated points and zero-area spikes (A-B-A, or B beyond A on the same straight line). */
function cleanRing(ring: Float64Array): Float64Array {
  const points: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i]!;
    const y = ring[i + 1]!;
    const n = points.length;
    if (n >= 2 && points[n - 2] === x && points[n - 1] === y) continue;
    points.push(x, y);
  }
  let n = points.length;
  if (n >= 4 && points[0] === points[n - 2] && points[1] === points[n - 1]) points.length = n - 2;
  // A removed spike can expose another one, so go round until nothing changes.
  for (let i = 0, quiet = 0; quiet * 2 < points.length && points.length >= 6; ) {
    n = points.length / 2;
    i %= n;
    const [a, c] = [(i + n - 1) % n, (i + 1) % n];
    const [ax, ay, bx, by, cx, cy] = [a, i, c].flatMap(k => [points[k * 2]!, points[k * 2 + 1]!]) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const repeated = bx === cx && by === cy;
    const backwards = (bx - ax) * (cx - bx) + (by - ay) * (cy - by) < 0;
    if (repeated || (backwards && orient2d(ax, ay, bx, by, cx, cy) === 0)) {
      points.splice(i * 2, 2);
      i = Math.max(0, i - 2);
      quiet = 0;
    } else {
      i++;
      quiet++;
    }
  }
  if (points.length > 0) points.push(points[0]!, points[1]!);
  return Float64Array.from(points);
}

/** Signed shoelace area of one ring in m² on a local plane: ample to compare two readings of one small figure. */
function ringArea(ring: Float64Array, x0: number, y0: number, metresPerX: number): number {
  let sum = 0;
  for (let i = 0; i + 3 < ring.length; i += 2)
    sum += (ring[i]! - x0) * (ring[i + 3]! - y0) - (ring[i + 2]! - x0) * (ring[i + 1]! - y0);
  return (sum / 2) * metresPerX * METRES_PER_DEGREE;
}

/** Area that the rings claim: shells minus holes, whatever way round they run. */
function claimedArea(polygons: readonly (readonly Float64Array[])[], x0: number, y0: number): number {
  const metresPerX = METRES_PER_DEGREE * Math.cos((y0 * Math.PI) / 180);
  let area = 0;
  for (const rings of polygons)
    for (const [i, ring] of rings.entries()) area += Math.abs(ringArea(ring, x0, y0, metresPerX)) * (i === 0 ? 1 : -1);
  return area;
}

const isClosed = (ring: Float64Array) =>
  ring[0] === ring[ring.length - 2] && ring[1] === ring[ring.length - 1] && ring.length >= 8;

function judgePolygon(geometry: Geometry, geos: GeosPolygons): Verdict {
  if (provesValid(geometry)) return { kind: 'valid', geometry };
  const original = ringsOf(geometry);
  const open = original.flat().filter(r => r.length >= 6 && !isClosed(r)).length;
  const reason = open > 0 ? `${open} unclosed ring(s)` : geos.invalidReason(geometry);
  if (reason === null) return { kind: 'valid', geometry };

  const cleaned = original
    .map(rings => rings.map(cleanRing))
    .map(rings => rings.filter((r, i) => i === 0 || r.length >= 8));
  if (cleaned.some(rings => !rings[0] || rings[0].length < 8))
    return { kind: 'rejected', reason: `${reason}: a shell has no area` };
  const tidy = polygonsToGeometry(cleaned);
  const left = geos.invalidReason(tidy);
  if (left === null)
    return {
      kind: 'repaired',
      geometry: tidy,
      reason: `${reason}: closed, repeated points and zero-area spikes removed`,
    };

  const evenOdd = geos.makeValid(tidy, 'linework');
  const nonZero = geos.makeValid(tidy, 'structure');
  if (!evenOdd || !nonZero) return { kind: 'rejected', reason: left };
  const [x0, y0] = [tidy.xy[0]!, tidy.xy[1]!];
  const claimed = claimedArea(cleaned, x0, y0);
  const areas = [evenOdd, nonZero].map(g => claimedArea(ringsOf(g), x0, y0));
  if (areas.some(area => Math.abs(area - claimed) > SAME_AREA_M2) || geos.invalidReason(evenOdd) !== null)
    return { kind: 'rejected', reason: left };
  return {
    kind: 'repaired',
    geometry: evenOdd,
    reason: `${left}: rings that touch themselves restructured, the area they cover is the same`,
  };
}

const KINDS = {
  Point: 'point',
  MultiPoint: 'point',
  LineString: 'line',
  MultiLineString: 'line',
  Polygon: 'polygon',
  MultiPolygon: 'polygon',
} as const;

/** Every line must have two distinct points. */
function judgeLine(geometry: Geometry): Verdict {
  let start = 0;
  for (const end of geometry.ends) {
    const { xy } = geometry;
    let distinct = false;
    for (let i = start + 1; i < end && !distinct; i++)
      distinct = xy[i * 2] !== xy[start * 2] || xy[i * 2 + 1] !== xy[start * 2 + 1];
    if (!distinct) return { kind: 'rejected', reason: 'a line has fewer than two distinct points' };
    start = end;
  }
  return { kind: 'valid', geometry };
}

/**
 * Judges one geometry (lng,lat degrees WGS84) for a layer. An invalid polygon is repaired only where the repair is
 * certain: rings closed, repeated points and zero-area spikes removed; then rings that touch themselves restructured
 * when GEOS MakeValid covers the same area by even-odd (linework) and by non-zero (structure), and both equal the
 * shoelace area of the rings within 1 cm². Bow-ties and true self-intersections fail that test and are rejected with
 * GEOS's reason and its location (lng lat).
 * @param wanted kind of geometry that the source is declared to hold.
 */
export function judge(geometry: Geometry | null, wanted: VectorLayer['geometry'], geos: GeosPolygons): Verdict {
  if (!geometry) return { kind: 'rejected', reason: 'no geometry' };
  const { xy } = geometry;
  if (xy.length === 0) return { kind: 'rejected', reason: 'empty geometry' };
  const kind = KINDS[geometry.type];
  if (kind !== wanted) return { kind: 'rejected', reason: `${geometry.type} in a layer of ${wanted}s` };
  for (let i = 0; i < xy.length; i += 2) {
    const x = xy[i]!;
    const y = xy[i + 1]!;
    if (!(x >= -180 && x <= 180 && y >= -90 && y <= 90))
      return { kind: 'rejected', reason: `coordinate ${x} ${y} lies outside longitude ±180, latitude ±90` };
  }
  if (kind === 'polygon') return judgePolygon(geometry, geos);
  return kind === 'line' ? judgeLine(geometry) : { kind: 'valid', geometry };
}
