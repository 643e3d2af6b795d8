import initGeos from 'geos-wasm';
import type { Geometry } from '../../../datasets/geometry.ts';
import { toWkb } from './wkb.ts';

type Geos = Awaited<ReturnType<typeof initGeos>>;

/** Relations of two geometries by their DE-9IM names (OGC 06-103r4, 6.1.15). */
export type SpatialRelation =
  | 'intersects'
  | 'equals'
  | 'disjoint'
  | 'touches'
  | 'within'
  | 'overlaps'
  | 'crosses'
  | 'contains';

const CALLS = {
  intersects: 'GEOSIntersects',
  equals: 'GEOSEquals',
  disjoint: 'GEOSDisjoint',
  touches: 'GEOSTouches',
  within: 'GEOSWithin',
  overlaps: 'GEOSOverlaps',
  crosses: 'GEOSCrosses',
  contains: 'GEOSContains',
} as const satisfies Record<SpatialRelation, keyof Geos>;

/** GEOS (WebAssembly) for questions of how geometries of any type stand to one another, planar in lng,lat. */
export class GeosRelations {
  readonly #geos: Geos;

  private constructor(geos: Geos) {
    this.#geos = geos;
  }

  /** The one module of this thread. */
  static load(): Promise<GeosRelations> {
    loaded ??= initGeos(QUIET).then(geos => new GeosRelations(geos));
    // The next one tries again.
    loaded.catch(() => {
      loaded = undefined;
    });
    return loaded;
  }

  /**
   * A geometry to be asked about many others.
   * @throws RangeError when GEOS does not take it: a ring of three positions, or one that is open.
   */
  held(geometry: Geometry): HeldGeometry {
    return new HeldGeometry(this.#geos, geometry);
  }
}

/** A geometry in the memory of GEOS, until it is released. */
export class HeldGeometry {
  readonly #geos: Geos;
  readonly #pointer: number;

  constructor(geos: Geos, geometry: Geometry) {
    this.#geos = geos;
    this.#pointer = pointerOf(geos, geometry);
    if (this.#pointer === 0) throw new RangeError('a ring is open or has fewer than four positions');
  }

  /** Whether its points and rings make a sound geometry. */
  get isValid(): boolean {
    return this.#geos.GEOSisValid(this.#pointer) === 1;
  }

  /** Whether another geometry stands so to this one; false where GEOS cannot tell. */
  isStoodToBy(other: Geometry, relation: SpatialRelation): boolean {
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

/** GEOS prints a notice for each geometry that is not valid. */
const QUIET = { noticeHandler: () => {}, errorHandler: () => {} } as Parameters<typeof initGeos>[0];

let loaded: Promise<GeosRelations> | undefined;
