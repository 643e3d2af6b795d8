import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, type Operator, type Question, testOf } from '../context.ts';
import { absent, type Finding, found } from '../finding.ts';
import { published, publishedFinding, roundFraction } from '../published.ts';
import { overParcels, parcelZonal } from '../raster/parcel-cells.ts';
import { summarise } from '../raster/zonal.ts';
import { answerZones, radiusOf, type Zone, type ZoneAt, type ZoneSpec, zoneAt } from '../raster/zone.ts';

const specOf = (call: Expression): ZoneSpec => ({
  source: call.sources[0]!,
  band: Number(call.argument),
  radius: radiusOf(call.options.over),
  margin: () => 0,
  around: '0',
});

function answer(ctx: Context, call: Expression, { rule, type }: Question, zone: ZoneAt): Finding {
  const confidence = confidenceOf(rule);
  if ('absent' in zone) return absent(zone.absent, confidence, zone.covering);
  const { grid, spans }: Zone = zone;
  const stat = String(call.options.stat);
  const test = call.where && testOf(ctx, call.where);
  const result = summarise(stat, { grid, spans, kind: '', values: () => grid.values }, call.where, test);
  const partitions = grid.sources(spans);
  if ('reason' in result)
    return absent(`${layerWords(call.sources[0]!, partitions)}: ${result.reason}`, confidence, partitions);
  if (stat === 'fraction') return found(roundFraction(result.value), confidence, partitions);
  return publishedFinding(published(result.value, call, type, `the ${stat}`), confidence, partitions);
}

/**
 * A statistic of the cells whose center lies in the geodesic disc `over=radius:<meters>`: `mean`, `range`, `majority`
 * (ties go to the smaller code), or `fraction`, the valid cells that meet `where` over the valid ones. Absent when under
 * half of the disc's cells are valid.
 *
 * Decided here:
 * - Cells of the disc that no tile holds count as not valid, so a disc half beyond the edge of the data is absent.
 * - The grid is that of the finest tile at the point. Cells beyond it, or without data in it, come from the next tile that
 *   has them, the finest first: exactly where tiles are cut from one grid, by the nearest cell elsewhere. Every
 *   partition that gave a cell is cited.
 * - With `where`, mean, range and majority are taken of the cells that meet it; of none they are absent. A fraction
 *   without `where` is refused.
 * - Cells count alike, on grids in degrees too: within a disc their areas hardly differ.
 * - A disc that holds no cell's center is absent.
 * - `over=parcel` (attributes of stored parcels only) takes the cells whose center lies in the parcel, or where it holds
 *   none the cell at its point, and knows `min`, `max`, `mean`, `majority`, `share`, that of the majority, and `vintage`,
 *   the year of the raster. A majority there has half or more of the parcel's cells, those without data counted, else it
 *   and its share are absent.
 * - Means add multiples of 2^-20, which is exact in any order.
 *
 * Cost: each block under the disc is read and decoded once and kept; then one pass over the window of the disc a value and
 * condition, and a few distances a row of cells for its edge. In bulk, points on one 512-cell square share window and
 * running sums, and each then costs its rows.
 */
export const operator: Operator = {
  name: 'raster_zonal',
  async point(ctx, call, question) {
    if (call.options.over === 'parcel') return parcelZonal(ctx, call, question, null);
    return answer(ctx, call, question, await zoneAt(ctx, specOf(call)));
  },
  bulk(batch, call, question) {
    if (call.options.over === 'parcel') return overParcels(batch, call, question, null);
    return answerZones(batch, specOf(call), (ctx, zone) => answer(ctx, call, question, zone));
  },
};
