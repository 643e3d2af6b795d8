import { type FileHandle, open } from 'node:fs/promises';
import type { GeoTIFFImage, TypedArray } from 'geotiff';
import { AcquireError } from '../fault.ts';

interface Placed {
  /** Upper left corner and size of the cells, in the units of the CRS. */
  readonly x: number;
  readonly y: number;
  readonly cellX: number;
  readonly cellY: number;
  /** Cells. */
  readonly width: number;
  readonly height: number;
  /** Cells of the edges of a tile. */
  readonly tile: number;
}

/** What the first image says of itself: type of the cells, CRS and the value for no data. */
interface Form {
  readonly bits: number;
  readonly format: number;
  readonly geoKeys: readonly number[];
  readonly geoDoubles: readonly number[];
  readonly geoText: string;
  readonly nodata: string | null;
}

/** Types of TIFF 6.0: ASCII, SHORT, LONG, DOUBLE. */
const BYTES = { 2: 1, 3: 2, 4: 4, 12: 8 } as const;
type Tag = readonly [tag: number, type: keyof typeof BYTES, values: readonly number[] | string];
/** GTRasterTypeGeoKey, and its value for cells that are areas. */
const RASTER_TYPE = 1025;
const PIXEL_IS_AREA = 1;
/** Bytes that the offsets of a TIFF reach. */
const MOST_BYTES = 2 ** 32 - 2 ** 20;

/** A list of tags with their values behind it, at an offset of the file. */
function directory(tags: readonly Tag[], offset: number): Buffer {
  const head = Buffer.alloc(2 + 12 * tags.length + 4);
  head.writeUInt16LE(tags.length, 0);
  const rest: Buffer[] = [];
  let next = offset + head.length;
  for (const [i, [tag, type, values]] of tags.entries()) {
    const list = typeof values === 'string' ? [...Buffer.from(`${values}\0`, 'latin1')] : values;
    const data = Buffer.alloc(list.length * BYTES[type] + ((list.length * BYTES[type]) % 2));
    for (const [k, value] of list.entries())
      if (type === 2) data.writeUInt8(value, k);
      else if (type === 3) data.writeUInt16LE(value, 2 * k);
      else if (type === 4) data.writeUInt32LE(value, 4 * k);
      else data.writeDoubleLE(value, 8 * k);
    const entry = 2 + 12 * i;
    head.writeUInt16LE(tag, entry);
    head.writeUInt16LE(type, entry + 2);
    head.writeUInt32LE(list.length, entry + 4);
    if (list.length * BYTES[type] <= 4) data.copy(head, entry + 8);
    else {
      head.writeUInt32LE(next, entry + 8);
      rest.push(data);
      next += data.length;
    }
  }
  return Buffer.concat([head, ...rest]);
}

/** Writes a tiled GeoTIFF of one band, tile by tile in any order, in the form of the images that its tiles come from. */
export class GeotiffWriter {
  readonly #file: FileHandle;
  readonly #placed: Placed;
  readonly #across: number;
  readonly #offsets: number[];
  readonly #sizes: number[];
  #form: Form | null = null;
  /** Where the directory begins; null while tiles are missing. */
  #start: number | null = null;
  bytes = 0;

  constructor(file: FileHandle, placed: Placed) {
    this.#file = file;
    this.#placed = placed;
    this.#across = Math.ceil(placed.width / placed.tile);
    const tiles = this.#across * Math.ceil(placed.height / placed.tile);
    this.#offsets = new Array(tiles).fill(0);
    this.#sizes = new Array(tiles).fill(0);
  }

  /** Takes the form of the first image. @throws AcquireError when a later one has other cells. */
  async describe(image: GeoTIFFImage, values: TypedArray, url: string): Promise<void> {
    const bits = values.BYTES_PER_ELEMENT * 8;
    const format = image.getSampleFormat();
    if (this.#form) {
      if (this.#form.bits !== bits || this.#form.format !== format)
        throw new AcquireError('wrong_content', url, 'its cells are of another type than those before');
      return;
    }
    const tags = image.getFileDirectory();
    const list = async (name: 'GeoKeyDirectory' | 'GeoDoubleParams') =>
      Array.from(((await tags.loadValue(name)) ?? []) as ArrayLike<number>);
    const geoKeys = await list('GeoKeyDirectory');
    if (geoKeys.length === 0) throw new AcquireError('wrong_content', url, 'the image does not say in which CRS it is');
    for (let i = 4; i < geoKeys.length; i += 4) if (geoKeys[i] === RASTER_TYPE) geoKeys[i + 3] = PIXEL_IS_AREA;
    const text = async (name: 'GeoAsciiParams' | 'GDAL_NODATA') =>
      String((await tags.loadValue(name)) ?? '').replace(/\0+$/, '');
    const geoDoubles = await list('GeoDoubleParams');
    const [geoText, nodata] = [await text('GeoAsciiParams'), await text('GDAL_NODATA')];
    this.#form = { bits, format, geoKeys, geoDoubles, geoText, nodata: nodata === '' ? null : nodata };
    await this.#write(Buffer.alloc(8));
  }

  /** Adds a deflated tile by its column and row of tiles. */
  async tile(column: number, row: number, packed: Uint8Array): Promise<void> {
    const i = row * this.#across + column;
    this.#offsets[i] = this.bytes;
    this.#sizes[i] = packed.length;
    await this.#write(packed);
  }

  async #write(data: Uint8Array): Promise<void> {
    if (this.bytes + data.length > MOST_BYTES)
      throw new RangeError('the ground is too large for one TIFF; take less of it');
    await this.#file.write(data);
    this.bytes += data.length;
  }

  /** Writes the directory, and where it is. */
  async finish(): Promise<void> {
    const { bits, format, geoKeys, geoDoubles, geoText, nodata } = this.#form!;
    const { x, y, cellX, cellY, width, height, tile } = this.#placed;
    if (this.bytes % 2) await this.#write(Buffer.alloc(1));
    const start = this.bytes;
    const tags: Tag[] = [
      [256, 4, [width]],
      [257, 4, [height]],
      [258, 3, [bits]],
      [259, 3, [8]],
      [262, 3, [1]],
      [277, 3, [1]],
      [284, 3, [1]],
      [322, 3, [tile]],
      [323, 3, [tile]],
      [324, 4, this.#offsets],
      [325, 4, this.#sizes],
      [339, 3, [format]],
      [33550, 12, [cellX, cellY, 0]],
      [33922, 12, [0, 0, 0, x, y, 0]],
      [34735, 3, geoKeys],
      ...(geoDoubles.length === 0 ? [] : [[34736, 12, geoDoubles] as const]),
      ...(geoText === '' ? [] : [[34737, 2, geoText] as const]),
      ...(nodata === null ? [] : [[42113, 2, nodata] as const]),
    ];
    await this.#write(directory(tags, start));
    await this.#file.sync();
    this.#start = start;
  }

  /** Closes the file; of a complete one the head is written last. @param path of it. */
  async close(path?: string): Promise<void> {
    await this.#file.close();
    if (this.#start === null || path === undefined) return;
    const head = Buffer.from('II*\0\0\0\0\0', 'latin1');
    head.writeUInt32LE(this.#start, 4);
    const file = await open(path, 'r+');
    await file.write(head, 0, head.length, 0);
    await file.sync();
    await file.close();
  }
}
