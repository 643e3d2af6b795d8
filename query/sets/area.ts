import type { Geometry } from '../../datasets/geometry.ts';
import { ACRE_M2 } from '../geometry/acre.ts';
import { squareKilometres } from '../geometry/area/area-size.ts';
import { geodesicBuffer } from '../geometry/area/geodesic-buffer.ts';
import { loadGeos } from '../geometry/geos.ts';
import { Interrupted } from '../release/fault.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import { isTooLarge, judgeAreas } from '../search/request/area.ts';
import { areaTest } from '../search/request/filter.ts';
import type { Issue } from '../search/request/issue.ts';

/** A question for an area that a search takes, plain data. */
export interface AreaRequest {
  /** lng,lat degrees. */
  readonly shape: Geometry;
  /** Geodesic metres about the shape; null where it is the area itself. */
  readonly metres: number | null;
  /** Of the shape in the request, for issues. */
  readonly path: string;
  readonly maxSquareKm: number;
  readonly maxVertices: number;
}

/** An area that a search takes; why it is too large for that; or what is wrong with the shape. */
export type AreaAnswer =
  | { readonly geometry: Geometry; readonly acres: number; readonly vertices: number }
  | { readonly tooLarge: string }
  | { readonly issues: readonly Issue[] };

/** Degrees by which the outline of an area is simplified first where it has too many vertices: about a metre. */
const LEAST_DEGREES = 1e-5;
/** How often that is doubled: a kilometre. */
const DOUBLINGS = 10;

/**
 * The area about a shape, or the one that it is, as a search takes it.
 * @throws Interrupted when nobody waits any more.
 */
export async function areaAbout(
  { shape, metres, path, maxSquareKm, maxVertices }: AreaRequest,
  { stopped, pause }: Pick<SearchEnvironment, 'stopped' | 'pause'>,
): Promise<AreaAnswer> {
  const geos = await loadGeos();
  if (metres !== null && shape.parts.length > 0) {
    const { issues } = await judgeAreas([areaTest('intersects', shape, path)], Number.POSITIVE_INFINITY);
    if (issues.length) return { issues };
  }
  const step = () => {
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    return pause?.();
  };
  let area = metres === null ? sound(shape) : await geodesicBuffer(shape, metres, geos, step);
  if (!area) return { tooLarge: 'the shape has too many edges, or reaches too far' };
  if (isTooLarge(area, maxSquareKm)) return { tooLarge: `it has more than ${maxSquareKm} square kilometers` };
  for (let i = 0; area && metres === null && area.xy.length / 2 > maxVertices && i < DOUBLINGS; i++)
    area = geos.simplified(area, LEAST_DEGREES * 2 ** i);
  const vertices = (area?.xy.length ?? 0) / 2;
  if (!area || vertices > maxVertices) return { tooLarge: `its outline has more than ${maxVertices} vertices` };
  return { geometry: area, acres: (squareKilometres(area) * 1e6) / ACRE_M2, vertices };

  function sound(geometry: Geometry): Geometry | null {
    return geos.invalidReason(geometry) === null ? geometry : geos.makeValid(geometry, 'structure');
  }
}
