import { orient2d } from 'robust-predicates';
import type { VectorLayer } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import {
  crossesAntimeridian,
  cutLines,
  cutPolygons,
  unwrappedPolygons,
} from '../../query/geometry/area/antimeridian.ts';
import { type GeosPolygons, polygonsToGeometry, ringsOf } from '../../query/geometry/geos.ts';
import { straightArea } from '../../query/geometry/polygon-overlap.ts';
import { provesValid } from './disjoint-rings.ts';
import { isKnotted, tangleOf } from './rejected/tangle.ts';

/** Square metres of one polygon by three readings of its rings, edges straight in lng,lat on the ellipsoid. */
export interface Readings {
  /** OGC make-valid by linework: ground covered an odd number of times. */
  readonly evenOdd: number;
  /** Make-valid by structure: ground covered at all. */
  readonly nonZero: number;
  /** Shells minus holes as they are wound: what most software calls the area of the figure. */
  readonly wound: number;
}

/** The verdict on a geometry: kept unchanged, repaired (and how), or rejected (and why). */
type Verdict =
  | { readonly kind: 'valid'; readonly geometry: Geometry }
  | { readonly kind: 'repaired'; readonly geometry: Geometry; readonly reason: string; readonly readings?: Readings }
  | { readonly kind: 'rejected'; readonly reason: string; readonly readings?: Readings };

/** Readings of a polygon that differ by less than both limits (m² and a share of the area) mean the same ground. */
const UNAMBIGUOUS_M2 = 10;
const UNAMBIGUOUS_SHARE = 0.01;
/** Readings that differ by no more are equal: 1 cm² in m². */
const SAME_AREA_M2 = 1e-4;

/** Closes a ring and drops repeated points and zero-area spikes (A-B-A, or B beyond A on the same straight line). */
function cleanRing(ring: Float64Array): Float64Array {
  let n = ring.length / 2;
  if (n >= 2 && ring[0] === ring[2 * n - 2] && ring[1] === ring[2 * n - 1]) n--;
  // Points before and after each of those that are left: taking one out of an array moves all behind it.
  const before = Int32Array.from({ length: n }, (_, i) => (i + n - 1) % n);
  const after = Int32Array.from({ length: n }, (_, i) => (i + 1) % n);
  let head = 0;
  let left = n;
  // A removed spike can expose another one, so repeat until nothing changes.
  for (let b = 0, quiet = 0; quiet < left && left >= 3; ) {
    const [a, c] = [before[b]!, after[b]!];
    const [ax, ay, bx, by] = [ring[2 * a]!, ring[2 * a + 1]!, ring[2 * b]!, ring[2 * b + 1]!];
    const [cx, cy] = [ring[2 * c]!, ring[2 * c + 1]!];
    const repeated = bx === cx && by === cy;
    const backwards = (bx - ax) * (cx - bx) + (by - ay) * (cy - by) < 0;
    if (repeated || (backwards && orient2d(ax, ay, bx, by, cx, cy) === 0)) {
      after[a] = c;
      before[c] = a;
      left--;
      if (b === head) b = head = c;
      else b = a === head ? head : before[a]!;
      quiet = 0;
    } else {
      b = c;
      quiet++;
    }
  }
  const points = new Float64Array(left > 0 ? 2 * left + 2 : 0);
  for (let i = 0, b = head; i < points.length; i += 2, b = after[b]!) {
    points[i] = ring[2 * b]!;
    points[i + 1] = ring[2 * b + 1]!;
  }
  return points;
}

const isClosed = (ring: Float64Array) =>
  ring[0] === ring[ring.length - 2] && ring[1] === ring[ring.length - 1] && ring.length >= 8;

function judgePolygon(geometry: Geometry, geos: GeosPolygons): Verdict {
  if (provesValid(geometry)) return { kind: 'valid', geometry };
  const tangle = tangleOf(geometry);
  if (tangle !== null) return { kind: 'rejected', reason: tangle };
  const original = ringsOf(geometry);
  const open = original.flat().filter(r => r.length >= 6 && !isClosed(r)).length;
  const reason = open > 0 ? `${open} unclosed ring(s)` : geos.invalidReason(geometry);
  if (reason === null) return { kind: 'valid', geometry };

  // Parts without an area are leftovers of drawing. Drop them if a part with an area remains.
  const cleaned = original
    .map(rings => rings.map(cleanRing))
    .filter(([shell]) => shell && shell.length >= 8)
    .map(rings => rings.filter(ring => ring.length >= 8));
  if (!cleaned.length) return { kind: 'rejected', reason: `${reason}: a shell has no area` };
  const tidy = polygonsToGeometry(cleaned);
  const left = geos.invalidReason(tidy);
  if (left === null)
    return {
      kind: 'repaired',
      geometry: tidy,
      reason: `${reason}: closed, repeated points and zero-area spikes removed`,
    };
  return restructured(tidy, left, geos);
}

/** Repairs crossing rings by MakeValid if it is certain which ground is meant; otherwise rejects the polygon. */
function restructured(tidy: Geometry, reason: string, geos: GeosPolygons): Verdict {
  const nonZero = geos.makeValid(tidy, 'structure');
  if (!nonZero) return { kind: 'rejected', reason };
  const two = { nonZero: straightArea(nonZero), wound: straightArea(tidy) };
  if (contradict(two) && isKnotted(tidy)) return { kind: 'rejected', reason };
  const evenOdd = geos.makeValid(tidy, 'linework');
  if (!evenOdd) return { kind: 'rejected', reason };
  const readings = { evenOdd: straightArea(evenOdd), ...two };
  if (!agree(readings) || geos.invalidReason(evenOdd) !== null) return { kind: 'rejected', reason, readings };
  const areas = Object.values(readings);
  const done =
    Math.max(...areas) - Math.min(...areas) <= SAME_AREA_M2
      ? 'rings that touch themselves restructured, the area they cover is the same'
      : 'crossing rings made valid, what is meant is certain';
  return { kind: 'repaired', geometry: evenOdd, reason: `${reason}: ${done}`, readings };
}

