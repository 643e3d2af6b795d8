import { type Box, boxOf, type Geometry } from '../../datasets/geometry.ts';
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
import { AzimuthalPlane } from '../geometry/area/azimuthal-plane.ts';
import { type GeosPolygons, polygonsToGeometry } from '../geometry/geos.ts';
import { Fault } from '../release/fault.ts';
import { planeArea } from './plane-area.ts';
import type { Exclusion } from './request.ts';

/** Square metres that two polygons side by side share by rounding. */
const SLIVER_M2 = 1;
/** Share of the ground that outlines of a coverage may cut off: they are drawn by others than its boundary. */
const SLIVER_SHARE = 0.001;
/** Metres that an edge may be drawn beside where it is: a hundredth of what boundaries are known to. */
const BEND_M = 0.01;
/** Segments of a quarter of a circle: cos(π/4/16) of the distance, 0.1 % less. */
const QUARTER = 16;
/** Edges of lines, and polygons, that are drawn at once. */
const [EDGES, POLYGONS] = [64, 64];
/** Edges that one exclusion may have, and vertices of its polygons with metres about them and without: a second of work. */
const MOST_EDGES = 5_000;
const [MOST_GROWN, MOST_UNITED] = [20_000, 200_000];

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

/** Ground in the azimuthal equidistant projection about its middle. @param outline lng,lat degrees. */
export function drawingOf(outline: Geometry, geos: GeosPolygons): Drawing {
  const [west, south, east, north] = boxOf(outline);
  const plane = new AzimuthalPlane((west + east) / 2, (south + north) / 2);
  return { plane, geos, ground: plane.inMetres(outline) };
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
    const mappedGround = geos.union(mapped.flatMap(one => geos.within(one, box) ?? []));
    const beyond = mappedGround ? geos.minus(geometry, mappedGround) : geometry;
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

/** Shapes about the ground in the plane, read once for all metres about them. */
class NearShapes {
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
      const cover = metres === 0 ? this.#cover : geos.grown(this.#cover, metres, 'round', QUARTER);
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
  const nowhere = geos.union(unmapped.map(one => plane.inMetres(one)));
  const most = Math.max(SLIVER_M2, planeArea(ground) * SLIVER_SHARE);
  if (nowhere && planeArea(geos.common(ground, nowhere)) > most) {
    const words = layerWords({ dataset: exclusion.dataset, layer: exclusion.layer }, partitions);
    return { reason: `the ${words} do not map all of this ground`, partitions };
  }
  const pause = () => ctx.pause();
  const features = await NearShapes.of(drawing, ctx, counting);
  const doubtful = await NearShapes.of(drawing, ctx, open);
  const own = await features.grown(setback, pause);
  const off = accuracy ?? 0;
  const parts = [
    off > 0 ? await features.grown(setback + off, pause) : own,
    await doubtful.grown(setback + off, pause),
    nowhere && (setback > 0 ? geos.grown(nowhere, setback, 'round', QUARTER) : nowhere),
  ].filter(part => part !== null);
  const possible = parts.length > 1 ? geos.union(parts) : (parts[0] ?? null);
  const sure = off > 0 ? await features.grown(setback - off, pause) : own;
  const touches = accuracy === null && own !== null && geos.common(ground, own) !== null;
  return { drawn: own, possible, sure, isAssessed: !touches, partitions };
}

/** The box of some ground with metres about it: lng,lat degrees, as a polygon. @param ground in the plane. */
export function boxAbout(ground: Geometry, metres: number, { plane, geos }: Pick<Drawing, 'plane' | 'geos'>): Geometry {
  const wide = geos.grown(ground, metres, 'mitre') ?? ground;
  const [west, south, east, north] = boxOf(plane.inDegrees(wide));
  return polygonsToGeometry([[Float64Array.of(west, south, east, south, east, north, west, north, west, south)]]);
}
