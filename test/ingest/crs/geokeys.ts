import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSource } from '../../../ingest/format.ts';

/** TIFF's types of values: their numbers and sizes in bytes. */
const SHORT = { number: 3, bytes: 2 };
const DOUBLE = { number: 12, bytes: 8 };
const ASCII = { number: 2, bytes: 1 };
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;

/** The three tags of TIFF in which the keys of a CRS stand. */
export interface GeokeyTags {
  readonly directory: ArrayLike<number>;
  readonly doubles: ArrayLike<number>;
  readonly text: string;
}

/** A little-endian TIFF of one byte with these keys: GDAL then reads them as it does those of any other. */
function tiffWith({ directory, doubles, text }: GeokeyTags): Uint8Array {
  const ascii = [...Buffer.from(`${text}\0`, 'latin1')];
  const entries: readonly (readonly [tag: number, type: typeof SHORT, values: readonly number[]])[] = [
    [256, SHORT, [1]],
    [257, SHORT, [1]],
    [258, SHORT, [8]],
    [259, SHORT, [1]],
    [262, SHORT, [1]],
    [273, SHORT, [HEADER_BYTES]],
    [277, SHORT, [1]],
    [278, SHORT, [1]],
    [279, SHORT, [1]],
    // A cell of one unit at the origin: GDAL does not ask for the keys of an image without a place.
    [33550, DOUBLE, [1, 1, 0]],
    [33922, DOUBLE, [0, 0, 0, 0, 0, 0]],
    [34735, SHORT, Array.from(directory)],
    ...(doubles.length > 0 ? ([[34736, DOUBLE, Array.from(doubles)]] as const) : []),
    ...(text.length > 0 ? ([[34737, ASCII, ascii]] as const) : []),
  ];
  const first = HEADER_BYTES + 2;
  const values = first + 2 + entries.length * ENTRY_BYTES + 4;
  const length = entries.reduce((sum, [, { bytes }, { length }]) => sum + bytes * length + 8, values);
  const view = new DataView(new ArrayBuffer(length));
  view.setUint16(0, 0x4949);
  view.setUint16(2, 42, true);
  view.setUint32(4, first, true);
  view.setUint16(first, entries.length, true);
  let free = values;
  entries.forEach(([tag, type, list], i) => {
    const at = first + 2 + i * ENTRY_BYTES;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type.number, true);
    view.setUint32(at + 4, list.length, true);
    let to = at + 8;
    if (list.length * type.bytes > 4) {
      view.setUint32(at + 8, free, true);
      to = free;
      free += list.length * type.bytes;
      free += free % 2;
    }
    for (const value of list) {
      if (type === DOUBLE) view.setFloat64(to, value, true);
      else if (type === SHORT) view.setUint16(to, value, true);
      else view.setUint8(to, value);
      to += type.bytes;
    }
  });
  return new Uint8Array(view.buffer);
}

const folder = mkdtempSync(join(tmpdir(), 'plat-geokeys-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The CRS that the keys of a GeoTIFF tell, as ingest reads them: `EPSG:n` or WKT 2; null where they tell none. */
export async function geokeysCrs(tags: GeokeyTags): Promise<string | null> {
  const path = join(folder, 'keys.tif');
  writeFileSync(path, tiffWith(tags));
  const source = await openSource(path);
  await source.close();
  return source.crs;
}
