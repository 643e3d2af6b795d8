import type { Geometry } from '../../datasets/geometry.ts';
import { boxAbout, type Drawing, drawingOf } from '../buildable/near-shapes.ts';
import { areaOf } from '../evaluate/area/area.ts';
import { openArea } from '../evaluate/evaluate-area.ts';
import type { GeosPolygons } from '../geometry/geos.ts';
import type { Layers } from '../release/layers.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';

/** Metres about a footprint within which flood maps are read: more than any of them states its lines to be off. */
const REACH_M = 100;

type Asking = ReturnType<typeof openArea>;

/** A footprint, ready to be asked about. */
export interface Footprint {
  readonly drawing: Drawing;
  /** The footprint itself. */
  readonly on: Asking;
  /** The ground about it. */
  readonly about: Asking;
}

/** Opens a footprint. @param outline valid polygons, lng,lat degrees. @throws RangeError where it has no inside. */
export async function openFootprint(
  outline: Geometry,
  geos: GeosPolygons,
  environment: SearchEnvironment,
  layers: Layers,
): Promise<Footprint> {
  const drawing = drawingOf(outline, geos);
  const around = boxAbout(drawing.ground, REACH_M, drawing);
  return {
    drawing,
    on: openArea(await areaOf(outline), environment, layers),
    about: openArea(await areaOf(around), environment, layers),
  };
}
