import type { VectorLayer } from '../../../datasets/dataset.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import { interiorPoint } from '../../../query/geometry/area/interior-point.ts';
import { type GeosPolygons, loadGeos } from '../../../query/geometry/geos.ts';
import { judge } from '../validity.ts';
import { Misfit } from '../value.ts';

const NO_PARTS = new Uint32Array(0);
const ONE_POINT = Uint32Array.of(1);

/** A geometry that stands for another one: a joined row's, or a polygon in a layer of points. */
export interface GivenShape {
  /** WGS84. */
  readonly geometry: Geometry;
  /** Whether it is a point inside the polygon, which stands for the whole of it. */
  readonly inside: boolean;
}

/** Makes of a geometry what a layer holds. */
export class ShapeMaker {
  readonly #wanted: VectorLayer['geometry'];
  readonly #geos: GeosPolygons;

  private constructor(wanted: VectorLayer['geometry'], geos: GeosPolygons) {
    this.#wanted = wanted;
    this.#geos = geos;
  }

  static async create(wanted: VectorLayer['geometry']): Promise<ShapeMaker> {
    return new ShapeMaker(wanted, await loadGeos());
  }

  /**
   * A geometry as the layer holds it: of a polygon, in a layer of points, a point well inside it.
   * @throws Misfit when the polygon is not valid, and so has no certain inside.
   */
  make(geometry: Geometry): GivenShape {
    if (this.#wanted !== 'point' || !geometry.type.endsWith('Polygon')) return { geometry, inside: false };
    const verdict = judge(geometry, 'polygon', this.#geos);
    if (verdict.kind === 'rejected') throw new Misfit(`the polygon that the point stands for: ${verdict.reason}`);
    const point = interiorPoint(verdict.geometry);
    if (!point) throw new Misfit('the polygon that the point stands for has no inside');
    return {
      geometry: { type: 'Point', xy: Float64Array.from(point), ends: ONE_POINT, parts: NO_PARTS },
      inside: true,
    };
  }
}
