import type { AreaForm } from '../area/area.ts';
import { cellStatistics, countingOf } from '../area/cell-statistics.ts';
import { type CellKind, marginOf, measureAll, requireCellKind } from '../raster/terrain.ts';
import { shown, spacingOf } from './raster-terrain.ts';

/**
 * The measure of every native cell of the area: of slopes and ruggedness the least, mean and greatest value, of slopes also
 * the shares of the classes 0-2, 2-5, 5-10, 10-15, 15-25 and 25+ (each without its upper end), of `aspect_cardinal` the
 * share of every sector. Directions in degrees have no mean, and tpi needs a disc: they have no area form. With `stat` as
 * raster_zonal over an area.
 *
 * Cost: as raster_sample over an area, with one Horn a cell.
 */
export const form: AreaForm = {
  name: 'raster_terrain',
  async over(ctx, call, question) {
    const { stat } = call.options;
    if (call.argument === 'tpi' || (call.argument === 'aspect_degrees' && stat !== 'fraction')) return null;
    const kind: CellKind = requireCellKind(call.argument!);
    const numbers = kind.startsWith('slope') ? 'slopes' : 'numbers';
    const plain = kind === 'aspect_cardinal' ? 'codes' : numbers;
    const counting = stat === undefined ? plain : countingOf(String(stat), numbers);
    if (!counting) return null;
    let spacing: number | null = null;
    const request = {
      source: call.sources[0]!,
      band: 1,
      margin: (tile: Parameters<typeof spacingOf>[0], column: number, row: number) => {
        spacing = kind === 'tri' ? spacingOf(tile, call, column, row) : null;
        return marginOf(tile.raster, kind, column, row, spacing);
      },
      values: (grid: Parameters<typeof measureAll>[0]) => measureAll(grid, kind, spacing),
    };
    const label = (value: number) => shown(kind, value);
    return cellStatistics(ctx, call, question, request, counting, label, label);
  },
};