/**
 * Whether readings mean the same ground. By both fill rules a bow-tie covers both wings. Only the winding, which subtracts one wing
 * from the other, shows that two corners were swapped. So the winding counts too.
 */
function agree({ evenOdd, nonZero, wound }: Readings): boolean {
  // For an area no larger than a stamp, one hundredth is only rounding.
  const share = Math.max(SAME_AREA_M2, UNAMBIGUOUS_SHARE * Math.min(evenOdd, nonZero));
  const apart = Math.abs(evenOdd - nonZero);
  return apart < Math.min(UNAMBIGUOUS_M2, share) && Math.abs(evenOdd - wound) < share;
}

/** Whether two readings lie so far apart that none of the third agrees with both. */
const contradict = ({ nonZero, wound }: Omit<Readings, 'evenOdd'>): boolean =>
  Math.abs(nonZero - wound) >= 2 * Math.max(SAME_AREA_M2, UNAMBIGUOUS_SHARE * nonZero);

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

const CUT = 'goes over 180° of longitude: cut there, as -wrapdateline of ogr2ogr does';
const TURNED = 'lies beyond 180° of longitude: turned by 360°, as -wrapdateline of ogr2ogr does';
/** Degrees by which rounding of a transformation leaves the earth, at most. */
const ROUNDING = 1e-9;

const isBeyond = ({ xy }: Geometry) => xy.some((v, i) => i % 2 === 0 && Math.abs(v) > 180);
const turned = (geometry: Geometry): Geometry => ({
  ...geometry,
  xy: geometry.xy.map((v, i) => (i % 2 === 1 || Math.abs(v) <= 180 ? v : v - 360 * Math.sign(v))),
});

/** A geometry without what rounding put beyond ±180 and ±90; the same object where nothing was. */
function withoutRounding(geometry: Geometry): Geometry {
  const most = (i: number) => (i % 2 === 0 ? 180 : 90);
  const isOver = (v: number, i: number) => Math.abs(v) > most(i) && Math.abs(v) <= most(i) + ROUNDING;
  if (!geometry.xy.some(isOver)) return geometry;
  return { ...geometry, xy: geometry.xy.map((v, i) => (isOver(v, i) ? Math.sign(v) * most(i) : v)) };
}

/** Judges a polygon whose edges or longitudes go over 180°, as if longitudes went on there, and cuts it. */
function judgeCrossing(geometry: Geometry, geos: GeosPolygons): Verdict {
  const whole = unwrappedPolygons(geometry);
  if (!whole) return { kind: 'rejected', reason: 'a ring goes around a pole, and so has no inside in degrees' };
  const verdict = judgePolygon(whole, geos);
  if (verdict.kind === 'rejected') return verdict;
  const cut = cutPolygons(verdict.geometry, geos);
  if (!cut) return { kind: 'rejected', reason: 'nothing is left of the polygon when it is cut at 180°' };
  const reason = isBeyond(verdict.geometry) ? CUT : TURNED;
  if (verdict.kind === 'valid') return { kind: 'repaired', geometry: cut, reason };
  return { ...verdict, geometry: cut, reason: `${verdict.reason}; ${reason}` };
}

/**
 * Judges one geometry (lng,lat degrees WGS84) for a layer. An invalid polygon is repaired only where the repair is
 * certain: rings closed, repeated points and zero-area spikes removed, parts without area dropped; then by GEOS MakeValid
 * (linework) where its area differs from that of MakeValid (structure) by less than 10 m² and 1 %, and from that of the
 * rings as they are wound by less than 1 %. Bow-ties, and rings that cover much ground twice, fail that test and are
 * rejected with GEOS's reason and its location (lng lat); so are those too tangled for GEOS to end. Lines and polygons that go over
 * 180° are cut there, and what lies up to a turn beyond it is turned back.
 * @param wanted kind of geometry that the source is declared to hold.
 */
export function judge(stated: Geometry | null, wanted: VectorLayer['geometry'], geos: GeosPolygons): Verdict {
  if (!stated) return { kind: 'rejected', reason: 'no geometry' };
  const geometry = withoutRounding(stated);
  const { xy } = geometry;
  if (xy.length === 0) return { kind: 'rejected', reason: 'empty geometry' };
  const kind = KINDS[geometry.type];
  if (kind !== wanted) return { kind: 'rejected', reason: `${geometry.type} in a layer of ${wanted}s` };
  for (let i = 0; i < xy.length; i += 2) {
    const x = xy[i]!;
    const y = xy[i + 1]!;
    if (!(Math.abs(x) <= 360 && Math.abs(y) <= 90))
      return { kind: 'rejected', reason: `coordinate ${x} ${y} lies outside longitude ±180, latitude ±90` };
  }
  const beyond = isBeyond(geometry);
  if (kind === 'point')
    return beyond ? { kind: 'repaired', geometry: turned(geometry), reason: TURNED } : { kind: 'valid', geometry };
  if (kind === 'polygon')
    return beyond || crossesAntimeridian(geometry) ? judgeCrossing(geometry, geos) : judgePolygon(geometry, geos);
  const verdict = judgeLine(geometry);
  const line = beyond ? turned(geometry) : geometry;
  const crosses = crossesAntimeridian(line);
  if (!(beyond || crosses) || verdict.kind === 'rejected') return verdict;
  return { kind: 'repaired', geometry: cutLines(line), reason: crosses ? CUT : TURNED };
}
