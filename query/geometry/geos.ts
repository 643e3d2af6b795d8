import initGeos from 'geos-wasm';
import type { Box, Geometry } from '../../datasets/geometry.ts';
import { contains } from './point-in-polygon.ts';

export type Geos = Awaited<ReturnType<typeof initGeos>>;

const POLYGON = 3;
const MULTILINESTRING = 5;
const MULTIPOLYGON = 6;
const COLLECTION = 7;
/** GEOSBufCapStyles and GEOSBufJoinStyles. */
const [ROUND, MITRE] = [1, 2];
/** Widths beyond which a mitred corner is cut off: PostGIS's own. */
const MITRE_LIMIT = 5;

/** How MakeValid rebuilds an area: `linework` counts covers by even-odd, `structure` by non-zero (GEOS 3.10+). */
type MakeValidMethod = 'linework' | 'structure';

/** Polygons in GEOS (WebAssembly), the module loaded once. Pointers live only inside one call; nothing leaks. */
export class GeosPolygons {
  readonly #geos: Geos;
  readonly #number: number;
  #buffer = 0;
  #capacity = 0;

  constructor(geos: Geos) {
    this.#geos = geos;
    this.#number = geos.Module._malloc(8);
  }

  /**
   * GEOS's verdict on a polygon or multipolygon.
   * @returns null when valid, else the reason with its location, for example `Self-intersection[-68.7 44.8]` (x y).
   */
  invalidReason(geometry: Geometry): string | null {
    const pointer = this.#create(geometry);
    if (!pointer) return 'a ring has fewer than four points';
    try {
      if (this.#geos.GEOSisValid(pointer) === 1) return null;
      const text = this.#geos.GEOSisValidReason(pointer) as unknown as number | string;
      return typeof text === 'string' ? text : this.#geos.Module.UTF8ToString(text);
    } finally {
      this.#geos.GEOSGeom_destroy(pointer);
    }
  }

  /**
   * Whether `area` covers every point of `geometry` (DE-9IM coveredBy; shared boundaries allowed). Planar in lng,lat.
   * @throws RangeError when a ring has fewer than four points.
   */
  covers(area: Geometry, geometry: Geometry): boolean {
    const geos = this.#geos;
    const outer = this.#create(area);
    const inner = this.#create(geometry);
    try {
      if (!outer || !inner) throw new RangeError('a ring has fewer than four points');
      return geos.GEOSCovers(outer, inner) === 1;
    } finally {
      for (const pointer of [outer, inner]) if (pointer) geos.GEOSGeom_destroy(pointer);
    }
  }

  /** MakeValid, polygonal parts only (lines and points left over cover no area); null when nothing is left. */
  makeValid(geometry: Geometry, method: MakeValidMethod): Geometry | null {
    const geos = this.#geos;
    const pointer = this.#create(geometry);
    if (!pointer) return null;
    const params = geos.GEOSMakeValidParams_create();
    geos.GEOSMakeValidParams_setMethod(params, (method === 'linework' ? 0 : 1) as never);
    geos.GEOSMakeValidParams_setKeepCollapsed(params, 0);
    const result = geos.GEOSMakeValidWithParams(pointer, params);
    geos.GEOSMakeValidParams_destroy(params);
    geos.GEOSGeom_destroy(pointer);
    return this.#take(result);
  }

  /** The convex hull of all vertices; null where they have no area. */
  convexHull({ xy }: Geometry): Geometry | null {
    const geos = this.#geos;
    this.#reserve(xy.byteLength);
    geos.Module.HEAPF64.set(xy, this.#buffer / 8);
    const line = geos.GEOSGeom_createLineString(geos.GEOSCoordSeq_copyFromBuffer(this.#buffer, xy.length / 2, 0, 0));
    const hull = geos.GEOSConvexHull(line);
    geos.GEOSGeom_destroy(line);
    return this.#take(hull);
  }

  /**
   * All places within a distance of some edges, in the plane. Edges are buffered each for itself: GEOS lets hollows of a line be
   * shallower by a hundredth of the distance than they are (BufferInputLineSimplifier), which an edge has none of.
   * @param edges x0, y0, x1, y1 of each. @param distance in their units. @param segments of a quarter of a circle.
   */
  around(edges: Float64Array, distance: number, segments: number): Geometry | null {
    const geos = this.#geos;
    const lines: number[] = [];
    this.#reserve(32);
    for (let at = 0; at < edges.length; at += 4) {
      geos.Module.HEAPF64.set(edges.subarray(at, at + 4), this.#buffer / 8);
      lines.push(geos.GEOSGeom_createLineString(geos.GEOSCoordSeq_copyFromBuffer(this.#buffer, 2, 0, 0)));
    }
    const collection = this.#collection(MULTILINESTRING, lines);
    const result = geos.GEOSBuffer(collection, distance, segments);
    geos.GEOSGeom_destroy(collection);
    return this.#take(result);
  }

  /**
   * All places within a distance of valid polygons, in the plane; of a negative distance those farther than it from the outside. Null
   * where nothing is left. @param corner how corners are drawn.
   */
  grown(geometry: Geometry, distance: number, corner: 'round' | 'mitre', segments = 16): Geometry | null {
    const pointer = this.#create(geometry);
    if (!pointer) return null;
    const join = corner === 'round' ? ROUND : MITRE;
    const result = this.#geos.GEOSBufferWithStyle(pointer, distance, segments, ROUND, join, MITRE_LIMIT);
    this.#geos.GEOSGeom_destroy(pointer);
    return this.#take(result);
  }

  /** What of valid polygons lies in others; null when nothing with an area does. */
  common(geometry: Geometry, other: Geometry): Geometry | null {
    return this.#overlay(geometry, other, (a, b) => this.#geos.GEOSIntersection(a, b));
  }

  /** What of valid polygons lies outside others; null when nothing with an area does. */
  minus(geometry: Geometry, other: Geometry): Geometry | null {
    return this.#overlay(geometry, other, (a, b) => this.#geos.GEOSDifference(a, b));
  }

  #overlay(geometry: Geometry, other: Geometry, overlay: (a: number, b: number) => number): Geometry | null {
    const pointers = [this.#create(geometry), this.#create(other)] as const;
    const result = pointers[0] && pointers[1] ? overlay(...pointers) : 0;
    for (const pointer of pointers) if (pointer) this.#geos.GEOSGeom_destroy(pointer);
    return this.#take(result);
  }

  /** As valid as it was, without vertices that lie no farther than a tolerance from the edge that takes their place. */
  simplified(geometry: Geometry, tolerance: number): Geometry | null {
    const pointer = this.#create(geometry);
    if (!pointer) return null;
    const result = this.#geos.GEOSTopologyPreserveSimplify(pointer, tolerance);
    this.#geos.GEOSGeom_destroy(pointer);
    return this.#take(result);
  }

  /** Unary union of valid polygons; vertices stay where they are, nothing is snapped. */
  union(geometries: readonly Geometry[]): Geometry | null {
    const geos = this.#geos;
    const pointers = geometries.map(g => this.#create(g)).filter(p => p !== 0);
    const collection = this.#collection(COLLECTION, pointers);
    const result = geos.GEOSUnaryUnion(collection);
    geos.GEOSGeom_destroy(collection);
    return this.#take(result);
  }

  /** What of a valid polygon lies in a box (minX, minY, maxX, maxY); null when nothing with an area does. */
  within(geometry: Geometry, box: Box): Geometry | null {
    const [minX, minY, maxX, maxY] = box;
    const whole = polygonsToGeometry([[Float64Array.of(minX, minY, maxX, minY, maxX, maxY, minX, maxY, minX, minY)]]);
    // Counties and their like hold a box or are far from it, mostly.
    if (isFarFrom(geometry, box)) return contains(geometry, (minX + maxX) / 2, (minY + maxY) / 2) ? whole : null;
    return this.common(geometry, whole);
  }

  /** Reads a result's polygons and frees it. */
  #take(pointer: number): Geometry | null {
    if (!pointer) return null;
    const polygons: Float64Array[][] = [];
    this.#readInto(pointer, polygons);
    this.#geos.GEOSGeom_destroy(pointer);
    return polygons.length === 0 ? null : polygonsToGeometry(polygons);
  }

  #readInto(pointer: number, polygons: Float64Array[][]): void {
    const geos = this.#geos;
    const type = geos.GEOSGeomTypeId(pointer);
    if (type === POLYGON) {
      if (geos.GEOSisEmpty(pointer) === 1) return;
      const rings = [this.#ring(geos.GEOSGetExteriorRing(pointer))];
      const holes = geos.GEOSGetNumInteriorRings(pointer);
      for (let i = 0; i < holes; i++) rings.push(this.#ring(geos.GEOSGetInteriorRingN(pointer, i)));
      polygons.push(rings);
    } else if (type === MULTIPOLYGON || type === COLLECTION) {
      const count = geos.GEOSGetNumGeometries(pointer);
      for (let i = 0; i < count; i++) this.#readInto(geos.GEOSGetGeometryN(pointer, i), polygons);
    }
  }

  #ring(ring: number): Float64Array {
    const geos = this.#geos;
    const sequence = geos.GEOSGeom_getCoordSeq(ring);
    geos.GEOSCoordSeq_getSize(sequence, this.#number);
    const size = geos.Module.HEAPU32[this.#number / 4]!;
    this.#reserve(size * 16);
    geos.GEOSCoordSeq_copyToBuffer(sequence, this.#buffer, 0, 0);
    return geos.Module.HEAPF64.slice(this.#buffer / 8, this.#buffer / 8 + size * 2);
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#capacity) return;
    if (this.#buffer) this.#geos.Module._free(this.#buffer);
    this.#capacity = Math.max(bytes, 65_536);
    this.#buffer = this.#geos.Module._malloc(this.#capacity);
  }

  #collection(type: number, pointers: readonly number[]): number {
    const geos = this.#geos;
    const list = geos.Module._malloc(Math.max(4, pointers.length * 4));
    geos.Module.HEAPU32.set(pointers, list / 4);
    const collection = geos.GEOSGeom_createCollection(type, list, pointers.length);
    geos.Module._free(list);
    return collection;
  }

  /** 0 when a ring is too short or open for GEOS to take. */
  #create(geometry: Geometry): number {
    const geos = this.#geos;
    const polygons: number[] = [];
    let vertex = 0;
    let ring = 0;
    for (const lastRing of geometry.parts) {
      const rings: number[] = [];
      for (; ring < lastRing; ring++) {
        const end = geometry.ends[ring]!;
        const size = end - vertex;
        this.#reserve(size * 16);
        geos.Module.HEAPF64.set(geometry.xy.subarray(vertex * 2, end * 2), this.#buffer / 8);
        vertex = end;
        const linear =
          size < 4 ? 0 : geos.GEOSGeom_createLinearRing(geos.GEOSCoordSeq_copyFromBuffer(this.#buffer, size, 0, 0));
        if (linear) rings.push(linear);
        else {
          for (const pointer of [...rings, ...polygons]) geos.GEOSGeom_destroy(pointer);
          return 0;
        }
      }
      const holes = geos.Module._malloc(Math.max(4, rings.length * 4));
      geos.Module.HEAPU32.set(rings.slice(1), holes / 4);
      polygons.push(geos.GEOSGeom_createPolygon(rings[0]!, rings.length > 1 ? holes : 0, rings.length - 1));
      geos.Module._free(holes);
    }
    if (polygons.length === 1) return polygons[0]!;
    return this.#collection(MULTIPOLYGON, polygons);
  }
}

/** Whether the box of no edge meets a box, so that all of that lies on one side of every ring. */
function isFarFrom({ xy, ends }: Geometry, [minX, minY, maxX, maxY]: Box): boolean {
  let vertex = 0;
  for (const end of ends) {
    for (let i = 2 * vertex + 2; i < 2 * end; i += 2) {
      const [x0, y0, x1, y1] = [xy[i - 2]!, xy[i - 1]!, xy[i]!, xy[i + 1]!];
      if (x0 < minX && x1 < minX) continue;
      if (x0 > maxX && x1 > maxX) continue;
      if (y0 < minY && y1 < minY) continue;
      if (y0 > maxY && y1 > maxY) continue;
      return false;
    }
    vertex = end;
  }
  return true;
}

/** Flat polygon geometry from rings of x,y pairs, shell first in each polygon. */
export function polygonsToGeometry(polygons: readonly (readonly Float64Array[])[]): Geometry {
  const rings = polygons.flat();
  const xy = new Float64Array(rings.reduce((sum, r) => sum + r.length, 0));
  const ends = new Uint32Array(rings.length);
  let at = 0;
  for (const [i, ring] of rings.entries()) {
    xy.set(ring, at);
    at += ring.length;
    ends[i] = at / 2;
  }
  const parts = new Uint32Array(polygons.length);
  let count = 0;
  for (const [i, polygon] of polygons.entries()) {
    count += polygon.length;
    parts[i] = count;
  }
  return { type: polygons.length === 1 ? 'Polygon' : 'MultiPolygon', xy, ends, parts };
}

/** Rings of a polygon geometry as x,y pairs, grouped by polygon. */
export function ringsOf(geometry: Geometry): Float64Array[][] {
  const polygons: Float64Array[][] = [];
  let ring = 0;
  let start = 0;
  for (const last of geometry.parts) {
    const rings: Float64Array[] = [];
    for (; ring < last; ring++) {
      rings.push(geometry.xy.subarray(start * 2, geometry.ends[ring]! * 2));
      start = geometry.ends[ring]!;
    }
    polygons.push(rings);
  }
  return polygons;
}

/** GEOS prints a notice for every invalid ring; the rejects file has them all. */
const QUIET = { noticeHandler: () => {}, errorHandler: () => {} } as Parameters<typeof initGeos>[0];

let loaded: Promise<Geos> | undefined;

/** The one GEOS module of this thread. */
export function geosModule(): Promise<Geos> {
  loaded ??= initGeos(QUIET);
  // The next one tries again.
  loaded.catch(() => {
    loaded = undefined;
  });
  return loaded;
}

let polygons: Promise<GeosPolygons> | undefined;

/** Polygons in it, with the memory that they share. */
export function loadGeos(): Promise<GeosPolygons> {
  polygons ??= geosModule().then(geos => new GeosPolygons(geos));
  polygons.catch(() => {
    polygons = undefined;
  });
  return polygons;
}
