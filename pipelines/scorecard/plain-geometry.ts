import geodesic from 'geographiclib-geodesic';

// Containment and distance a second time, in the plainest way, so that a mistake of query/geometry is not made twice: nothing of
// query/ is used here.

/** A lng,lat pair in degrees. */
export type LngLat = readonly [lng: number, lat: number];

/** A feature as it was read: GeoJSON coordinates as lists of paths; rings where it is a polygon. */
export interface PlainFeature {
  readonly kind: 'point' | 'line' | 'polygon';
  /** Each a list of positions; of points one position. */
  readonly paths: readonly (readonly LngLat[])[];
  /** West, south, east, north. */
  readonly box: readonly [number, number, number, number];
  readonly properties: Readonly<Record<string, unknown>>;
}

const WGS84 = geodesic.Geodesic.WGS84;
/** Eccentricity squared and equatorial radius of WGS84. */
const [E2, RADIUS] = [0.00669437999014, 6_378_137];
const RADIANS = Math.PI / 180;

/** Metres of a degree east and north at a latitude. */
function degreeAt(lat: number): readonly [east: number, north: number] {
  const sin = Math.sin(lat * RADIANS);
  const w = Math.sqrt(1 - E2 * sin * sin);
  return [(RADIUS / w) * Math.cos(lat * RADIANS) * RADIANS, ((RADIUS * (1 - E2)) / w ** 3) * RADIANS];
}

/** Metres of the geodesic between two places. */
const metresBetween = (a: LngLat, b: LngLat): number => WGS84.Inverse(a[1], a[0], b[1], b[0]).s12!;

/** Whether a polygon holds a place, by crossings of a ray to the east. */
export function holds({ kind, paths, box }: PlainFeature, [x, y]: LngLat): boolean {
  if (kind !== 'polygon' || x < box[0] || x > box[2] || y < box[1] || y > box[3]) return false;
  let inside = false;
  for (const ring of paths)
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [ax, ay] = ring[i]!;
      const [bx, by] = ring[j]!;
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
  return inside;
}

/** Share by which distances on a plane may be off, and metres, to 50 km. */
const [SLACK, SLACK_M] = [0.02, 0.5];
/** Steps of a search along an edge: each leaves 0.62 of it. */
const STEPS = 60;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Metres on a plane about a place to an edge, from its ends in metres. */
function planeMetres(ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length));
  return Math.hypot(ax + t * dx, ay + t * dy);
}

/** Metres of the shortest geodesic to an edge that is straight in degrees. */
function edgeMetres(place: LngLat, a: LngLat, b: LngLat): number {
  const along = (t: number) => metresBetween(place, [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
  let [low, high] = [0, 1];
  for (let i = 0; i < STEPS; i++) {
    const [p, q] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    if (along(p) < along(q)) high = q;
    else low = p;
  }
  return Math.min(along(0), along(1), along((low + high) / 2));
}

/** Metres at least to what a box holds, on a plane; 0 inside. */
export function boxMetres([west, south, east, north]: PlainFeature['box'], [x, y]: LngLat): number {
  const [eastM, northM] = degreeAt(y);
  const dx = Math.max(0, west - x, x - east) * eastM;
  const dy = Math.max(0, south - y, y - north) * northM;
  return Math.hypot(dx, dy);
}

/** Metres to the nearest edge of a feature, or to a point: all edges on a plane, then those that can be nearest by geodesics. */
export function metresTo({ paths }: PlainFeature, place: LngLat): number {
  const [x, y] = place;
  const [eastM, northM] = degreeAt(y);
  const edges: { a: LngLat; b: LngLat; metres: number }[] = [];
  let least = Infinity;
  for (const path of paths)
    for (let i = 0; i < Math.max(1, path.length - 1); i++) {
      const [a, b] = [path[i]!, path[i + 1] ?? path[i]!];
      const metres = planeMetres((a[0] - x) * eastM, (a[1] - y) * northM, (b[0] - x) * eastM, (b[1] - y) * northM);
      least = Math.min(least, metres);
      edges.push({ a, b, metres });
    }
  const reach = least * (1 + SLACK) + SLACK_M;
  const near = edges.filter(({ metres }) => metres <= reach);
  return near.reduce((best, { a, b }) => Math.min(best, edgeMetres(place, a, b)), Infinity);
}
