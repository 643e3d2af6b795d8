import type { Value } from '../../../datasets/dataset.ts';
import type { AreaForm } from '../area/area.ts';
import { cellStatistics, countingOf } from '../area/cell-statistics.ts';
import { published } from '../published.ts';

/**
 * The statistic over the area's own cells instead of a disc's: of `mean` and `range` the least, mean and greatest value, of
 * `majority` every value with its share, of `fraction` the share of the cells that meet the condition.
 *
 * Cost: as raster_sample over an area.
 */
export const form: AreaForm = {
  name: 'raster_zonal',
  async over(ctx, call, question) {
    const counting = countingOf(String(call.options.stat), 'numbers');
    if (!counting) return null;
    const label = (raw: number): Value => {
      const said = published(raw, call, question.type, `band ${call.argument}`);
      return 'reason' in said ? null : said.value;
    };
    const request = {
      source: call.sources[0]!,
      band: Number(call.argument),
      margin: () => 0,
      values: ({ values }: { readonly values: Float64Array }) => values,
    };
    return cellStatistics(ctx, call, question, request, counting, label);
  },
};
