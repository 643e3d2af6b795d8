import type { RasterLayer } from '../../../datasets/dataset.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords, nameOf } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { Interrupted } from '../../release/fault.ts';
import { bilinear, sample } from '../../release/raster.ts';
import { confidenceOf } from '../confidence.ts';
import { type Batch, type Context, definitionOf, type Operator, type Question } from '../context.ts';
import { absent, type Finding, failed } from '../finding.ts';
import { published, publishedFinding } from '../published.ts';
import { type TilesAt, tellTiles, tilesAt } from '../raster/mosaic.ts';

/** What no data means where the publisher says it. */
const NO_DATA: Readonly<Record<string, string>> = {
  'bts_ntad:noise': 'no data: noise under 45 dBA is not mapped',
};

/** The published number at a point and the partition of its tile; no number where every tile there lacks data. */
type Sampled =
  | { readonly covering: readonly Partition[] }
  | { readonly raw: number | null; readonly partition: Partition };

const layerOf = (ctx: Context, call: Expression) => definitionOf(ctx, call.sources[0]!) as RasterLayer;

/** The first tile that has data at the point answers. @throws Fault when a block of one before it cannot be read. */
async function sampled(ctx: Context, call: Expression, { atPoint, covering }: TilesAt): Promise<Sampled> {
  const { sampling } = layerOf(ctx, call);
  for (const { partition, raster } of atPoint) {
    const raw = await sample(raster, Number(call.argument), ctx.point.lng, ctx.point.lat, sampling);
    if (raw !== null && raw !== undefined) return { raw, partition };
  }
  return atPoint[0] ? { raw: null, partition: atPoint[0].partition } : { covering };
}

function answer(call: Expression, { rule, type }: Question, value: Sampled): Finding {
  const source = call.sources[0]!;
  const confidence = confidenceOf(rule);
  if ('covering' in value)
    return absent(`outside the coverage of ${layerWords(source, value.covering)}`, confidence, value.covering);
  if (value.raw === null)
    return absent(
      NO_DATA[nameOf(source)] ?? `no data in the cell of ${layerWords(source, [value.partition])}`,
      confidence,
      [value.partition],
    );
  return publishedFinding(published(value.raw, call, type, `band ${call.argument}`), confidence, [value.partition]);
}

/** A point on the grid of its finest tile. */
interface Member {
  readonly i: number;
  readonly tiles: TilesAt;
  readonly at: readonly [number, number];
}

/** Side of the square of cells that is read at once, and the points that make that worth while. */
const [SQUARE, WORTH] = [256, 4];

/** The samples of all points of a batch, or what failed: squares of cells with several points are read at once. */
async function sampleAll(batch: Batch, call: Expression): Promise<(Sampled | { readonly error: unknown })[]> {
  const out: (Sampled | { readonly error: unknown })[] = new Array(batch.contexts.length);
  const guarded = async (i: number, work: () => Promise<Sampled | null>) => {
    try {
      const value = await work();
      if (value) out[i] = value;
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      out[i] = { error };
    }
  };
  const told = await tellTiles(batch, call.sources[0]!);
  const ofTiles = new Map<Partition, Map<number, Member[]>>();
  const place = (i: number, tiles: TilesAt, gridPoint: readonly [number, number] | null): Sampled | null => {
    const [tile] = tiles.atPoint;
    if (!tile) return { covering: tiles.covering };
    const { lng, lat } = batch.contexts[i]!.point;
    const at = gridPoint ?? tile.raster.toGrid(lng, lat);
    let squares = ofTiles.get(tile.partition);
    if (!squares) {
      squares = new Map();
      ofTiles.set(tile.partition, squares);
    }
    // The square's column and row as one number: no raster has 2^26 squares either way.
    const key = Math.floor(at[0] / SQUARE) * 2 ** 26 + Math.floor(at[1] / SQUARE);
    const square = squares.get(key);
    if (square) square.push({ i, tiles, at });
    else squares.set(key, [{ i, tiles, at }]);
    return null;
  };
  for (const [i, ctx] of batch.contexts.entries())
    if (told) {
      const value = place(i, told.tiles[i]!, told.at[i]!);
      if (value) out[i] = value;
    } else await guarded(i, async () => place(i, await tilesAt(ctx, call.sources[0]!), null));
  for (const members of [...ofTiles.values()].flatMap(squares => [...squares.values()])) {
    batch.check();
    const [{ tiles }] = members as [Member];
    const { raster, partition } = tiles.atPoint[0]!;
    const { sampling } = layerOf(batch.contexts[members[0]!.i]!, call);
    // One cell more to each side than hold a point, for bilinear.
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { at } of members) {
      left = Math.min(left, Math.floor(at[0]) - 1);
      top = Math.min(top, Math.floor(at[1]) - 1);
      right = Math.max(right, Math.floor(at[0]) + 2);
      bottom = Math.max(bottom, Math.floor(at[1]) + 2);
    }
    const across = right - left;
    // A block that cannot be read fails only the points that need it: their own reads tell which.
    const cells =
      members.length < WORTH
        ? null
        : await raster.window(Number(call.argument), left, top, right, bottom).catch(() => null);
    const cell = (column: number, row: number) => cells![(row - top) * across + (column - left)]!;
    for (const { i, tiles, at } of members) {
      const [column, row] = at;
      const raw = !cells
        ? Number.NaN
        : sampling === 'bilinear'
          ? bilinear(cell, column, row)
          : cell(Math.floor(column), Math.floor(row));
      // Without data here the next tile may have some.
      if (Number.isNaN(raw)) await guarded(i, () => sampled(batch.contexts[i]!, call, tiles));
      else out[i] = { raw, partition };
    }
  }
  return out;
}

/** Whether two samples are the same in all that an answer rests on. */
function alike(a: Sampled, b: Sampled): boolean {
  if ('covering' in a || 'covering' in b) return 'covering' in a && 'covering' in b && a.covering === b.covering;
  return a.raw === b.raw && a.partition === b.partition;
}

const memoKey = (call: Expression) => `cell ${nameOf(call.sources[0]!)} ${call.argument}`;

/**
 * The cell that contains the point; bilinear between cell centers for the layers the catalog marks so (the DEM).
 *
 * Decided here:
 * - A cell holds its western and northern edge. What means no data in the file and in the dataset is decided at ingest.
 * - Bilinear leaves out neighbors without data or beyond the edge of the tile and weighs the others alone; where the cell
 *   of the point has no data there is no value.
 * - Tiles may overlap: the finest grid at the point answers, then the smaller partition key; one without data leaves
 *   the answer to the next.
 *
 * Cost: one block a tile at the point, four at most for bilinear; decoded once and kept. In bulk, points on one square of
 * 256 cells share one read, and each then costs its projection and its cells.
 */
export const operator: Operator = {
  name: 'raster_sample',
  async point(ctx, call, question) {
    const tiles = await tilesAt(ctx, call.sources[0]!);
    return answer(call, question, await ctx.memo(memoKey(call), () => sampled(ctx, call, tiles)));
  },
  async bulk(batch, call, question) {
    const samples = await batch.memo(memoKey(call), () => sampleAll(batch, call));
    let last: { value: Sampled; finding: Finding } | null = null;
    return samples.map(value => {
      if ('error' in value) return failed(value.error);
      if (last && alike(last.value, value)) return last.finding;
      try {
        const finding = answer(call, question, value);
        last = { value, finding };
        return finding;
      } catch (error) {
        return failed(error);
      }
    });
  },
};
