import type { Geometry } from '../../../datasets/geometry.ts';
import type { Geos } from '../geos.ts';
import { toWkb } from './wkb.ts';

const CALLS = {
  intersects: 'GEOSIntersects',
  equals: 'GEOSEquals',
  disjoint: 'GEOSDisjoint',
  touches: 'GEOSTouches',
  within: 'GEOSWithin',
  overlaps: 'GEOSOverlaps',
  crosses: 'GEOSCrosses',
  contains: 'GEOSContains',
} as const satisfies Record<string, keyof Geos>;
/** Relations of two geometries by their DE-9IM names (OGC 06-103r4, 6.1.15). */
export type SpatialRelation = keyof typeof CALLS;

/** A geometry in the memory of GEOS, of any type, to be asked about many others until it is released. Planar in lng,lat. */
export class HeldGeometry {
  readonly #geos: Geos;
  readonly #pointer: number;

  /** @throws RangeError when GEOS does not take it: a ring of three positions, or one that is open. */
  constructor(geos: Geos, geometry: Geometry) {
    this.#geos = geos;
    this.#pointer = pointerOf(geos, geometry);
    if (this.#pointer === 0) throw new RangeError('a ring is open or has fewer than four positions');
  }

  /** False where rings cross or touch as no area does. */
  get isValid(): boolean {
    return this.#geos.GEOSisValid(this.#pointer) === 1;
  }

  /** True where another geometry stands so to this one; false where GEOS cannot tell, as of one that is not valid. */
  relates(other: Geometry, relation: SpatialRelation): boolean {
    const pointer = pointerOf(this.#geos, other);
    if (pointer === 0) return false;
    try {
      return this.#geos[CALLS[relation]](pointer, this.#pointer) === 1;
    } finally {
      this.#geos.GEOSGeom_destroy(pointer);
    }
  }

  release(): void {
    this.#geos.GEOSGeom_destroy(this.#pointer);
  }
}

function pointerOf(geos: Geos, geometry: Geometry): number {
  const wkb = toWkb(geometry);
  const memory = geos.Module._malloc(wkb.length);
  geos.Module.HEAPU8.set(wkb, memory);
  try {
    return geos.GEOSGeomFromWKB_buf(memory, wkb.length);
  } finally {
    geos.Module._free(memory);
  }
}
