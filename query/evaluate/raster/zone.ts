import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { layerWords, nameOf } from '../../../datasets/layer-words.ts';
import { memo } from '../../../datasets/memo.ts';
import type { Partition } from '../../../datasets/release.ts';
import { Fault, Interrupted } from '../../release/fault.ts';
import { PartitionSet } from '../../release/lists/partition-set.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import type { Raster } from '../../release/raster.ts';
import type { Batch, Context } from '../context.ts';
import { type Finding, orFailed } from '../finding.ts';
import { cellSpan, discSpans, type Spans } from './grid-spans.ts';
import { type Grid, neighbours, readGrid, type Tile, type TilesAt, tellTiles, tilesAt, type Window } from './mosaic.ts';

/** Cells of a raster layer about a point, with those around them that a measure needs. */
export interface Zone {
  readonly grid: Grid;
  /** The cells asked for: those whose center lies in the disc, or the one that holds the point. */
  readonly spans: Spans;
  /** The point on the grid, column and row with fractions. */
  readonly at: readonly [number, number];
}

/** A zone, or why the layer has none at the point. */
export type ZoneAt = Zone | { readonly absent: string; readonly covering: readonly Partition[] };

/** What a call needs of a layer at a point. */
export interface ZoneSpec {
  readonly source: SourceRef;
  readonly band: number;
  /** Geodesic meters of the disc; null for the point's own cell. */
  readonly radius: number | null;
  /** Cells around the spans, by the tile and the point's place on its grid. */
  readonly margin: (tile: Tile, column: number, row: number) => number;
  /** Names the margin: fields of one source, radius and margin read the same cells. */
  readonly around: string;
}

/** Cells that one window may hold: a disc of 20 km on the finest national grid, some 100 MB. */
const MOST_CELLS = 16_000_000;
/** Grids of its size that a shared window comes to hold: values, slopes, running sums and extremes of runs. */
const DERIVED = 8;

/** Parses `radius:<meters>`. @throws Fault for any other zone. */
export function radiusOf(over: string | number | undefined): number {
  const match = /^radius:(\d+(?:\.\d+)?)$/.exec(String(over));
  if (match && Number(match[1]) > 0) return Number(match[1]);
  throw new Fault(`over=${over} is no zone; expected radius:<meters>`);
}

/** The spans of a zone about a point on a tile's grid. */
function spansOf({ point }: Context, { radius }: ZoneSpec, { raster }: Tile, at: readonly [number, number]): Spans {
  if (radius === null) return cellSpan(Math.floor(at[0]), Math.floor(at[1]));
  return discSpans(raster, point.lng, point.lat, radius, at);
}

const discKey = ({ source, radius }: ZoneSpec): string => `disc ${source.dataset}:${source.layer} ${radius}`;

interface Plan {
  readonly ctx: Context;
  readonly tiles: TilesAt;
  readonly tile: Tile;
  readonly spans: Spans;
  readonly at: readonly [number, number];
  readonly window: Window;
}

/**
 * What has to be read for one point: the zone on the grid of the finest tile there.
 * @throws (or rejects with) Fault as tilesAt does, and when the disc holds too many cells.
 */
const planAt = (ctx: Context, spec: ZoneSpec): MaybePromise<Plan | Exclude<ZoneAt, Zone>> =>
  after(tilesAt(ctx, spec.source), (tiles): MaybePromise<Plan | Exclude<ZoneAt, Zone>> => {
    const [tile] = tiles.atPoint;
    if (!tile)
      return { absent: `outside the coverage of ${layerWords(spec.source, tiles.covering)}`, covering: tiles.covering };
    const at = tile.raster.toGrid(ctx.point.lng, ctx.point.lat);
    const spans = ctx.memo(discKey(spec), () => spansOf(ctx, spec, tile, at));
    return after(spans, cells => planOf(ctx, spec, tiles, tile, at, cells));
  });

/** @throws Fault when the disc holds too many cells. */
function planOf(
  ctx: Context,
  spec: ZoneSpec,
  tiles: TilesAt,
  tile: Tile,
  at: readonly [number, number],
  spans: Spans,
): Plan | Exclude<ZoneAt, Zone> {
  if (!spans.count)
    return {
      absent: `no cell of ${layerWords(spec.source, [tile.partition])} has its center within ${spec.radius} m`,
      covering: [tile.partition],
    };
  const [column, row] = [Math.floor(at[0]), Math.floor(at[1])];
  const margin = spec.margin(tile, column, row);
  const window: Window = {
    // The point's own cell is read too, even where the disc holds others only.
    column0: Math.min(spans.column0, column) - margin,
    row0: Math.min(spans.row0, row) - margin,
    column1: Math.max(spans.column1, column + 1) + margin,
    row1: Math.max(spans.row0 + spans.from.length, row + 1) + margin,
  };
  if (areaOf(window) > MOST_CELLS) throw new Fault(`${spec.radius} m holds too many cells of ${nameOf(spec.source)}`);
  return { ctx, tiles, tile, spans, at, window };
}

const areaOf = ({ column0, row0, column1, row1 }: Window) => (column1 - column0) * (row1 - row0);
const textOf = ({ column0, row0, column1, row1 }: Window) => `${column0},${row0},${column1},${row1}`;

/** The zone of one point; its window is read once a request. @throws Fault when a block that it needs is unreadable. */
export async function zoneAt(ctx: Context, spec: ZoneSpec): Promise<ZoneAt> {
  const plan = await planAt(ctx, spec);
  if ('absent' in plan) return plan;
  const key = `grid ${nameOf(spec.source)} ${spec.band} ${textOf(plan.window)}`;
  return zoneOf(plan, await ctx.memo(key, () => read(plan, spec)));
}

