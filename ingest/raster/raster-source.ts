import type { Geometry } from '../../datasets/geometry.ts';
import type { Row, Source } from '../reader.ts';
import type { RasterInfo, RasterWindow } from './raster-info.ts';

/** Columns of the rows of a raster. */
export const RASTER_COLUMNS: readonly string[] = ['band', 'column', 'row', 'width', 'height', 'values'];

/** Cells of one band: stored numbers, row by row from the top; NaN where there is no data. */
export interface RasterBlock extends RasterWindow {
  readonly band: number;
  readonly values: Float64Array;
}

/**
 * An opened raster. A row is a block of one band, with its column and row, its width and height in cells, and `values`. Its
 * geometry is the footprint of the block.
 */
export interface RasterSource extends Source {
  readonly info: RasterInfo;
  /** Blocks of the first bands: together all their cells, each once. @param about others may be left out that do not meet it. */
  blocks(bands: number, signal?: AbortSignal, about?: RasterWindow): AsyncIterable<RasterBlock>;
}

/** The footprint of a window in the CRS of a raster. */
export function footprint({ transform: g }: RasterInfo, { column, row, width, height }: RasterWindow): Geometry {
  const xy = new Float64Array(10);
  const corners = [column, row, column, row + height, column + width, row + height, column + width, row, column, row];
  for (let i = 0; i < 10; i += 2) {
    xy[i] = g[0] + g[1] * corners[i]! + g[2] * corners[i + 1]!;
    xy[i + 1] = g[3] + g[4] * corners[i]! + g[5] * corners[i + 1]!;
  }
  return { type: 'Polygon', xy, ends: Uint32Array.of(5), parts: Uint32Array.of(1) };
}

/** The window of all cells of a raster. */
export const wholeOf = ({ width, height }: RasterInfo): RasterWindow => ({ column: 0, row: 0, width, height });

/** The rows of a raster. */
export async function* rowsOf(source: Pick<RasterSource, 'info' | 'blocks'>, signal?: AbortSignal) {
  let number = 0;
  for await (const block of source.blocks(source.info.bands.length, signal)) {
    number++;
    const { band, column, row, width, height, values } = block;
    const properties = { band, column, row, width, height, values };
    yield [{ number, properties, geometry: footprint(source.info, block) }] satisfies Row[];
  }
}
