import type { AreaForm } from '../area/area.ts';
import { bandStatistics } from '../area/cell-statistics.ts';

/**
 * Of a raster of numbers the least, mean and greatest value of the cells whose center lies in the area, of a raster of
 * codes every value with its share of them. Cells count alike; those without data, or whose value is published for
 * missing, are `without_value`. An area that holds no cell's center has the cell at its interior point.
 *
 * Cost: each block under the area is read and decoded once and kept; then one pass over its cells.
 */
export const form: AreaForm = {
  name: 'raster_sample',
  over(ctx, call, question) {
    const codes = call.options.map !== undefined || question.type === 'string' || question.type === 'boolean';
    return bandStatistics(ctx, call, question, codes ? 'codes' : 'numbers');
  },
};
