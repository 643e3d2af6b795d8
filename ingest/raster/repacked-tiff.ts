import { type FileHandle, open } from 'node:fs/promises';
import { deflateSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import lerc from 'lerc';
import { readFailure } from '../byte-cursor.ts';
import { limitBytes, limitPassed } from '../read-limits.ts';
import { ReadError } from '../reader.ts';

/** Bytes of a value by the field types of TIFF. */
const WIDTHS: Readonly<Record<number, number>> = {
  ...{ 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8 },
};
const SHORT = 3;
const LONG8 = 16;
/** Numbers of tags. */
const TAG = {
  kind: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  stripOffsets: 273,
  bands: 277,
  rowsPerStrip: 278,
  stripLengths: 279,
  planar: 284,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileLengths: 325,
  subdirectories: 330,
  sampleFormat: 339,
  lerc: 50_674,
} as const;
/** Bit of the kind of an image: a smaller copy of another one. */
const REDUCED = 1;
const DEFLATE = 8;
const LERC = 34_887;
const ZSTD = 50_000;
const FLOATING = 3;
/** Compressions that are unpacked here, by the names of GDAL. */
export const REPACKED: readonly string[] = ['LERC', 'ZSTD'];

const MOST_DIRECTORIES = 64;
const MOST_TAGS = 1024;

/** A tag: its values as the bytes of the file. */
interface Field {
  readonly type: number;
  readonly count: number;
  readonly data: Buffer;
}
type Directory = Map<number, Field>;

/** Numbers in the byte order of a file. */
class Order {
  readonly isLittle: boolean;

  constructor(isLittle: boolean) {
    this.isLittle = isLittle;
  }

  read(bytes: Buffer, start: number, width: number): number {
    if (width === 8) return Number(this.isLittle ? bytes.readBigUInt64LE(start) : bytes.readBigUInt64BE(start));
    return this.isLittle ? bytes.readUIntLE(start, width) : bytes.readUIntBE(start, width);
  }

  write(bytes: Buffer, value: number, start: number, width: number): void {
    if (width === 8) {
      if (this.isLittle) bytes.writeBigUInt64LE(BigInt(value), start);
      else bytes.writeBigUInt64BE(BigInt(value), start);
    } else if (this.isLittle) bytes.writeUIntLE(value, start, width);
    else bytes.writeUIntBE(value, start, width);
  }

  /** The whole numbers of a field, none when it is absent. */
  numbers(field: Field | undefined): number[] {
    if (!field) return [];
    const width = WIDTHS[field.type]!;
    return Array.from({ length: field.count }, (_, i) => this.read(field.data, i * width, width));
  }

  field(type: typeof SHORT | typeof LONG8, values: readonly number[]): Field {
    const width = WIDTHS[type]!;
    const data = Buffer.alloc(width * values.length);
    for (const [i, value] of values.entries()) this.write(data, value, i * width, width);
    return { type, count: values.length, data };
  }
}

/** A file that is read at positions. */
class Input {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #size: number;

  constructor(file: FileHandle, path: string, size: number) {
    this.#file = file;
    this.#path = path;
    this.#size = size;
  }

  async read(start: number, length: number): Promise<Buffer> {
    if (length > limitBytes('valueMb')) throw limitPassed('valueMb', this.#path, null, `a part of ${length} bytes`);
    if (!(start + length <= this.#size))
      throw new ReadError('file_truncated', this.#path, null, `ends before byte ${start + length}; fetch it again`);
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await this.#file.read(bytes, done, length - done, start + done);
      if (bytesRead === 0) throw new RangeError(`ends before byte ${start + length}`);
      done += bytesRead;
    }
    return bytes;
  }
}

/** Reads the directories of a TIFF, of 32 or 64 bits. */
async function directoriesOf(input: Input, order: Order, isBig: boolean): Promise<Directory[]> {
  const word = isBig ? 8 : 4;
  const entry = 4 + 2 * word;
  const directories: Directory[] = [];
  let start = order.read(await input.read(word, word), 0, word);
  while (start !== 0) {
    if (directories.length === MOST_DIRECTORIES) throw new RangeError(`more than ${MOST_DIRECTORIES} directories`);
    const head = isBig ? 8 : 2;
    const count = order.read(await input.read(start, head), 0, head);
    if (count > MOST_TAGS) throw new RangeError(`a directory of ${count} tags`);
    const bytes = await input.read(start + head, entry * count + word);
    const directory: Directory = new Map();
    for (let i = 0; i < entry * count; i += entry) {
      const type = order.read(bytes, i + 2, 2);
      const values = order.read(bytes, i + 4, word);
      const length = values * (WIDTHS[type] ?? Number.NaN);
      if (Number.isNaN(length)) continue;
      const data =
        length <= word
          ? bytes.subarray(i + 4 + word, i + 4 + word + length)
          : await input.read(order.read(bytes, i + 4 + word, word), length);
      directory.set(order.read(bytes, i, 2), { type, count: values, data });
    }
    directories.push(directory);
    start = order.read(bytes, entry * count, word);
  }
  return directories;
}

/** Cells of a block as TIFF holds them without compression, in the byte order of the file. */
type Unpack = (packed: Buffer) => Buffer;

/** Returns how the blocks of a directory are unpacked; null when GDAL can. */
function unpacking(directory: Directory, order: Order, path: string): Unpack | null {
  const one = (tag: number, otherwise: number) => order.numbers(directory.get(tag))[0] ?? otherwise;
  const compression = one(TAG.compression, 1);
  if (compression !== ZSTD && compression !== LERC) return null;
  const bands = one(TAG.planar, 1) === 1 ? one(TAG.bands, 1) : 1;
  const width = one(TAG.tileWidth, one(TAG.width, 0));
  const height = one(TAG.tileHeight, Math.min(one(TAG.rowsPerStrip, Number.POSITIVE_INFINITY), one(TAG.height, 0)));
  const bits = one(TAG.bits, 1);
  const length = Math.ceil((width * bands * bits) / 8) * height;
  if (!(length <= limitBytes('valueMb'))) throw limitPassed('valueMb', path, null, `a block of ${length} bytes`);
  if (compression === ZSTD) return packed => zstdDecompressSync(packed, { maxOutputLength: length });
  if (bands > 1)
    throw new ReadError(
      'format_unsupported',
      path,
      null,
      'holds several bands in blocks of LERC; write it anew with gdal_translate -co COMPRESS=DEFLATE',
    );
  const [, within = 0] = order.numbers(directory.get(TAG.lerc));
  const isFloating = one(TAG.sampleFormat, 1) === FLOATING;
  // The library of TIFF swaps bytes before it packs, so that the cells of LERC have the byte order of the file.
  return packed => {
    const bytes =
      within === 1
        ? inflateSync(packed, { maxOutputLength: 2 * length + 1024 })
        : within === 2
          ? zstdDecompressSync(packed, { maxOutputLength: 2 * length + 1024 })
          : packed;
    const block = lerc.decode(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
    const cells = block.pixels[0]!;
    // Numbers without a value are NaN to GDAL.
    if (block.mask && isFloating) for (const [i, is] of block.mask.entries()) if (is === 0) cells[i] = Number.NaN;
    const out = Buffer.from(cells.buffer, cells.byteOffset, cells.byteLength);
    if (block.width !== width || block.height > height || out.length * 8 !== width * block.height * bits)
      throw new RangeError(`a block of ${block.width} x ${block.height} cells of ${out.length} bytes`);
    return out;
  };
}

/** A BigTIFF that is being written: blocks first, then the directories. */
class Output {
  readonly #file: FileHandle;
  readonly #order: Order;
  #end = 16;
  /** Where the offset of the next directory is written. */
  #link = 8;

  constructor(file: FileHandle, order: Order) {
    this.#file = file;
    this.#order = order;
  }

  async append(bytes: Buffer): Promise<number> {
    const start = this.#end;
    await this.#put(bytes, start);
    this.#end += bytes.length;
    return start;
  }

  async begin(): Promise<void> {
    const head = Buffer.alloc(16);
    head.write(this.#order.isLittle ? 'II' : 'MM', 'latin1');
    this.#order.write(head, 43, 2, 2);
    this.#order.write(head, 8, 4, 2);
    await this.#put(head, 0);
  }

  async directory(directory: Directory): Promise<void> {
    const order = this.#order;
    const entries = [...directory].sort(([a], [b]) => a - b);
    const bytes = Buffer.alloc(8 + 20 * entries.length + 8);
    order.write(bytes, entries.length, 0, 8);
    for (const [i, [tag, { type, count, data }]] of entries.entries()) {
      const start = 8 + 20 * i;
      order.write(bytes, tag, start, 2);
      order.write(bytes, type, start + 2, 2);
      order.write(bytes, count, start + 4, 8);
      if (data.length <= 8) data.copy(bytes, start + 12);
      else order.write(bytes, await this.append(data), start + 12, 8);
    }
    const start = await this.append(bytes);
    const link = Buffer.alloc(8);
    order.write(link, start, 0, 8);
    await this.#put(link, this.#link);
    this.#link = start + bytes.length - 8;
  }

  async #put(bytes: Buffer, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; )
      done += (await this.#file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

/** Where the blocks of a directory stand, with the tags that say so. */
function blocksOf(directory: Directory, order: Order) {
  const isTiled = directory.has(TAG.tileOffsets);
  const [offsetTag, lengthTag] = isTiled
    ? ([TAG.tileOffsets, TAG.tileLengths] as const)
    : ([TAG.stripOffsets, TAG.stripLengths] as const);
  const offsets = order.numbers(directory.get(offsetTag));
  const lengths = order.numbers(directory.get(lengthTag));
  return { offsetTag, lengthTag, offsets, lengths };
}

/** Copies the blocks of a directory, packed with Deflate where GDAL cannot unpack them. @returns the directory of the copy. */
async function copied(
  directory: Directory,
  input: Input,
  output: Output,
  order: Order,
  path: string,
): Promise<Directory> {
  const { offsetTag, lengthTag, offsets, lengths } = blocksOf(directory, order);
  const unpack = unpacking(directory, order, path);
  for (const [i, offset] of offsets.entries()) {
    const length = lengths[i] ?? 0;
    // A block that nobody wrote: GDAL fills it.
    if (length === 0) offsets[i] = 0;
    if (length === 0) continue;
    const packed = await input.read(offset, length);
    const block = unpack ? deflateSync(unpack(packed), { level: 1 }) : packed;
    offsets[i] = await output.append(block);
    lengths[i] = block.length;
  }
  const copy: Directory = new Map(directory);
  copy.set(offsetTag, order.field(LONG8, offsets));
  copy.set(lengthTag, order.field(LONG8, lengths));
  if (unpack) copy.set(TAG.compression, order.field(SHORT, [DEFLATE]));
  copy.delete(TAG.lerc);
  copy.delete(TAG.subdirectories);
  return copy;
}

/**
 * Copies a TIFF with its blocks of Zstandard and LERC packed with Deflate, because GDAL in WASM lacks both. All it says of its
 * cells stays the same; smaller copies of the raster in it are left out. Memory does not grow with the raster.
 * @throws ReadError when the file is damaged.
 */
export async function repackTiff(path: string, to: string): Promise<void> {
  const [source, target] = [await open(path), await open(to, 'w')];
  try {
    const input = new Input(source, path, (await source.stat()).size);
    const head = await input.read(0, 8);
    const order = new Order(head.toString('latin1', 0, 2) === 'II');
    const output = new Output(target, order);
    await output.begin();
    for (const directory of await directoriesOf(input, order, order.read(head, 2, 2) === 43)) {
      if ((order.numbers(directory.get(TAG.kind))[0] ?? 0) & REDUCED) continue;
      await output.directory(await copied(directory, input, output, order, path));
    }
  } catch (error) {
    // The decoder of LERC throws texts.
    throw readFailure(typeof error === 'string' ? new Error(error) : error, path, null);
  } finally {
    await source.close();
    await target.close();
  }
}

/**
 * Checks that the directories of a TIFF and the blocks that they name lie within the file.
 * @throws ReadError file_truncated.
 */
export async function requireBlocks(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const input = new Input(file, path, size);
    const head = await input.read(0, 8);
    const order = new Order(head.toString('latin1', 0, 2) === 'II');
    for (const directory of await directoriesOf(input, order, order.read(head, 2, 2) === 43)) {
      const { offsets, lengths } = blocksOf(directory, order);
      for (const [i, offset] of offsets.entries())
        if (offset + (lengths[i] ?? 0) > size)
          throw new ReadError(
            'file_truncated',
            path,
            null,
            `ends before block ${i + 1} of ${offsets.length}; fetch it again`,
          );
    }
  } finally {
    await file.close();
  }
}
