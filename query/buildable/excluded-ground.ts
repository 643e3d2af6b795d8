import { boxOf, type Geometry } from '../../datasets/geometry.ts';
import type { SourceRef } from '../../datasets/grammar/expression.ts';
import { layerWords } from '../../datasets/layer-words.ts';
import type { Partition } from '../../datasets/release.ts';
import { accuracyOf } from '../evaluate/accuracy.ts';
import type { AreaContext } from '../evaluate/area/area.ts';
import { type Candidate, candidatesOn } from '../evaluate/area/candidates.ts';
import { panelsAbout } from '../evaluate/area/covered-ground.ts';
import { outsideReason, piecesOf } from '../evaluate/area/piece.ts';
import { isExcluded, panelsOf } from '../evaluate/edge/mapped.ts';
import { cellsOf } from '../evaluate/raster/cell-polygons.ts';
import { rejectedAbout } from '../evaluate/rejected/rejected.ts';
import { doubtOf } from '../evaluate/vector/doubt.ts';
import type { AzimuthalPlane } from '../geometry/area/azimuthal-plane.ts';
import { type GeosPolygons, polygonsToGeometry } from '../geometry/geos.ts';
import { planeArea } from './plane-area.ts';
import type { Exclusion } from './request.ts';

/** Square metres that two polygons side by side share by rounding. */
const SLIVER_M2 = 1;
/** Metres that an edge may be drawn beside where it is: a hundredth of what boundaries are known to. */
const BEND_M = 0.01;
/** Segments of a quarter of a circle: cos(π/4/16) of the distance, 0.1 % less. */
const QUARTER = 16;

/** The ground that one exclusion takes, in metres of the plane, cut to what is about the ground asked for. */
export interface ExcludedGround {
  /** As its source draws it; null for none. */
  readonly drawn: Geometry | null;
  /** Where it may lie, if all edges are off by the accuracy of the source, and what is not known. */
  readonly possible: Geometry | null;
  /** Where it lies even then. */
  readonly sure: Geometry | null;
  /** Whether the source states how accurate it is, or has nothing here. */
  readonly isAssessed: boolean;
  readonly partitions: Iterable<Partition>;
}

/** Why nothing is known of an exclusion here. */
export interface UnknownGround {
  readonly reason: string;
  readonly partitions: Iterable<Partition>;
}

/** What exclusions are drawn with. */
export interface Drawing {
  readonly plane: AzimuthalPlane;
  readonly geos: GeosPolygons;
  /** The ground asked for, in the plane. */
  readonly ground: Geometry;
}

/** The features and cells of a source about some ground. */
interface Shapes {
  readonly counting: readonly Geometry[];
  /** Those of which it is not known whether they count. */
  readonly open: readonly Geometry[];
  /** Ground that the source does not map, whatever else it has. */
  readonly unmapped: readonly Geometry[];
  readonly accuracy: number | null;
  readonly partitions: Iterable<Partition>;
}

/** What names the panels that say where a layer maps, in the fields that are read from it. */
function panelsOfLayer({ catalog }: AreaContext, { dataset, layer }: Exclusion): SourceRef | null {
  for (const { expression } of catalog.fields.values()) {
    const [source] = expression.sources;
    if (source?.dataset !== dataset || source.layer !== layer) continue;
    const panels = panelsOf(expression);
    if (panels) return panels;
  }
  return null;
}

const geometryOf = ({ features, index }: Candidate): Geometry => features.feature(index).geometry;

/** The features of a layer about the area. @throws Fault or DamagedFile when a file of them cannot be read. */
async function featuresAbout(
  ctx: AreaContext,
  exclusion: Exclusion,
  geos: GeosPolygons,
): Promise<Shapes | UnknownGround> {
  const { where } = exclusion;
  const source: SourceRef = { dataset: exclusion.dataset, layer: exclusion.layer, where };
  const all = await piecesOf(ctx, source, where);
  if (all.pieces.length === 0) return { reason: outsideReason(source, all), partitions: all.covering };
  const counting: Geometry[] = [];
  const open: Geometry[] = [];
  const unmapped: Geometry[] = [];
  const partitions = new Set<Partition>();
  let accuracy: number | null = 0;
  const panels = panelsOfLayer(ctx, exclusion);
  const doubt = doubtOf(ctx, source, where);
  let mapped: Geometry[] | null = [];
  for (const piece of all.pieces) {
    const { search, within } = piece;
    const own = await candidatesOn(ctx, source, where, search);
    counting.push(...own.map(geometryOf));
    for (const { partition } of own) {
      partitions.add(partition);
      const stated = accuracyOf(ctx.catalog, source, partition);
      accuracy = stated === null || accuracy === null ? null : Math.max(accuracy, stated);
    }
    if (doubt) open.push(...(await candidatesOn(ctx, source, doubt, search)).map(geometryOf));
    const rejected = await rejectedAbout(ctx, source, search, where, [ctx.area.box]);
    open.push(...rejected.map(({ row }) => row.geometry));
    if (panels) {
      const left = (await candidatesOn(ctx, source, null, search)).filter(({ features, index }) =>
        isExcluded(features.file.properties(index)),
      );
      unmapped.push(...left.map(geometryOf));
    }
    const deciding = panels && (await panelsAbout(ctx, panels, piece));
    if (within === null && !deciding) mapped = null;
    else mapped?.push(...(deciding ?? within!).map(shape => shape.geometry()));
  }
  if (mapped !== null) {
    const { geometry, box } = ctx.area;
    const known = geos.union(mapped.flatMap(one => geos.within(one, box) ?? []));
    const beyond = known ? geos.minus(geometry, known) : geometry;
    if (beyond) unmapped.push(beyond);
  }
  const cited = partitions.size > 0 ? partitions : all.covering;
  return { counting: counting, open: open, unmapped: unmapped, accuracy, partitions: cited };
}

