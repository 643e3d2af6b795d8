import type { Catalog } from '../../datasets/catalog.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { SourceRef } from '../../datasets/grammar/expression.ts';
import { layerWords } from '../../datasets/layer-words.ts';
import { memo } from '../../datasets/memo.ts';
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
import type { GeosPolygons } from '../geometry/geos.ts';
import { type Drawing, NearShapes, QUARTER } from './near-shapes.ts';
import { planeArea } from './plane-area.ts';
import type { Exclusion } from './request.ts';

/** Square metres that two polygons side by side share by rounding. */
const SLIVER_M2 = 1;
/** Share of the ground that outlines of a coverage may cut off: they are drawn by others than its boundary. */
const SLIVER_SHARE = 0.001;

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

/** A layer whose features or cells are excluded. */
export type ExcludedLayer = Pick<Exclusion, 'dataset' | 'layer' | 'where'>;

/** What names the panels that say where a layer maps, in the fields that are read from it. */
export const panelsOfLayer = (
  { catalog }: Pick<AreaContext, 'catalog'>,
  { dataset, layer }: ExcludedLayer,
): SourceRef | null => panelsIn(catalog).get(`${dataset}:${layer}`) ?? null;

const panelsIn = memo((catalog: Catalog) => {
  const all = new Map<string, SourceRef>();
  for (const { expression } of catalog.fields.values()) {
    const [source] = expression.sources;
    const panels = source && panelsOf(expression);
    if (panels && !all.has(`${source.dataset}:${source.layer}`)) all.set(`${source.dataset}:${source.layer}`, panels);
  }
  return all;
});

const geometryOf = ({ features, index }: Candidate): Geometry => features.feature(index).geometry;

/** The features of a layer about the area. @throws Fault or DamagedFile when a file of them cannot be read. */
async function featuresAbout(
  ctx: AreaContext,
  exclusion: ExcludedLayer,
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
  return { counting, open, unmapped, accuracy, partitions: cited };
}

/** The cells of a raster about the area. @throws Fault or DamagedFile when it cannot be read. */
async function cellsAbout(ctx: AreaContext, { dataset, layer, where }: ExcludedLayer): Promise<Shapes | UnknownGround> {
  const cells = await cellsOf(ctx, { dataset, layer, where: null }, where, ctx.area.geometry);
  if ('absent' in cells) return { reason: cells.absent, partitions: cells.covering };
  const { polygons, partitions } = cells;
  return { counting: polygons, open: [], unmapped: [], accuracy: 0, partitions };
}

/** The shapes of a layer that maps all of some ground but for slivers. */
interface MappedShapes extends Shapes {
  /** Ground in the plane that it does not map. */
  readonly nowhere: Geometry | null;
}

/**
 * Reads the shapes of a layer about an area.
 * @param ctx of the ground asked for with all metres about it that may matter.
 * @returns or why nothing is known of it: the source does not map all of the ground.
 * @throws Fault or DamagedFile when a file that it needs cannot be read.
 */
export async function shapesAbout(
  ctx: AreaContext,
  layer: ExcludedLayer,
  { geos, plane, ground }: Drawing,
): Promise<MappedShapes | UnknownGround> {
  const isRaster = ctx.catalog.datasets.get(layer.dataset)?.layers[layer.layer]?.kind !== 'vector';
  const shapes = isRaster ? await cellsAbout(ctx, layer) : await featuresAbout(ctx, layer, geos);
  if ('reason' in shapes) return shapes;
  const { unmapped, partitions } = shapes;
  const nowhere = unmapped.length > 0 ? geos.union(unmapped.map(one => plane.inMetres(one))) : null;
  const most = Math.max(SLIVER_M2, planeArea(ground) * SLIVER_SHARE);
  if (nowhere && planeArea(geos.common(ground, nowhere)) > most) {
    const words = layerWords({ dataset: layer.dataset, layer: layer.layer }, partitions);
    return { reason: `the ${words} do not map all of this ground`, partitions };
  }
  return { ...shapes, nowhere };
}

/**
 * The ground that an exclusion takes about an area. Parameters, and what it throws, as shapesAbout.
 * @returns or why nothing is known of it.
 */
export async function excludedGround(
  ctx: AreaContext,
  exclusion: Exclusion,
  drawing: Drawing,
): Promise<ExcludedGround | UnknownGround> {
  const { geos, ground } = drawing;
  const shapes = await shapesAbout(ctx, exclusion, drawing);
  if ('reason' in shapes) return shapes;
  const { counting, open, nowhere, accuracy, partitions } = shapes;
  const { setback } = exclusion;
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