const zoneOf = ({ spans, at }: Plan, grid: Grid): Zone => ({ grid, spans, at });

async function read({ ctx, tile, tiles, window }: Plan, { band }: ZoneSpec): Promise<Grid> {
  const grid = await readGrid(ctx, tile, tiles.searched, band, window);
  ctx.check();
  return grid;
}

/** Side of the square of cells whose points are read together. */
const GROUP = 512;
/** Cells that cost as much to read as one more window. */
const WORTH = 5_000;

interface Member {
  readonly i: number;
  readonly plan: Plan;
}

/** Points whose windows are read together, and the window over all of theirs; null where each reads its own. */
interface Group {
  readonly members: readonly Member[];
  readonly window: Window | null;
}

/** What has to be read for the points of a batch, and what there is to say of the others. */
interface Plans {
  readonly rest: readonly (readonly [number, Exclude<ZoneAt, Zone> | { readonly error: unknown }])[];
  readonly groups: readonly Group[];
}

/** Made once for all fields of the layer, radius and margin. */
function plansOf(batch: Batch, spec: ZoneSpec): Promise<Plans> {
  return batch.memo(`plans ${discKey(spec)} ${spec.around}`, async () => {
    await tellTiles(batch, spec.source);
    const rest: [number, Exclude<ZoneAt, Zone> | { readonly error: unknown }][] = [];
    const groups = new Map<string, Member[]>();
    for (const [i, ctx] of batch.contexts.entries()) {
      try {
        const planned = planAt(ctx, spec);
        const plan = planned instanceof Promise ? await planned : planned;
        if ('absent' in plan) {
          rest.push([i, plan]);
          continue;
        }
        const key = `${numberOf(plan.tile.raster)} ${Math.floor(plan.at[0] / GROUP)} ${Math.floor(plan.at[1] / GROUP)}`;
        const group = groups.get(key);
        if (group) group.push({ i, plan });
        else groups.set(key, [{ i, plan }]);
      } catch (error) {
        if (error instanceof Interrupted) throw error;
        rest.push([i, { error }]);
      }
    }
    return { rest, groups: [...groups.values()].map(members => ({ members, window: sharedWindow(members) })) };
  });
}

/**
 * Answers all points of a batch from their zones. Points near one another on one tile share a window, where it is not
 * much larger than their own windows together and no other tile could fill a part of it. Windows are let go as soon as
 * their points are answered; shared ones stay in the cache for the next field.
 * @param answer may throw, which fails its point.
 * @returns one finding a point, in order.
 */
export async function answerZones(
  batch: Batch,
  spec: ZoneSpec,
  answer: (ctx: Context, zone: ZoneAt) => Finding,
): Promise<Finding[]> {
  const out: Finding[] = new Array(batch.contexts.length);
  const { rest, groups } = await plansOf(batch, spec);
  const put = async (i: number, zone: () => MaybePromise<ZoneAt>) => {
    const finding = orFailed(() => after(zone(), at => answer(batch.contexts[i]!, at)));
    out[i] = finding instanceof Promise ? await finding : finding;
  };
  for (const [i, why] of rest)
    await put(i, () => {
      if ('error' in why) throw why.error;
      return why;
    });
  for (const group of groups) {
    batch.check();
    const shared = await sharedGrid(batch, spec, group);
    for (const { i, plan } of group.members)
      await put(i, () => after(shared ?? read(plan, spec), grid => zoneOf(plan, grid)));
  }
  return out;
}

let lastNumber = 0;

/** Names an opened raster in cache keys: a file that changed is opened anew, and what was read before is not found. */
const numberOf = memo((_raster: Raster) => ++lastNumber);

/** One window over those of a group; null where it is not worth it or touches other tiles. */
function sharedWindow(group: readonly Member[]): Window | null {
  if (group.length < 2) return null;
  const windows = group.map(({ plan }) => plan.window);
  const window: Window = {
    column0: windows.reduce((least, w) => Math.min(least, w.column0), Infinity),
    row0: windows.reduce((least, w) => Math.min(least, w.row0), Infinity),
    column1: windows.reduce((most, w) => Math.max(most, w.column1), -Infinity),
    row1: windows.reduce((most, w) => Math.max(most, w.row1), -Infinity),
  };
  const apart = windows.reduce((sum, w) => sum + areaOf(w) + WORTH, 0);
  if (areaOf(window) > Math.min(apart, MOST_CELLS)) return null;
  // Which partitions an answer cites depends on its own cells, so a window that others fill is not shared.
  const { tile } = group[0]!.plan;
  if (group.some(({ plan }) => neighbours(tile, plan.tiles.searched, window).length)) return null;
  return window;
}

/** The cells of a group's window; null where it has none or cannot be read whole. */
async function sharedGrid(batch: Batch, { source, band }: ZoneSpec, { members, window }: Group): Promise<Grid | null> {
  if (!window) return null;
  const { tile } = members[0]!.plan;
  const { cache } = batch.layers;
  const key = `grid ${batch.layers.idOf(batch.layers.file(tile.partition, 'raster'))} ${nameOf(source)} ${band} ${textOf(window)}`;
  const cached = cache.get(key) as Grid | undefined;
  if (cached) return cached;
  try {
    const grid = await readGrid(batch, tile, PartitionSet.from([tile.partition]), band, window);
    cache.set(key, grid, areaOf(window) * 8 * DERIVED);
    return grid;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    // A damaged block fails the points that need it, which only their own windows tell.
    return null;
  }
}