/** The cells of a raster about the area. @throws Fault or DamagedFile when it cannot be read. */
async function cellsAbout(ctx: AreaContext, { dataset, layer, where }: Exclusion): Promise<Shapes | UnknownGround> {
  const cells = await cellsOf(ctx, { dataset, layer, where: null }, where, ctx.area.geometry);
  if ('absent' in cells) return { reason: cells.absent, partitions: cells.covering };
  const { polygons, partitions } = cells;
  return { counting: polygons, open: [], unmapped: [], accuracy: 0, partitions };
}

/** Shapes with so many metres about them, in the plane; polygons lose ground where the metres are below 0. */
function drawn(
  { plane, geos }: Drawing,
  box: AreaContext['area']['box'],
  shapes: readonly Geometry[],
  metres: number,
): Geometry | null {
  const parts: Geometry[] = [];
  for (const shape of shapes) {
    if (shape.parts.length > 0) {
      const near = geos.within(shape, box);
      if (near) parts.push(plane.inMetres(near));
    } else if (metres > 0) {
      const edges = plane.edgesOf(clipped(shape, box), BEND_M);
      const around = edges.length > 0 ? geos.around(edges, metres, QUARTER) : null;
      if (around) parts.push(around);
    }
  }
  if (parts.length === 0) return null;
  const whole = geos.union(parts);
  const isArea = shapes.some(shape => shape.parts.length > 0);
  return whole && isArea && metres !== 0 ? geos.grown(whole, metres, 'round', QUARTER) : whole;
}

/** The edges of lines, and the points, whose box meets another one. */
function clipped(shape: Geometry, [west, south, east, north]: AreaContext['area']['box']): Geometry {
  const { xy } = shape;
  const kept: number[] = [];
  const ends: number[] = [];
  let start = 0;
  for (const end of shape.ends) {
    const last = Math.max(end - 1, start + 1);
    for (let v = start; v < last; v++) {
      const w = Math.min(v + 1, end - 1);
      const [x0, y0, x1, y1] = [xy[2 * v]!, xy[2 * v + 1]!, xy[2 * w]!, xy[2 * w + 1]!];
      if (Math.max(x0, x1) < west || Math.min(x0, x1) > east || Math.max(y0, y1) < south || Math.min(y0, y1) > north)
        continue;
      kept.push(x0, y0, x1, y1);
      ends.push(kept.length / 2);
    }
    start = end;
  }
  return { ...shape, xy: Float64Array.from(kept), ends: Uint32Array.from(ends) };
}

/**
 * The ground that an exclusion takes about an area.
 * @param ctx of the ground asked for with all metres about it that may matter.
 * @returns or why nothing is known of it: the source does not map all of the ground.
 * @throws Fault or DamagedFile when a file that it needs cannot be read.
 */
export async function excludedGround(
  ctx: AreaContext,
  exclusion: Exclusion,
  isRaster: boolean,
  drawing: Drawing,
): Promise<ExcludedGround | UnknownGround> {
  const { geos, plane, ground } = drawing;
  const shapes = isRaster ? await cellsAbout(ctx, exclusion) : await featuresAbout(ctx, exclusion, geos);
  if ('reason' in shapes) return shapes;
  const { counting, open, unmapped, accuracy, partitions } = shapes;
  const { setback } = exclusion;
  const { box } = ctx.area;
  const nowhere = geos.union(unmapped.map(one => plane.inMetres(one)));
  if (nowhere && planeArea(geos.common(ground, nowhere)) > SLIVER_M2) {
    const words = layerWords({ dataset: exclusion.dataset, layer: exclusion.layer }, partitions);
    return { reason: `the ${words} do not map all of this ground`, partitions };
  }
  ctx.check();
  const own = drawn(drawing, box, counting, setback);
  const off = accuracy ?? 0;
  const [wide, narrow] = off > 0 ? [setback + off, setback - off] : [setback, setback];
  const parts = [
    off > 0 ? drawn(drawing, box, counting, wide) : own,
    drawn(drawing, box, open, wide),
    nowhere && (setback > 0 ? geos.grown(nowhere, setback, 'round', QUARTER) : nowhere),
  ].filter(part => part !== null);
  const possible = parts.length > 1 ? geos.union(parts) : (parts[0] ?? null);
  const sure = off > 0 ? drawn(drawing, box, counting, narrow) : own;
  const touches = accuracy === null && own !== null && geos.common(ground, own) !== null;
  return { drawn: own, possible, sure, isAssessed: !touches, partitions };
}

/** The box of some ground with metres about it: lng,lat degrees, as a polygon. @param ground in the plane. */
export function boxAbout(ground: Geometry, metres: number, { plane, geos }: Pick<Drawing, 'plane' | 'geos'>): Geometry {
  const wide = geos.grown(ground, metres, 'mitre') ?? ground;
  const [west, south, east, north] = boxOf(plane.inDegrees(wide));
  return polygonsToGeometry([[Float64Array.of(west, south, east, south, east, north, west, north, west, south)]]);
}
