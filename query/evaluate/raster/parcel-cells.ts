import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords, nameOf } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { contains } from '../../geometry/point-in-polygon.ts';
import { Fault } from '../../release/fault.ts';
import type { MaybePromise } from '../../release/maybe-promise.ts';
import { confidenceOf } from '../confidence.ts';
import { type Batch, type Context, type Question, testOf } from '../context.ts';
import { absent, type Finding } from '../finding.ts';
import { PARCELS, parcelMatch, unmatchedFinding } from '../parcel-at-point.ts';
import { MAJORITY } from '../parcel-shares.ts';
import { published, publishedFinding } from '../published.ts';
import { pointByPoint, seedCoverage } from '../vector/batch-search.ts';
import { MOST_CELLS, spansOf, windowOf } from './cell-polygons.ts';
import { type Grid, readGrid, tellTiles, tilesAt } from './mosaic.ts';
import { type CellKind, measureAll } from './terrain.ts';
import type { Statistic } from './zonal.ts';

/** The cells of a raster on the matched parcel. */
interface ParcelCells {
  readonly grid: Grid;
  /** Places in the grid's values. */
  readonly cells: readonly number[];
  /** The parcel's and those of the cells. */
  readonly partitions: readonly Partition[];
  readonly match: 'contains' | 'nearest' | 'address';
}

/** The cells whose centre lies in the parcel, or the one at the point where it holds none; found once a request. */
function cellsAt(ctx: Context, call: Expression, { rule }: Question): MaybePromise<ParcelCells | Finding> {
  const source = call.sources[0]!;
  return ctx.memo(`parcel cells ${source.dataset}:${source.layer}`, async () => {
    const match = await parcelMatch(ctx);
    if (match.status !== 'matched') return unmatchedFinding(match, { rule });
    const { geometry } = match.hit.feature;
    const { atPoint, searched, covering } = await tilesAt(ctx, source);
    const [tile] = atPoint;
    if (!tile) return absent(`outside the coverage of ${layerWords(source, covering)}`, confidenceOf(rule), covering);
    const { lng, lat } = ctx.point;
    const [x, y] = tile.raster.toGrid(lng, lat).map(Math.floor) as [number, number];
    const window = windowOf(tile.raster, geometry);
    const count = (window.column1 - window.column0) * (window.row1 - window.row0);
    if (!(count <= MOST_CELLS)) throw new Fault(`the parcel holds too many cells of ${nameOf(source)}`);
    const grid = await readGrid(ctx, tile, searched, 1, window);
    ctx.check();
    const cells: number[] = [];
    for (let row = window.row0; row < window.row1; row++)
      for (let column = window.column0; column < window.column1; column++)
        if (contains(geometry, ...tile.raster.toPoint(column + 0.5, row + 0.5))) cells.push(grid.index(column, row));
    if (!cells.length) cells.push(grid.index(x, y));
    return { grid, cells, partitions: [match.hit.partition, ...grid.sources(spansOf(grid))], match: match.type };
  });
}

/** The year that the vintage of every raster names, in which it was observed; else the reason why there is none. */
function yearOf(
  name: string,
  [, ...rasters]: readonly Partition[],
): { readonly value: string } | { readonly reason: string } {
  const vintages = [...new Set(rasters.map(({ provenance }) => provenance.vintage))];
  const years = new Set(vintages.map(vintage => /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(vintage)?.[0]));
  const [year] = years;
  if (years.size === 1 && year) return { value: year };
  return { reason: `the vintage of ${name} is ${vintages.join(' and ')}, which names no one year` };
}

/**
 * @param whole number of cells on the parcel, those without data too: they count against a majority.
 * @returns the reason where no value has the share of the parcel that a majority needs.
 * @throws Fault for a statistic that parcels do not have.
 */
function statistic(stat: string, values: readonly number[], whole: number): Statistic {
  const value = (number: number): Statistic => ({ value: number });
  if (stat === 'min' || stat === 'max') {
    let extreme = values[0]!;
    for (const one of values) if (stat === 'min' ? one < extreme : one > extreme) extreme = one;
    return value(extreme);
  }
  if (stat === 'mean') return value(values.reduce((sum, one) => sum + one, 0) / values.length);
  if (stat !== 'majority' && stat !== 'share')
    throw new Fault(`a parcel has no statistic ${stat}; there are min, max, mean, majority, share and vintage`);
  const counts = new Map<number, number>();
  for (const one of values) counts.set(one, (counts.get(one) ?? 0) + 1);
  let [winner, most] = [Number.NaN, 0];
  for (const [one, count] of counts)
    if (count > most || (count === most && one < winner)) [winner, most] = [one, count];
  if (most < MAJORITY * whole) return { reason: `no value has half of the parcel's ${whole} cells` };
  return value(stat === 'majority' ? winner : most / whole);
}

/**
 * A statistic of the cells of the matched parcel: `min`, `max`, `mean`, `majority` (the value of half of the parcel's
 * cells or more, those without data counted; ties go to the smaller), `share`, that of the majority, or `vintage`, the
 * year of the raster that they are of.
 * @param kind measure of the ground, or null for the cells' own values.
 * @throws Fault or DamagedFile when a file that it needs is missing or unreadable.
 */
export async function parcelZonal(
  ctx: Context,
  call: Expression,
  question: Question,
  kind: CellKind | null,
): Promise<Finding> {
  const at = await cellsAt(ctx, call, question);
  if ('status' in at) return at;
  const { grid, cells, partitions, match } = at;
  const confidence = confidenceOf(question.rule, { match });
  const values = kind ? grid.derived(`${kind} null`, () => measureAll(grid, kind, null)) : grid.values;
  const test = testOf(ctx, call.where);
  const given = cells.map(cell => values[cell]!).filter(value => !Number.isNaN(value));
  const name = layerWords(call.sources[0]!, partitions);
  if (given.length * 2 < cells.length || !given.length)
    return absent(
      `${name}: only ${given.length} of ${cells.length} cells have data, under half`,
      confidence,
      partitions,
    );
  const meeting = call.where ? given.filter(value => test({ value })) : given;
  if (!meeting.length) return absent(`${name}: no cell meets the condition`, confidence, partitions);
  const stat = String(call.options.stat);
  const resultOf = (of: Statistic) =>
    'reason' in of ? { reason: `${name}: ${of.reason}` } : published(of.value, call, question.type, `the ${stat}`);
  const result = stat === 'vintage' ? yearOf(name, partitions) : resultOf(statistic(stat, meeting, cells.length));
  return publishedFinding(result, confidence, partitions);
}

/** The same for every parcel of a batch. */
export async function overParcels(
  batch: Batch,
  call: Expression,
  question: Question,
  kind: CellKind | null,
): Promise<Finding[]> {
  await tellTiles(batch, call.sources[0]!);
  await seedCoverage(batch, PARCELS);
  return pointByPoint(batch, ctx => parcelZonal(ctx, call, question, kind));
}
