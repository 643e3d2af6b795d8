import { deflateSync } from 'node:zlib';
import { fromArrayBuffer, type GeoTIFFImage, type TypedArray } from 'geotiff';
import type { Box } from '../../../datasets/geometry.ts';
import { geoTransform } from '../../../query/format/geotiff.ts';
import { useBoundedDecoders } from '../../../query/format/tiff-decoder.ts';
import { boxIn, resolveCrs } from '../../crs.ts';
import { ReadError } from '../../reader.ts';
import { Passing } from '../client.ts';
import { headFault } from '../content.ts';
import { AcquireError } from '../fault.ts';
import { PartFile } from '../part-file.ts';
import type { Content, Source, Tools } from '../source-reader.ts';
import { GeotiffWriter } from './geotiff-writer.ts';

useBoundedDecoders();

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

/** Cells of the edges of a tile of the file. */
const TILE = 256;
/** Cells of the edges of a request. */
const BLOCK = 1024;

/** The window of whole cells that covers the ground, in cells from the upper left corner. */
async function windowOf({ crs, box, cellX, cellY }: Grid, ground: Box, url: string) {
  let wanted: Box;
  try {
    wanted = await boxIn(await resolveCrs(crs, url), ground, url);
  } catch (error) {
    throw error instanceof ReadError ? new AcquireError('wrong_content', url, error.message) : error;
  }
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

/** One image of exactly the cells that were asked for. @throws Passing, AcquireError. */
async function imageOf(url: string, box: Box, size: readonly [number, number], grid: Grid, { client, signal }: Tools) {
  const bytes = await client.bytesOnce(url, signal);
  const fault = bytes.length === 0 ? 'nothing came' : headFault(bytes, 'image.tif');
  // A service reports its errors in an answer of 200, as a page, as JSON or as XML.
  if (fault !== null) throw new Passing(`${fault}: ${bytes.toString('utf8', 0, 200).replaceAll(/\s+/g, ' ')}`);
  let image: GeoTIFFImage;
  let values: TypedArray;
  try {
    const tiff = await fromArrayBuffer(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    );
    image = await tiff.getImage();
    [values] = (await image.readRasters({ samples: [0] })) as unknown as [TypedArray];
  } catch (error) {
    throw new Passing(`its image is damaged: ${(error as Error).message}`);
  }
  const [columns, rows] = size;
  if (image.getWidth() !== columns || image.getHeight() !== rows)
    throw new AcquireError(
      'wrong_content',
      url,
      `${columns} by ${rows} cells were asked for, ${image.getWidth()} by ${image.getHeight()} came`,
    );
  const transform = await geoTransform(image);
  const isPlaced =
    transform !== null &&
    Math.abs(transform[0] - box[0]) < grid.cellX / 4 &&
    Math.abs(transform[3] - box[3]) < grid.cellY / 4 &&
    Math.abs(transform[1] - grid.cellX) < grid.cellX / columns / 4;
  if (!isPlaced) throw new AcquireError('wrong_content', url, 'the image lies elsewhere than what was asked for');
  return { image, values };
}

/** Cuts a tile out of a block, filled up with zeros. */
function tileOf(values: TypedArray, [columns, rows]: readonly [number, number], left: number, top: number): Uint8Array {
  const cells = values.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const tile = new Uint8Array(TILE * TILE * cells);
  const width = Math.min(TILE, columns - left);
  for (let row = 0; row < Math.min(TILE, rows - top); row++) {
    const start = ((top + row) * columns + left) * cells;
    tile.set(bytes.subarray(start, start + width * cells), row * TILE * cells);
  }
  return deflateSync(tile);
}

/**
 * Cuts the ground out of a grid that a service sends piece by piece, and writes it as one GeoTIFF. The cells are those of the
 * service, neither resampled nor moved: each request is of whole cells, and each answer is compared with what was asked for.
 */
export async function cut(grid: Grid, source: Source, target: string, tools: Tools): Promise<Content> {
  const { url, box: ground } = source;
  if (!ground) throw new AcquireError('wrong_content', url, 'is cut by ground, and none is given');
  const block = Math.min(BLOCK, Math.floor(grid.most / TILE) * TILE);
  if (block < TILE) throw new AcquireError('wrong_content', url, `sends no more than ${grid.most} cells at once`);
  const { left, top, width, height } = await windowOf(grid, ground, url);
  const part = new PartFile<null>(target, url);
  await part.start(null, null);
  const [west, , , north] = grid.box;
  const corner = { x: west + left * grid.cellX, y: north - top * grid.cellY };
  const writer = new GeotiffWriter(await part.append(), { ...grid, ...corner, width, height, tile: TILE });
  try {
    for (let row = 0; row < height; row += block)
      for (let column = 0; column < width; column += block) {
        const size = [Math.min(block, width - column), Math.min(block, height - row)] as const;
        const x = corner.x + column * grid.cellX;
        const y = corner.y - row * grid.cellY;
        const box: Box = [x, y - size[1] * grid.cellY, x + size[0] * grid.cellX, y];
        const address = grid.address(box, ...size);
        const once = () => imageOf(address, box, size, grid, tools);
        const { image, values } = await tools.client.patiently(address, once, tools.signal);
        await writer.describe(image, values, address);
        for (let down = 0; down < size[1]; down += TILE)
          for (let across = 0; across < size[0]; across += TILE)
            await writer.tile((column + across) / TILE, (row + down) / TILE, tileOf(values, size, across, down));
        tools.came(writer.bytes, null);
      }
    await writer.finish();
  } finally {
    await writer.close(part.path);
  }
  await part.done();
  return { url, stamp: null, changedAt: null };
}
