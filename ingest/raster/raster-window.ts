import type { Box } from '../../datasets/geometry.ts';
import type { GeoTransform } from '../../query/format/tiff-tags.ts';
import { ReadError } from '../reader.ts';
import type { RasterInfo, RasterWindow } from './raster-info.ts';
import type { RasterBlock, RasterSource } from './raster-source.ts';

/** Whole cells that hold a box (in the CRS of the raster), and one more about them for what is read between cells. */
function windowOf({ transform, width, height }: RasterInfo, [west, south, east, north]: Box): RasterWindow | null {
  const [x, dx, , y, , dy] = transform;
  const columns = [(west - x) / dx, (east - x) / dx].sort((a, b) => a - b);
  const rows = [(south - y) / dy, (north - y) / dy].sort((a, b) => a - b);
  const left = Math.max(0, Math.floor(columns[0]!) - 1);
  const top = Math.max(0, Math.floor(rows[0]!) - 1);
  const right = Math.min(width, Math.ceil(columns[1]!) + 1);
  const bottom = Math.min(height, Math.ceil(rows[1]!) + 1);
  return right > left && bottom > top ? { column: left, row: top, width: right - left, height: bottom - top } : null;
}

/** What of a block lies in a window, counted from its corner; null where nothing does. */
function cropped(block: RasterBlock, window: RasterWindow): RasterBlock | null {
  const left = Math.max(block.column, window.column);
  const top = Math.max(block.row, window.row);
  const width = Math.min(block.column + block.width, window.column + window.width) - left;
  const height = Math.min(block.row + block.height, window.row + window.height) - top;
  if (width <= 0 || height <= 0) return null;
  const values = new Float64Array(width * height);
  for (let i = 0; i < height; i++) {
    const from = (top - block.row + i) * block.width + left - block.column;
    values.set(block.values.subarray(from, from + width), i * width);
  }
  return { band: block.band, column: left - window.column, row: top - window.row, width, height, values };
}

/**
 * The cells of a raster that hold a box, as a raster of its own. A grid that is turned stays whole.
 * @param box in the CRS of the raster.
 * @throws ReadError when no cell lies there.
 */
export function windowed(source: RasterSource, box: Box, file: string): RasterSource {
  const { info } = source;
  const [x, dx, turnX, y, turnY, dy] = info.transform;
  if (turnX !== 0 || turnY !== 0) return source;
  const window = windowOf(info, box);
  if (!window) throw new ReadError('part_missing', file, null, 'has no cells on the ground of the county');
  const { column, row, width, height } = window;
  const transform: GeoTransform = [x + column * dx, dx, 0, y + row * dy, 0, dy];
  return {
    crs: source.crs,
    columns: source.columns,
    count: null,
    info: { ...info, width, height, transform },
    get findings() {
      return source.findings;
    },
    rows: signal => source.rows(signal),
    close: () => source.close(),
    async *blocks(bands, signal) {
      for await (const block of source.blocks(bands, signal, window)) {
        const own = cropped(block, window);
        if (own) yield own;
      }
    },
  };
}
