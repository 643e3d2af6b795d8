import type { Value } from '../../../datasets/dataset.ts';
import type { AreaForm } from '../area/area.ts';
import { cellStatistics } from '../area/cell-statistics.ts';
import { published } from '../published.ts';

/**
 * Of a raster of numbers the least, mean and greatest value of the cells whose centre lies in the area, of a raster of
 * codes every value with its share of them. Cells count alike; those without data, or whose value is published for
 * missing, are `without_value`. An area that holds no cell's centre has the cell at its interior point.
 *
 * Cost: each block under the area is read and decoded once and kept; then one pass over its cells.
 */
export const form: AreaForm = {
  name: 'raster_sample',
  over(ctx, call, question) {
    const { type } = question;
    const label = (raw: number): Value => {
      const said = published(raw, call, type, `band ${call.argument}`);
      return 'reason' in said ? null : said.value;
    };
    const codes = call.options.map !== undefined || type === 'string' || type === 'boolean';
    const request = {
      source: call.sources[0]!,
      band: Number(call.argument),
      margin: () => 0,
      values: ({ values }: { readonly values: Float64Array }) => values,
    };
    return cellStatistics(ctx, call, question, request, codes ? 'codes' : 'numbers', label);
  },
};
