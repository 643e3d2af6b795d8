import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** A closed ring of x,y. */
export type Ring = readonly (readonly [number, number])[];

/** Content of a .shp record: polygon (5), polygon Z (15) or polygon M (25). */
export function polygon(rings: readonly Ring[], type = 5): Buffer {
  const points = rings.flat();
  const bytes = Buffer.alloc(44 + 4 * rings.length + 16 * points.length + (type === 5 ? 0 : 16 + 8 * points.length));
  bytes.writeInt32LE(type, 0);
  bytes.writeInt32LE(rings.length, 36);
  bytes.writeInt32LE(points.length, 40);
  let first = 0;
  rings.forEach((ring, i) => {
    bytes.writeInt32LE(first, 44 + 4 * i);
    first += ring.length;
  });
  points.forEach(([x, y], i) => {
    bytes.writeDoubleLE(x, 44 + 4 * rings.length + 16 * i);
    bytes.writeDoubleLE(y, 44 + 4 * rings.length + 16 * i + 8);
  });
  return bytes;
}

export function point(x: number, y: number, type = 1): Buffer {
  const bytes = Buffer.alloc(type === 1 ? 20 : type === 11 ? 36 : 28);
  bytes.writeInt32LE(type, 0);
  bytes.writeDoubleLE(x, 4);
  bytes.writeDoubleLE(y, 12);
  return bytes;
}

export const NULL_SHAPE = Buffer.alloc(4);

export function shp(records: readonly Buffer[], type = 5): Buffer {
  const parts = records.flatMap((content, i) => {
    const head = Buffer.alloc(8);
    head.writeInt32BE(i + 1, 0);
    head.writeInt32BE(content.length / 2, 4);
    return [head, content];
  });
  const header = Buffer.alloc(100);
  header.writeInt32BE(9994, 0);
  header.writeInt32BE((100 + parts.reduce((sum, p) => sum + p.length, 0)) / 2, 24);
  header.writeInt32LE(1000, 28);
  header.writeInt32LE(type, 32);
  return Buffer.concat([header, ...parts]);
}

export type Field = readonly [name: string, type: string, length: number];

/** A dBASE table; each record's text is given whole, deletion flag first. */
export function dbf(fields: readonly Field[], records: readonly (string | Buffer)[], languageDriver = 0): Buffer {
  const header = Buffer.alloc(32 + 32 * fields.length + 1);
  header[0] = 3;
  header.writeUInt32LE(records.length, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(1 + fields.reduce((sum, f) => sum + f[2], 0), 10);
  header[29] = languageDriver;
  fields.forEach(([name, type, length], i) => {
    header.write(name, 32 + 32 * i, 'latin1');
    header.write(type, 32 + 32 * i + 11, 'latin1');
    header[32 + 32 * i + 16] = length;
  });
  header[header.length - 1] = 0x0d;
  return Buffer.concat([header, ...records.map(r => Buffer.from(r as Buffer)), Buffer.from([0x1a])]);
}

export async function zip(files: Readonly<Record<string, Buffer>>, compress = true): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(content, name, { compress });
  archive.end();
  return buffer(archive.outputStream);
}

export const square = (x: number, y: number, size: number): Ring => [
  [x, y],
  [x, y + size],
  [x + size, y + size],
  [x + size, y],
  [x, y],
];
export const reversed = (ring: Ring): Ring => [...ring].reverse();
