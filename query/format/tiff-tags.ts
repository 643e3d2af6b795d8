/** Affine transform from pixel to CRS as GDAL writes it: x = g0 + col·g1 + row·g2, y = g3 + col·g4 + row·g5. */
export type GeoTransform = readonly [number, number, number, number, number, number];

/** Field types of TIFF that the stored form uses, by their numbers, and the bytes of one value. */
const TEXT = 2;
const SHORT = 3;
const DOUBLE = 12;
const LONG8 = 16;
const WIDTHS: Readonly<Record<number, number>> = { [TEXT]: 1, [SHORT]: 2, [DOUBLE]: 8, [LONG8]: 8 };

/** Bytes of the header of a BigTIFF; its directory follows at once, as in every cloud-optimised GeoTIFF. */
const HEADER = 16;
const ENTRY = 20;
const MOST_TAGS = 64;

/** A tag of a TIFF directory: text, whole numbers of 16 or 64 bits, or floating-point numbers. */
export type Tag = readonly [
  tag: number,
  type: 'text' | 'short' | 'double' | 'long8',
  values: string | ArrayLike<number>,
];
const TYPES = { text: TEXT, short: SHORT, double: DOUBLE, long8: LONG8 } as const;

/** Returns the header and the one directory of a little-endian BigTIFF. Its length does not depend on the values of `long8`. */
export function tiffHead(tags: readonly Tag[]): Buffer {
  const sorted = [...tags].sort((a, b) => a[0] - b[0]);
  const head = Buffer.alloc(HEADER + 8 + ENTRY * sorted.length + 8);
  head.write('II', 'latin1');
  head.writeUInt16LE(43, 2);
  head.writeUInt16LE(8, 4);
  head.writeBigUInt64LE(BigInt(HEADER), 8);
  head.writeBigUInt64LE(BigInt(sorted.length), HEADER);
  const extra: Buffer[] = [];
  let offset = head.length;
  for (const [i, [tag, kind, given]] of sorted.entries()) {
    const type = TYPES[kind];
    const values = typeof given === 'string' ? Buffer.from(`${given}\0`, 'utf8') : given;
    const bytes = values.length * WIDTHS[type]!;
    const data = Buffer.alloc(Math.max(8, Math.ceil(bytes / 8) * 8));
    for (let k = 0; k < values.length; k++) {
      if (type === TEXT) data.writeUInt8(values[k]!, k);
      else if (type === SHORT) data.writeUInt16LE(values[k]!, 2 * k);
      else if (type === DOUBLE) data.writeDoubleLE(values[k]!, 8 * k);
      else data.writeBigUInt64LE(BigInt(values[k]!), 8 * k);
    }
    const entry = HEADER + 8 + ENTRY * i;
    head.writeUInt16LE(tag, entry);
    head.writeUInt16LE(type, entry + 2);
    head.writeBigUInt64LE(BigInt(values.length), entry + 4);
    if (bytes <= 8) data.copy(head, entry + 12);
    else {
      head.writeBigUInt64LE(BigInt(offset), entry + 12);
      extra.push(data);
      offset += data.length;
    }
  }
  return Buffer.concat([head, ...extra]);
}

/** Reads bytes of a file from a start. It throws when they are not there. */
export type ReadBytes = (start: number, length: number) => Buffer;

/**
 * Returns the tags of the first directory of a little-endian BigTIFF by their numbers, of the field types above: text without the
 * ending zero.
 * @returns null when the bytes are another kind of file. @throws what `read` throws.
 */
export function readTags(read: ReadBytes): ReadonlyMap<number, string | readonly number[]> | null {
  const head = read(0, HEADER + 8);
  if (head.toString('latin1', 0, 2) !== 'II' || head.readUInt16LE(2) !== 43) return null;
  const start = Number(head.readBigUInt64LE(8));
  const count = start === HEADER ? Number(head.readBigUInt64LE(HEADER)) : Number(read(start, 8).readBigUInt64LE(0));
  if (count > MOST_TAGS) throw new RangeError(`a directory of ${count} tags`);
  const entries = read(start + 8, ENTRY * count);
  const tags = new Map<number, string | readonly number[]>();
  for (let entry = 0; entry < entries.length; entry += ENTRY) {
    const type = entries.readUInt16LE(entry + 2);
    const width = WIDTHS[type];
    if (width === undefined) continue;
    const length = Number(entries.readBigUInt64LE(entry + 4));
    const bytes = length * width;
    const data =
      bytes <= 8
        ? entries.subarray(entry + 12, entry + 12 + bytes)
        : read(Number(entries.readBigUInt64LE(entry + 12)), bytes);
    const valueAt = (k: number) =>
      type === SHORT
        ? data.readUInt16LE(2 * k)
        : type === DOUBLE
          ? data.readDoubleLE(8 * k)
          : Number(data.readBigUInt64LE(8 * k));
    tags.set(
      entries.readUInt16LE(entry),
      type === TEXT ? data.toString('utf8').replace(/\0+$/, '') : Array.from({ length }, (_, k) => valueAt(k)),
    );
  }
  return tags;
}
