import { type Box, boxesMeet, boxOf, type Geometry } from '../../../datasets/geometry.ts';
import { clipToBox } from '../../geometry/area/clip-to-box.ts';
import { PolygonOverlap } from '../../geometry/polygon-overlap.ts';
import type { Shape } from '../vector/coverage-shapes.ts';
import type { AreaContext } from './area.ts';

/** A polygon and the class that ground under it belongs to; see PolygonOverlap.ground. */
export interface ClassedShape extends Shape {
  readonly class: number;
}

/** Square metres of an area, told apart. */
interface GroundAreas {
  /** Of each class. */
  readonly areas: Float64Array;
  none: number;
  outside: number;
}

/** Edges from which on a sweep costs more than two of half the width: each slab looks at all edges of its latitude. */
const MANY_EDGES = 4_000;
/** Polygons that are not worth being read before the area is cut. */
const MANY_SHAPES = 1_000;
/** How often an area is halved at most: edges that all lie on one spot are not told apart by halving. */
const MOST_HALVINGS = 14;

/**
 * Tells the ground of an area apart by the polygons on it: exact as one sweep, made in tiles that hold few edges.
 * @param shapes of classes 0 and up, the lowest of several counts; -1 and down for bounds.
 * @param classes how many there are from 0 up.
 */
export async function tiledGround(
  ctx: AreaContext,
  shapes: readonly ClassedShape[],
  classes: number,
): Promise<GroundAreas> {
  const total: GroundAreas = { areas: new Float64Array(classes), none: 0, outside: 0 };
  const bounds = shapes.reduce((least, { class: one }) => Math.min(least, one), 0);
  await addTile(ctx, ctx.area.geometry, ctx.area.box, shapes, bounds, 0, total);
  return total;
}

async function addTile(
  ctx: AreaContext,
  mask: Geometry,
  box: Box,
  shapes: readonly ClassedShape[],
  bounds: number,
  depth: number,
  total: GroundAreas,
): Promise<void> {
  await ctx.pause();
  const near = shapes.filter(shape => boxesMeet(shape.box, box));
  const canHalve = depth < MOST_HALVINGS;
  if (!canHalve || near.length <= MANY_SHAPES) {
    const overlap = new PolygonOverlap(mask, box);
    // Each group of bounds is there, also where none of its polygons is near: then all is outside.
    const given = near.map(({ class: one }) => one);
    for (const shape of near) overlap.add(shape.geometry());
    if (!canHalve || overlap.edges <= MANY_EDGES) {
      const ground = overlap.ground(given, -bounds);
      for (const [i, area] of ground.areas.entries()) total.areas[i]! += area;
      total.none += ground.none;
      total.outside += ground.outside;
      return;
    }
  }
  const [west, south, east, north] = box;
  const wide = (east - west) * Math.cos(((south + north) * Math.PI) / 360) > north - south;
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  const halves: Box[] = wide
    ? [
        [west, south, x, north],
        [x, south, east, north],
      ]
    : [
        [west, south, east, y],
        [west, y, east, north],
      ];
  for (const half of halves) {
    const part = clipToBox(mask, half);
    if (part) await addTile(ctx, part, boxOf(part), near, bounds, depth + 1, total);
  }
}
