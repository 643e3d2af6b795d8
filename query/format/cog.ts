import { closeSync, openSync, writeSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import { PositionedFile } from './positioned-file.ts';
import { type GeoTransform, readTags, type Tag, tiffHead } from './tiff-tags.ts';

/** Ending of the files of the stored form: a .tif is a published file, which earlier builds stored. */
export const COG_ENDING = 'cog';
/** Columns and rows of a tile. */
export const TILE = 256;

/** Cells of a tile, row by row from the top. */
export type Cells =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** Types of cells, with the bits and the SampleFormat of TIFF. */
const CELL_TYPES = {
  uint8: { bits: 8, format: 1, of: Uint8Array },
  uint16: { bits: 16, format: 1, of: Uint16Array },
  uint32: { bits: 32, format: 1, of: Uint32Array },
  int16: { bits: 16, format: 2, of: Int16Array },
  int32: { bits: 32, format: 2, of: Int32Array },
  float32: { bits: 32, format: 3, of: Float32Array },
  float64: { bits: 64, format: 3, of: Float64Array },
} as const;
export type CellType = keyof typeof CELL_TYPES;

/** A CRS as the key directory of GeoTIFF and its parameters, which other programs read. */
export interface GeoKeys {
  readonly directory: readonly number[];
  readonly doubles: readonly number[];
  readonly text: string;
}

/** What a stored raster says of itself. */
export interface CogHeader {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly type: CellType;
  /** Value of cells without data; of floating-point cells it is NaN, of others null when every cell has data. */
  readonly nodata: number | null;
  readonly transform: GeoTransform;
  /** Definition of the CRS that proj4 reads; LNGLAT for lng,lat WGS 84. */
  readonly crs: string;
}

/** Name of the CRS whose coordinates are lng,lat WGS 84. */
export const LNGLAT = 'OGC:CRS84';

/** Numbers of TIFF's tags. */
const TAGS = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  bands: 277,
  planar: 284,
  tileWidth: 322,
  tileHeight: 323,
  offsets: 324,
  lengths: 325,
  extra: 338,
  format: 339,
  transform: 34264,
  keys: 34735,
  keyDoubles: 34736,
  keyText: 34737,
  metadata: 42112,
  nodata: 42113,
} as const;
const DEFLATE = 8;
const BLACK_IS_ZERO = 1;
const SEPARATE_BANDS = 2;

const tilesOf = ({ width, height, bands }: Pick<CogHeader, 'width' | 'height' | 'bands'>): number =>
  Math.ceil(width / TILE) * Math.ceil(height / TILE) * bands;

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;' } as const;
const escaped = (text: string) => text.replace(/[&<>]/g, c => ENTITIES[c as keyof typeof ENTITIES]);
const plain = (text: string) =>
  text.replace(/&(amp|lt|gt);/g, entity => Object.entries(ENTITIES).find(([, e]) => e === entity)![0]);

function tagsOf(header: CogHeader, keys: GeoKeys, unit: string | null, offsets: number[], lengths: number[]): Tag[] {
  const { width, height, bands, type, nodata, transform: g } = header;
  const { bits, format } = CELL_TYPES[type];
  const each = (value: number) => Array.from({ length: bands }, () => value);
  const item = (attributes: string, text: string) => `<Item ${attributes}>${escaped(text)}</Item>`;
  const units = unit === null ? [] : each(0).map((_, i) => item(`name="UNITTYPE" sample="${i}" role="unittype"`, unit));
  return [
    [TAGS.width, 'long8', [width]],
    [TAGS.height, 'long8', [height]],
    [TAGS.bits, 'short', each(bits)],
    [TAGS.compression, 'short', [DEFLATE]],
    [TAGS.photometric, 'short', [BLACK_IS_ZERO]],
    [TAGS.bands, 'short', [bands]],
    [TAGS.planar, 'short', [SEPARATE_BANDS]],
    [TAGS.tileWidth, 'short', [TILE]],
    [TAGS.tileHeight, 'short', [TILE]],
    [TAGS.offsets, 'long8', offsets],
    [TAGS.lengths, 'long8', lengths],
    ...(bands > 1 ? [[TAGS.extra, 'short', each(0).slice(1)] as const] : []),
    [TAGS.format, 'short', each(format)],
    [TAGS.transform, 'double', [g[1], g[2], 0, g[0], g[4], g[5], 0, g[3], 0, 0, 0, 0, 0, 0, 0, 1]],
    ...(keys.directory.length ? [[TAGS.keys, 'short', keys.directory] as const] : []),
    ...(keys.doubles.length ? [[TAGS.keyDoubles, 'double', keys.doubles] as const] : []),
    ...(keys.text ? [[TAGS.keyText, 'text', keys.text] as const] : []),
    [TAGS.metadata, 'text', `<GDALMetadata>${item('name="PLAT_CRS"', header.crs)}${units.join('')}</GDALMetadata>`],
    ...(nodata === null ? [] : [[TAGS.nodata, 'text', Number.isNaN(nodata) ? 'nan' : String(nodata)] as const]),
  ];
}

/** Returns the key directory of a GeoTIFF; it must be a little-endian BigTIFF. */
export function geoKeysOf(bytes: Buffer): GeoKeys {
  const tags = readTags((start, length) => bytes.subarray(start, start + length));
  const list = (tag: number) => (tags?.get(tag) ?? []) as readonly number[];
  const text = tags?.get(TAGS.keyText);
  return { directory: list(TAGS.keys), doubles: list(TAGS.keyDoubles), text: typeof text === 'string' ? text : '' };
}

/**
 * Writes a raster in the one stored form: a little-endian BigTIFF of one directory, which comes first, with tiles of 256 x 256
 * cells, Deflate, no predictor, bands one after the other. GDAL reads it as a GeoTIFF.
 */
