import type { AreaForm } from '../area/area.ts';
import { bandStatistics, countingOf } from '../area/cell-statistics.ts';

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
    return counting && bandStatistics(ctx, call, question, counting);
  },
};
