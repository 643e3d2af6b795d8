import { rm, writeFile } from 'node:fs/promises';
import type { Box } from '../../../datasets/geometry.ts';
import { storedRasterCrs } from '../../crs/stored-crs.ts';
import { boxIn, type Crs, resolveCrs } from '../../crs.ts';
import type { BandInfo } from '../../raster/raster-info.ts';
import type { RasterBlock, RasterSource } from '../../raster/raster-source.ts';
import { storeRaster } from '../../raster/stored-raster.ts';
import { ReadError } from '../../reader.ts';
import { reader } from '../../readers/geotiff.ts';
import { Passing } from '../client.ts';
import { headFault } from '../content.ts';
import { AcquireError } from '../fault.ts';
import { PartFile } from '../part-file.ts';
import type { Content, Source, Tools } from '../source-reader.ts';

/** The cells of a service: its box, and their size, in the units of its CRS. */
export interface Grid {
  readonly crs: string | null;
  readonly box: Box;
  readonly cellX: number;
  readonly cellY: number;
  /** Most cells of an edge that it sends at once. */
  readonly most: number;
  /** The address of an image of a box of the grid. */
  readonly address: (box: Box, columns: number, rows: number) => string;
}

/** Cells of the edges of a request, at most and at least. */
const BLOCK = 1024;
const LEAST_BLOCK = 256;

/** The window of whole cells that covers the ground, in cells from the upper left corner. */
async function windowOf({ box, cellX, cellY }: Grid, crs: Crs, ground: Box, url: string) {
  const wanted = await boxIn(crs, ground, url);
  const [west, south, east, north] = box;
  const columns = Math.round((east - west) / cellX);
  const rows = Math.round((north - south) / cellY);
  const left = Math.max(0, Math.floor((wanted[0] - west) / cellX));
  const top = Math.max(0, Math.floor((north - wanted[3]) / cellY));
  const right = Math.min(columns, Math.ceil((wanted[2] - west) / cellX));
  const bottom = Math.min(rows, Math.ceil((north - wanted[1]) / cellY));
  if (!(right > left && bottom > top))
    throw new AcquireError('wrong_content', url, 'has no cells on the ground that is asked for');
  return { left, top, width: right - left, height: bottom - top };
}

/** One image of exactly the cells that were asked for. @param file to keep it in meanwhile. @throws Passing, AcquireError. */
async function imageOf(
  url: string,
  box: Box,
  [columns, rows]: readonly [number, number],
  grid: Grid,
  file: string,
  { client, signal }: Tools,
): Promise<{ readonly band: BandInfo; readonly values: Float64Array }> {
  const bytes = await client.bytesOnce(url, signal);
  const fault = bytes.length === 0 ? 'nothing came' : headFault(bytes, 'image.tif');
  // A service reports its errors in an answer of 200, as a page, as JSON or as XML.
  if (fault !== null) throw new Passing(`${fault}: ${bytes.toString('utf8', 0, 200).replaceAll(/\s+/g, ' ')}`);
  await writeFile(file, bytes);
  let image: RasterSource | null = null;
  try {
    image = (await reader.open(file, {})) as RasterSource;
    const { width, height, transform, bands } = image.info;
    if (width !== columns || height !== rows)
      throw new AcquireError(
        'wrong_content',
        url,
        `${columns} by ${rows} cells were asked for, ${width} by ${height} came`,
      );
    const isPlaced =
      Math.abs(transform[0] - box[0]) < grid.cellX / 4 &&
      Math.abs(transform[3] - box[3]) < grid.cellY / 4 &&
      Math.abs(transform[1] - grid.cellX) < grid.cellX / columns / 4;
    if (!isPlaced) throw new AcquireError('wrong_content', url, 'the image lies elsewhere than what was asked for');
    const values = new Float64Array(columns * rows);
    for await (const block of image.blocks(1, signal))
      for (let row = 0; row < block.height; row++)
        values.set(
          block.values.subarray(row * block.width, (row + 1) * block.width),
          (block.row + row) * columns + block.column,
        );
    return { band: bands[0]!, values };
  } catch (error) {
    throw error instanceof ReadError ? new Passing(`its image is damaged: ${error.why}`) : error;
  } finally {
    await image?.close();
  }
}

/**
 * Cuts the ground out of a grid that a service sends piece by piece, and writes it as one GeoTIFF of the stored form. The cells are
 * those of the service, neither resampled nor moved: each request is of whole cells, and each answer is compared with what was
 * asked for.
 */
export async function cut(grid: Grid, source: Source, target: string, tools: Tools): Promise<Content> {
  const { url, box: ground } = source;
  if (!ground) throw new AcquireError('wrong_content', url, 'is cut by ground, and none is given');
  const block = Math.min(BLOCK, Math.floor(grid.most / LEAST_BLOCK) * LEAST_BLOCK);
  if (block === 0) throw new AcquireError('wrong_content', url, `sends no more than ${grid.most} cells at once`);
  const part = new PartFile<null>(target, url);
  const file = `${part.path}.tif`;
  try {
    const crs = await resolveCrs(grid.crs, url);
    const { left, top, width, height } = await windowOf(grid, crs, ground, url);
    const [x, y] = [grid.box[0] + left * grid.cellX, grid.box[3] - top * grid.cellY];
    const own: Box = [x, y - height * grid.cellY, x + width * grid.cellX, y];
    const stored = await storedRasterCrs(crs, own, url);
    let bytes = 0;
    const pieceAt = async (column: number, row: number): Promise<RasterBlock & { readonly info: BandInfo }> => {
      const size = [Math.min(block, width - column), Math.min(block, height - row)] as const;
      const [west, north] = [x + column * grid.cellX, y - row * grid.cellY];
      const box: Box = [west, north - size[1] * grid.cellY, west + size[0] * grid.cellX, north];
      const address = grid.address(box, ...size);
      const once = () => imageOf(address, box, size, grid, file, tools);
      const { band, values } = await tools.client.patiently(address, once, tools.signal);
      bytes += values.byteLength;
      tools.came(bytes, null);
      return { band: 1, column, row, width: size[0], height: size[1], values, info: band };
    };
    const first = await pieceAt(0, 0);
    async function* blocks(): AsyncGenerator<RasterBlock> {
      for (let row = 0; row < height; row += block)
        for (let column = 0; column < width; column += block) {
          const piece = row + column === 0 ? first : await pieceAt(column, row);
          if (piece.info.type !== first.info.type || !Object.is(piece.info.nodata, first.info.nodata))
            throw new AcquireError('wrong_content', url, 'its images have cells of several types');
          yield piece;
        }
    }
    const info = { width, height, bands: [first.info], transform: [x, grid.cellX, 0, y, 0, -grid.cellY] } as const;
    await part.start(null, null);
    await storeRaster(url, { info, blocks }, { bands: 1 }, {}, stored, part.path);
  } catch (error) {
    throw error instanceof ReadError ? new AcquireError('wrong_content', url, error.message) : error;
  } finally {
    await rm(file, { force: true });
  }
  await part.done();
  return { url, stamp: null, changedAt: null };
}