export class CogWriter {
  readonly header: CogHeader;
  readonly #keys: GeoKeys;
  readonly #unit: string | null;
  readonly #offsets: number[];
  readonly #lengths: number[];
  #fd: number | null;
  #end: number;

  /** @param unit of the values, null for codes. */
  constructor(path: string, header: CogHeader, keys: GeoKeys, unit: string | null) {
    this.header = header;
    this.#keys = keys;
    this.#unit = unit;
    this.#offsets = Array.from({ length: tilesOf(header) }, () => 0);
    this.#lengths = [...this.#offsets];
    this.#fd = openSync(path, 'w');
    this.#end = this.#head().length;
  }

  /** Returns a tile to fill: every cell is without data, 0 where all cells have data. */
  emptyTile(): Cells {
    const tile = new CELL_TYPES[this.header.type].of(TILE * TILE);
    return this.header.nodata === null ? tile : tile.fill(this.header.nodata);
  }

  /** Writes the tile of a column and row of tiles, in any order. @param band from 1. */
  write(band: number, column: number, row: number, tile: Cells): void {
    const { width, height } = this.header;
    const [across, down] = [Math.ceil(width / TILE), Math.ceil(height / TILE)];
    const packed = deflateSync(new Uint8Array(tile.buffer, tile.byteOffset, tile.byteLength));
    const index = ((band - 1) * down + row) * across + column;
    this.#offsets[index] = this.#end;
    this.#lengths[index] = packed.length;
    this.#put(packed, this.#end);
    this.#end += packed.length;
  }

  /** Completes the file. @throws Error when a tile is missing. */
  finish(): void {
    const missing = this.#lengths.indexOf(0);
    if (missing >= 0) throw new Error(`tile ${missing} of the raster was not written`);
    this.#put(this.#head(), 0);
    this.close();
  }

  /** Closes the file; harmless when it is closed already. */
  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #head(): Buffer {
    return tiffHead(tagsOf(this.header, this.#keys, this.#unit, this.#offsets, this.#lengths));
  }

  #put(bytes: Uint8Array, at: number): void {
    if (this.#fd === null) throw new Error('The raster is closed');
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done, bytes.length - done, at + done);
  }
}

/** A file that is no raster of the stored form, such as one of a release of an earlier build. */
export class OtherForm extends Error {
  override readonly name = 'OtherForm';
}

/** An open raster of the stored form. */
export class CogFile {
  readonly header: CogHeader;
  readonly #file: PositionedFile;
  readonly #offsets: readonly number[];
  readonly #lengths: readonly number[];

  /** @throws DamagedFile when it cannot be read, OtherForm when it is no raster of the stored form. */
  constructor(path: string) {
    const file = new PositionedFile(path);
    this.#file = file;
    try {
      const tags = file.guard('its directory cannot be read', () =>
        readTags((start, length) => file.read(start, length, file.size)),
      );
      const list = (tag: number) => (Array.isArray(tags?.get(tag)) ? (tags!.get(tag) as number[]) : []);
      const text = (tag: number) => (typeof tags?.get(tag) === 'string' ? (tags.get(tag) as string) : null);
      const [width = 0, height = 0, bands = 0] = [TAGS.width, TAGS.height, TAGS.bands].map(tag => list(tag)[0]);
      const type = (Object.keys(CELL_TYPES) as CellType[]).find(
        name => CELL_TYPES[name].bits === list(TAGS.bits)[0] && CELL_TYPES[name].format === list(TAGS.format)[0],
      );
      const m = list(TAGS.transform);
      const crs = /<Item name="PLAT_CRS">([^<]*)/.exec(text(TAGS.metadata) ?? '')?.[1];
      this.#offsets = list(TAGS.offsets);
      this.#lengths = list(TAGS.lengths);
      const isWhole =
        list(TAGS.compression)[0] === DEFLATE &&
        list(TAGS.tileWidth)[0] === TILE &&
        list(TAGS.tileHeight)[0] === TILE &&
        this.#offsets.length === tilesOf({ width, height, bands }) &&
        this.#lengths.length === this.#offsets.length &&
        this.#lengths.length > 0 &&
        m.length === 16;
      if (!isWhole || type === undefined || crs === undefined)
        throw new OtherForm('it is no raster of the form that this build stores');
      const nodata = text(TAGS.nodata);
      const transform: GeoTransform = [m[3]!, m[0]!, m[1]!, m[7]!, m[4]!, m[5]!];
      const none = nodata === null ? null : Number(nodata);
      this.header = { width, height, bands, type, nodata: none, transform, crs: plain(crs) };
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Returns the cells of a tile, those beyond the edge of the raster too. @param band from 1. @throws DamagedFile. */
  tile(band: number, column: number, row: number): Cells {
    const { width, height, type } = this.header;
    const [across, down] = [Math.ceil(width / TILE), Math.ceil(height / TILE)];
    const index = ((band - 1) * down + row) * across + column;
    const packed = this.#file.read(this.#offsets[index]!, this.#lengths[index]!, this.#file.size);
    const { bits, of } = CELL_TYPES[type];
    const length = (TILE * TILE * bits) / 8;
    const bytes = this.#file.guard('a tile cannot be unpacked', () => inflateSync(packed, { maxOutputLength: length }));
    if (bytes.length !== length) throw this.#file.damaged(`a tile has ${bytes.length} bytes; expected ${length}`);
    // Memory of their own: a view would keep what zlib allocated beside it.
    return bytes.byteLength === bytes.buffer.byteLength
      ? new of(bytes.buffer as ArrayBuffer)
      : new of(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + length) as ArrayBuffer);
  }

  close(): void {
    this.#file.close();
  }
}
