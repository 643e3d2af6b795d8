import { GeoTIFF, type GeoTIFFImage, type TypedArray } from 'geotiff';
import type { Geometry } from '../../datasets/geometry.ts';
import { type GeoTransform, geoTransform } from '../../query/format/geotiff.ts';
import { useBoundedDecoders } from '../../query/format/tiff-decoder.ts';
import { readFailure } from '../byte-cursor.ts';
import { geokeysCrs } from '../crs/geokeys.ts';
import { statedCrs } from '../crs.ts';
import { limitBytes, limitPassed } from '../read-limits.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';
import { openSliced, type SlicedFile } from '../sliced-file.ts';

useBoundedDecoders();

/** Bytes beyond the end of the file that the library may ask for. */
const SPARE_BYTES = 1 << 20;

interface Slice {
  readonly offset: number;
  readonly length: number;
}

/**
 * Returns a source for the library. The library's own file source does not check how many bytes it read, and stays open when
 * opening fails. The library asks for more bytes than it needs; bytes beyond the end of the file are zeros.
 */
function sourceOf(file: SlicedFile) {
  const fetchSlice = async ({ offset, length }: Slice) => {
    // Do not allocate memory for a damaged count.
    if (length > file.byteLength + SPARE_BYTES)
      throw new RangeError(`${length} bytes are asked for at ${offset}, the file has ${file.byteLength}`);
    const found = await file.slice(offset, Math.max(offset + 1, Math.min(offset + length, file.byteLength)));
    if (found.byteLength === length) return { offset, length, data: found };
    const data = new Uint8Array(length);
    data.set(new Uint8Array(found).subarray(0, length));
    return { offset, length, data: data.buffer };
  };
  return {
    fileSize: file.byteLength,
    fetchSlice,
    fetch: (slices: readonly Slice[]) => Promise.all(slices.map(async slice => (await fetchSlice(slice)).data)),
    close: () => file.close(),
  };
}

/** Checks that every block lies inside the file, so that a cut-off file is found at once. @throws ReadError. */
async function checkBlocks(image: GeoTIFFImage, path: string, size: number): Promise<void> {
  const directory = image.fileDirectory;
  const list = async (name: 'TileOffsets' | 'TileByteCounts' | 'StripOffsets' | 'StripByteCounts') =>
    Array.from((await directory.loadValue(name)) as unknown as ArrayLike<number | bigint>, Number);
  const offsets = await list(image.isTiled ? 'TileOffsets' : 'StripOffsets');
  const counts = await list(image.isTiled ? 'TileByteCounts' : 'StripByteCounts');
  const blockBytes =
    image.getTileWidth() * image.getTileHeight() * image.getSamplesPerPixel() * image.getBytesPerPixel();
  if (blockBytes > limitBytes('valueMb')) throw limitPassed('valueMb', path, null, `a block of ${blockBytes} bytes`);
  const [across, down] = [
    Math.ceil(image.getWidth() / image.getTileWidth()),
    Math.ceil(image.getHeight() / image.getTileHeight()),
  ];
  if (offsets.length < across * down)
    throw new ReadError(
      'file_corrupt',
      path,
      null,
      `has ${offsets.length} blocks, but an image of ${image.getWidth()} x ${image.getHeight()} needs ${across * down}`,
    );
  offsets.forEach((offset, i) => {
    if (offset + (counts[i] ?? 0) > size)
      throw new ReadError(
        'file_truncated',
        path,
        i + 1,
        `block ${i + 1} ends at byte ${offset + (counts[i] ?? 0)}, the file at ${size}; fetch it again`,
      );
  });
}

class RasterSource implements Source {
  readonly crs: string | null;
  readonly columns = ['band', 'column', 'row', 'width', 'height', 'values'];
  readonly count: number;
  readonly #path: string;
  readonly #file: SlicedFile;
  readonly #image: GeoTIFFImage;
  readonly #transform: GeoTransform;

  constructor(path: string, file: SlicedFile, image: GeoTIFFImage, transform: GeoTransform, crs: string | null) {
    this.#path = path;
    this.#file = file;
    this.#image = image;
    this.#transform = transform;
    this.crs = crs;
    const across = Math.ceil(image.getWidth() / image.getTileWidth());
    const down = Math.ceil(image.getHeight() / image.getTileHeight());
    this.count = across * down * image.getSamplesPerPixel();
  }

  #footprint(column: number, row: number, width: number, height: number): Geometry {
    const [a, b, c, d, e, f] = this.#transform;
    const xy = new Float64Array(10);
    const corners = [column, row, column, row + height, column + width, row + height, column + width, row, column, row];
    for (let i = 0; i < 10; i += 2) {
      xy[i] = a + b * corners[i]! + c * corners[i + 1]!;
      xy[i + 1] = d + e * corners[i]! + f * corners[i + 1]!;
    }
    return { type: 'Polygon', xy, ends: Uint32Array.of(5), parts: Uint32Array.of(1) };
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const image = this.#image;
    const [columns, lines] = [image.getWidth(), image.getHeight()];
    const [blockWidth, blockHeight] = [image.getTileWidth(), image.getTileHeight()];
    const batch = new RowBatch();
    let number = 0;
    try {
      for (let row = 0; row < lines; row += blockHeight)
        for (let column = 0; column < columns; column += blockWidth) {
          checkAborted(signal, this.#path, number);
          const width = Math.min(blockWidth, columns - column);
          const height = Math.min(blockHeight, lines - row);
          const window = [column, row, column + width, row + height];
          const bands = (await image.readRasters({ window, interleave: false })) as TypedArray[];
          const geometry = this.#footprint(column, row, width, height);
          for (let band = 1; band <= bands.length; band++) {
            number++;
            const values = bands[band - 1]!;
            const properties = { band, column, row, width, height, values };
            if (batch.push({ number, properties, geometry }, values.length)) yield batch.take();
          }
        }
      if (batch.size > 0) yield batch.take();
    } catch (error) {
      throw readFailure(error, this.#path, number + 1);
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/**
 * Reads GeoTIFF and COG at full resolution. Each row is a block of one band, with the properties band (from 1), column and row
 * of its upper-left pixel, width and height in pixels, and `values` row by row. The geometry is the block's footprint.
 */
export const reader: Reader = {
  name: 'geotiff',
  endings: ['.tif', '.tiff'],
  async open(path, options) {
    const file = await openSliced(path);
    try {
      const tiff = await GeoTIFF.fromSource(sourceOf(file) as never);
      const image = await tiff.getImage();
      await checkBlocks(image, path, file.byteLength);
      const transform = await geoTransform(image);
      if (!transform)
        throw new ReadError('format_unsupported', path, null, 'the TIFF has no georeference (no tie point or matrix)');
      return new RasterSource(path, file, image, transform, statedCrs(await geokeysCrs(image), options));
    } catch (error) {
      await file.close();
      if (error instanceof ReadError) throw error;
      throw new ReadError('file_corrupt', path, null, `is no readable GeoTIFF (${(error as Error).message})`);
    }
  },
};
