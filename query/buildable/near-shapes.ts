import type { Box, Geometry } from '../../datasets/geometry.ts';
import { boxOf } from '../../datasets/geometry.ts';
import type { AreaContext } from '../evaluate/area/area.ts';
import { AzimuthalPlane } from '../geometry/area/azimuthal-plane.ts';
import { type GeosPolygons, polygonsToGeometry } from '../geometry/geos.ts';
import { Fault } from '../release/fault.ts';

/** Metres that an edge may be drawn beside where it is: a hundredth of what boundaries are known to. */
const BEND_M = 0.01;
/** Segments of a quarter of a circle: cos(π/4/16) of the distance, 0.1 % less. */
export const QUARTER = 16;
/** Edges of lines, and polygons, that are drawn at once. */
const [EDGES, POLYGONS] = [64, 64];
/** Edges that one exclusion may have, and vertices of its polygons with metres about them and without: a second of work. */
const MOST_EDGES = 5_000;
const [MOST_GROWN, MOST_UNITED] = [20_000, 200_000];

/** The plane, the ground and the tool that exclusions are drawn with. */
export interface Drawing {
  readonly plane: AzimuthalPlane;
  readonly geos: GeosPolygons;
  /** The ground asked for, in the plane. */
  readonly ground: Geometry;
}

/** Ground in the azimuthal equidistant projection about its middle. @param outline lng,lat degrees. */
export function drawingOf(outline: Geometry, geos: GeosPolygons): Drawing {
  const [west, south, east, north] = boxOf(outline);
  const plane = new AzimuthalPlane((west + east) / 2, (south + north) / 2);
  return { plane, geos, ground: plane.inMetres(outline) };
}

/** Metres of the first step about polygons. */
const FIRST_STEP_M = 25;

/**
 * The steps in which polygons grow to so many metres: round about round is round (Minkowski sums). Houses of a street join in the first
 * ones, where few of their arcs cross; all at once, half a kilometer about a thousand houses took thirteen seconds.
 */
function stepsOf(metres: number): number[] {
  const steps: number[] = [];
  let left = metres;
  for (let step = FIRST_STEP_M; left > 2 * step; step *= 4) {
    steps.push(step);
    left -= step;
  }
  return left === 0 ? steps : [...steps, left];
}

/** Shapes about the ground in the plane, read once for all metres about them. */
export class NearShapes {
  readonly #geos: GeosPolygons;
  /** All that the polygons cover; null without polygons. */
  readonly #cover: Geometry | null;
  /** x0, y0, x1, y1 of each edge of lines, and of points. */
  readonly #edges: Float64Array;

  private constructor(geos: GeosPolygons, cover: Geometry | null, edges: Float64Array) {
    this.#geos = geos;
    this.#cover = cover;
    this.#edges = edges;
  }

  /** @throws Fault when there are more than can be drawn in time. */
  static async of({ plane, geos }: Drawing, ctx: AreaContext, shapes: readonly Geometry[]): Promise<NearShapes> {
    const { box } = ctx.area;
    const parts: Geometry[] = [];
    for (let i = 0; i < shapes.length; i += POLYGONS) {
      await ctx.pause();
      const some = shapes.slice(i, i + POLYGONS).filter(shape => shape.parts.length > 0);
      const flat = some.flatMap(shape => geos.within(shape, box) ?? []).map(shape => plane.inMetres(shape));
      const cover = flat.length > 1 ? geos.union(flat) : flat[0];
      if (cover) parts.push(cover);
    }
    if (parts.reduce((sum, { xy }) => sum + xy.length / 2, 0) > MOST_UNITED) throw tooMany();
    await ctx.pause();
    const lines = shapes.flatMap(shape => (shape.parts.length > 0 ? [] : edgesAbout(shape, box)));
    if (lines.reduce((sum, { ends }) => sum + ends.length, 0) > MOST_EDGES) throw tooMany();
    const edges = Float64Array.from(lines.flatMap(line => [...plane.edgesOf(line, BEND_M)]));
    return new NearShapes(geos, parts.length > 1 ? geos.union(parts) : (parts[0] ?? null), edges);
  }

  /** With so many metres about them; polygons lose ground where the metres are below 0. @param pause lets others between. */
  async grown(metres: number, pause: AreaContext['pause']): Promise<Geometry | null> {
    const geos = this.#geos;
    const parts: Geometry[] = [];
    if (this.#cover) {
      if (metres !== 0 && this.#cover.xy.length / 2 > MOST_GROWN) throw tooMany();
      let cover: Geometry | null = this.#cover;
      for (const step of stepsOf(metres)) cover = cover && geos.grown(cover, step, 'round', QUARTER);
      if (cover) parts.push(cover);
    }
    for (let i = 0; metres > 0 && i < this.#edges.length; i += 4 * EDGES) {
      await pause();
      const around = geos.around(this.#edges.subarray(i, i + 4 * EDGES), metres, QUARTER);
      if (around) parts.push(around);
    }
    return parts.length > 1 ? geos.union(parts) : (parts[0] ?? null);
  }
}

const tooMany = () =>
  new Fault('there is more of it about this ground than can be drawn: ask about a part of the ground');

/** The edges of lines, and the points, whose box meets another one: each a path of its own. */
function edgesAbout(shape: Geometry, [west, south, east, north]: Box): Geometry {
  const { xy } = shape;
  const pairs: number[] = [];
  let start = 0;
  for (const end of shape.ends) {
    const last = Math.max(end - 1, start + 1);
    for (let v = start; v < last; v++) {
      const w = Math.min(v + 1, end - 1);
      const [x0, y0, x1, y1] = [xy[2 * v]!, xy[2 * v + 1]!, xy[2 * w]!, xy[2 * w + 1]!];
      const isAside = Math.max(x0, x1) < west || Math.min(x0, x1) > east;
      if (!isAside && Math.max(y0, y1) >= south && Math.min(y0, y1) <= north) pairs.push(x0, y0, x1, y1);
    }
    start = end;
  }
  const ends = Uint32Array.from({ length: pairs.length / 4 }, (_, i) => 2 * i + 2);
  return { ...shape, xy: Float64Array.from(pairs), ends };
}

/** The box of some ground with metres about it: lng,lat degrees, as a polygon. @param ground in the plane. */
export function boxAbout(ground: Geometry, metres: number, { plane, geos }: Pick<Drawing, 'plane' | 'geos'>): Geometry {
  const wide = geos.grown(ground, metres, 'mitre') ?? ground;
  const [west, south, east, north] = boxOf(plane.inDegrees(wide));
  return polygonsToGeometry([[Float64Array.of(west, south, east, south, east, north, west, north, west, south)]]);
}
