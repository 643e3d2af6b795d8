import { fromFile, type GeoTIFF, type GeoTIFFImage } from 'geotiff';
import { noteChange, sameStamp, statOf } from '../../format/file-stamp.ts';
import { geoTransform, projectionOf } from '../../format/geotiff.ts';
import { useBoundedDecoders } from '../../format/tiff-decoder.ts';
import type { Cache } from '../cache.ts';
import { Fault } from '../fault.ts';
import type { Raster } from './raster.ts';

useBoundedDecoders();

type Cells = ArrayLike<number> & { readonly byteLength: number };

/**
 * Opens a GeoTIFF. Blocks are decoded once and kept in the cache.
 * @param id what the cache knows the bytes by; begins with the file's sha256.
 * @throws Fault when the file is no georeferenced GeoTIFF.
 */
export async function openRaster(path: string, id: string, cache: Cache): Promise<Raster> {
  let tiff: GeoTIFF | undefined;
  const before = statOf(path);
  const requireSame = () => {
    const stat = statOf(path);
    if (stat && before && sameStamp(stat, before)) return;
    noteChange();
    throw new Error('it was changed while it was open');
  };
  try {
    tiff = await fromFile(path);
    return await describe(tiff, await tiff.getImage(0), { id, cache, requireSame });
  } catch (error) {
    await tiff?.close();
    if (error instanceof Fault) throw error;
    throw new Fault(`raster file ${id.slice(0, 12)} cannot be read as GeoTIFF: ${(error as Error).message}`, true);
  }
}

/** What a raster's blocks are read with. */
interface Reading {
  readonly id: string;
  readonly cache: Cache;
  /** Throws when the file is not as it was opened. */
  readonly requireSame: () => void;
}

async function describe(tiff: GeoTIFF, image: GeoTIFFImage, { id, cache, requireSame }: Reading): Promise<Raster> {
  const g = await geoTransform(image);
  if (!g) throw new Fault('the raster has no georeference (ModelPixelScale and ModelTiepoint, or ModelTransformation)');
  const projection = projectionOf(image);
  if (!projection) {
    const keys = image.getGeoKeys();
    throw new Fault(
      keys
        ? `the raster's coordinate reference system is not supported: ${JSON.stringify(keys)}`
        : 'the raster names no coordinate reference system',
    );
  }
  const { forward, inverse } = projection;
  const width = image.getWidth();
  const height = image.getHeight();
  const bands = image.getSamplesPerPixel();
  const determinant = g[1] * g[5] - g[2] * g[4];
  if (!determinant) throw new Fault('the raster has cells without area');
  const text = ((await image.getFileDirectory().loadValue('GDAL_NODATA')) as string | undefined)?.replaceAll('\0', '');
  const nodata = text?.trim() ? Number(text) : null;
  const blockWidth = Math.max(1, Math.min(width, image.getTileWidth()));
  // A file of one strip would otherwise be decoded whole into one block; readRasters cuts at any row.
  const blockHeight = Math.max(1, Math.min(height, image.isTiled ? image.getTileHeight() : 256, image.getTileHeight()));
  const reading = new Map<string, Promise<Cells>>();

  const block = async (band: number, column: number, row: number): Promise<Cells> => {
    const key = `block:${id}:${band}:${column}:${row}`;
    const cached = cache.get(key) as Cells | undefined;
    if (cached) return cached;
    let pending = reading.get(key);
    if (!pending) {
      const window = [
        column * blockWidth,
        row * blockHeight,
        Math.min(width, (column + 1) * blockWidth),
        Math.min(height, (row + 1) * blockHeight),
      ];
      pending = (async () => {
        try {
          const [cells] = (await image.readRasters({ window, samples: [band - 1] })) as unknown as [Cells];
          requireSame();
          cache.set(key, cells, cells.byteLength + 200);
          return cells;
        } catch (error) {
          throw new Fault(`raster file ${id.slice(0, 12)}: a block cannot be read: ${(error as Error).message}`, true);
        } finally {
          reading.delete(key);
        }
      })();
      reading.set(key, pending);
    }
    return pending;
  };

  const toGrid = (lng: number, lat: number): readonly [number, number] => {
    const [x, y] = forward(lng, lat);
    const dx = x - g[0];
    const dy = y - g[3];
    return [(dx * g[5] - dy * g[2]) / determinant, (dy * g[1] - dx * g[4]) / determinant];
  };
  const requireBand = (band: number) => {
    if (!(band >= 1 && band <= bands)) throw new Fault(`the raster has ${bands} bands, no band ${band}`);
  };
  // A float32 cell holds the rounded nodata value, so the declared one is rounded alike before comparing.
  const emptyIn = (cells: Cells) =>
    nodata !== null && cells instanceof Float32Array ? Math.fround(nodata) : (nodata ?? Number.NaN);

  return {
    width,
    height,
    cellArea: Math.abs(determinant),
    locate(lng, lat) {
      const [column, row] = toGrid(lng, lat);
      return column >= 0 && row >= 0 && column < width && row < height ? [column, row] : null;
    },
    toGrid,
    toPoint: (column, row) => inverse(g[0] + column * g[1] + row * g[2], g[3] + column * g[4] + row * g[5]),
    async cell(band, column, row) {
      requireBand(band);
      const [bx, by] = [Math.floor(column / blockWidth), Math.floor(row / blockHeight)];
      const cells = await block(band, bx, by);
      const wide = Math.min(blockWidth, width - bx * blockWidth);
      const value = cells[(row - by * blockHeight) * wide + (column - bx * blockWidth)]!;
      return Number.isNaN(value) || value === emptyIn(cells) ? null : value;
    },
    async window(band, column0, row0, column1, row1) {
      requireBand(band);
      const across = column1 - column0;
      const out = new Float64Array(Math.max(0, across) * Math.max(0, row1 - row0)).fill(Number.NaN);
      const [left, right] = [Math.max(0, column0), Math.min(width, column1)];
      const [top, bottom] = [Math.max(0, row0), Math.min(height, row1)];
      if (left >= right || top >= bottom) return out;
      for (let by = Math.floor(top / blockHeight); by * blockHeight < bottom; by++)
        for (let bx = Math.floor(left / blockWidth); bx * blockWidth < right; bx++) {
          const cells = await block(band, bx, by);
          const empty = emptyIn(cells);
          const [x0, y0] = [bx * blockWidth, by * blockHeight];
          const wide = Math.min(blockWidth, width - x0);
          const lastColumn = Math.min(right, x0 + wide);
          const lastRow = Math.min(bottom, y0 + blockHeight);
          for (let row = Math.max(top, y0); row < lastRow; row++) {
            const from = (row - y0) * wide - x0;
            const to = (row - row0) * across - column0;
            for (let column = Math.max(left, x0); column < lastColumn; column++) {
              const value = cells[from + column]!;
              if (value !== empty) out[to + column] = value;
            }
          }
        }
      return out;
    },
    close() {
      void tiff.close();
    },
  };
}
