import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deflateSync, gzipSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../../ingest/acquire/client.ts';
import { take } from '../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../ingest/acquire/taken.ts';
import { requireWhole } from '../../../ingest/acquire/whole-file.ts';
import { createFlatGeobuf } from '../../../ingest/writers/flatgeobuf.ts';
import { createGeoParquet } from '../../../ingest/writers/geoparquet.ts';
import { polygonsToGeometry } from '../../../query/geometry/geos.ts';
import { polygon, shp } from '../readers/shapefile-bytes.ts';
import { zipOf } from '../readers/zip.ts';
import { Publisher } from './publisher.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-whole-'));
const publisher = new Publisher();
const client = new Client({ retries: 0 });
beforeAll(() => publisher.start());
afterAll(async () => {
  await client.close();
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

const text = Array.from({ length: 400 }, (_, i) => `${i},lot ${(i * 7919) % 1009}\n`).join('');

async function features(make: typeof createFlatGeobuf | typeof createGeoParquet): Promise<Buffer> {
  const path = join(folder, `made-${make.name}`);
  const shared = { name: 'lots', columns: { no: { type: 'string' } }, order: 'input', durable: false } as const;
  const writer = await make(path, { ...shared, geometry: true } as never);
  for (let i = 0; i < 40; i++) {
    const ring = [i, 0, i + 1, 0, i + 1, 1, i, 0].map(x => x / 100);
    await writer.write({ properties: { no: String(i) }, geometry: polygonsToGeometry([[Float64Array.from(ring)]]) });
  }
  await writer.finish();
  return readFileSync(path);
}

/** A grey image of 64 by 64 in four strips, without compression. */
function tiff(): Buffer {
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, 3, 1, 64],
    [257, 3, 1, 64],
    [258, 3, 1, 8],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    [273, 4, 4, 200],
    [278, 3, 1, 16],
    [279, 4, 4, 216],
  ];
  const bytes = Buffer.alloc(232 + 4096, 7);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8, 4);
  bytes.writeUInt16LE(entries.length, 8);
  entries.forEach(([tag, type, count, value], i) => {
    bytes.writeUInt16LE(tag, 10 + 12 * i);
    bytes.writeUInt16LE(type, 12 + 12 * i);
    bytes.writeUInt32LE(count, 14 + 12 * i);
    bytes.writeUInt32LE(value, 18 + 12 * i);
  });
  bytes.writeUInt32LE(0, 10 + 12 * entries.length);
  for (let strip = 0; strip < 4; strip++) {
    bytes.writeUInt32LE(232 + 1024 * strip, 200 + 4 * strip);
    bytes.writeUInt32LE(1024, 216 + 4 * strip);
  }
  return bytes;
}

function pbf(): Buffer {
  const message = (fill: (writer: PbfWriter) => void) => {
    const writer = new PbfWriter();
    fill(writer);
    return writer.finish();
  };
  const block = (type: string, content: Uint8Array) => {
    const blob = message(writer => {
      writer.writeVarintField(2, content.length);
      writer.writeBytesField(3, deflateSync(content));
    });
    const header = message(writer => {
      writer.writeStringField(1, type);
      writer.writeVarintField(3, blob.length);
    });
    const length = Buffer.alloc(4);
    length.writeUInt32BE(header.length);
    return Buffer.concat([length, header, blob]);
  };
  const strings = message(writer => writer.writeBytesField(1, Buffer.from(text)));
  return Buffer.concat([
    block(
      'OSMHeader',
      message(writer => writer.writeStringField(4, 'DenseNodes')),
    ),
    block(
      'OSMData',
      message(writer => writer.writeBytesField(1, strings)),
    ),
  ]);
}

function sqlite(): Buffer {
  const path = join(folder, 'made.sqlite');
  rmSync(path, { force: true });
  const db = new DatabaseSync(path);
  db.exec('BEGIN');
  db.exec('CREATE TABLE lots (no TEXT)');
  for (let i = 0; i < 300; i++) db.exec(`INSERT INTO lots VALUES ('${'lot '.repeat(8)}${i}')`);
  db.exec('COMMIT');
  db.close();
  return readFileSync(path);
}

const LONG = process.env.PLAT_TEST === 'long';
const POSITIONS = '[[[-70,44],[-70,45],[-69,44],[-70,44]]]';
const ROWS = Array.from(
  { length: 40 },
  (_, i) =>
    `{"type":"Feature","properties":{"no":"a } \\"${i}\\""},"geometry":{"type":"Polygon","coordinates":${POSITIONS}}}`,
);
const TEXTS: readonly [name: string, text: string][] = [
  ['lots.geojson', `{"type":"FeatureCollection","features":[${ROWS.join(',')}]}\n`],
  ['lots.json', `\ufeff [${ROWS.join(',')}]`],
  ['lots.kml', `<?xml version="1.0"?>\n<kml xmlns="x"><Folder><name>a</name></Folder></kml>\n<!-- made by hand -->\n`],
  [
    'lots.gml',
    `<?xml version="1.0"?><!-- of <lots> --><wfs:FeatureCollection a="1">${'<m>1</m>'.repeat(900)}</wfs:FeatureCollection >`,
  ],
];

it.each(TEXTS)('%s is whole, cut anywhere it is not', async (name, whole) => {
  const part = join(folder, name);
  const bytes = Buffer.from(whole);
  const end = Math.max(whole.lastIndexOf('}'), whole.lastIndexOf(']'), whole.lastIndexOf('</') + 2);
  writeFileSync(part, bytes);
  await requireWhole(part);
  const last = Buffer.byteLength(whole.slice(0, end));
  // Each byte near the last bracket, and few elsewhere.
  for (let at = 40; at <= last; at += at > last - 60 ? 1 : LONG ? 7 : 211) {
    writeFileSync(part, bytes.subarray(0, at));
    await expect(requireWhole(part), `cut at ${at} of ${bytes.length}`).rejects.toMatchObject({
      code: 'file_truncated',
    });
  }
});

it('JSON is whole whose quote is escaped between two pieces of what is read', async () => {
  const part = join(folder, 'pieces.json');
  const before = '{"a":"';
  writeFileSync(part, `${before}${'x'.repeat((1 << 20) - before.length - 1)}\\"]"}`);
  await requireWhole(part);
});

/** Of each format a file, and the bytes that a checksum or a stated length covers. */
const FORMATS: readonly [name: string, make: () => Buffer | Promise<Buffer>, from: number, to: number][] = [
  ['lots.csv.gz', () => gzipSync(text), 10, 0],
  ['lots.zip', () => zipOf({ 'readme.txt': 'nothing', 'lots.csv': text }), 300, -400],
  ['lots.xlsx', () => zipOf({ 'xl/workbook.xml': text }), 100, -400],
  ['lots.parquet', () => features(createGeoParquet), -4, 0],
  ['lots.fgb', () => features(createFlatGeobuf), 12, 16],
  ['heights.tif', tiff, 202, 203],
  ['roads.osm.pbf', pbf, -200, 0],
  ['lots.sqlite', sqlite, 28, 29],
  [
    'lots.shp',
    () =>
      shp([
        polygon([
          [
            [0, 0],
            [0, 1],
            [1, 1],
            [0, 0],
          ],
        ]),
        polygon([
          [
            [0, 0],
            [0, 2],
            [2, 2],
            [0, 0],
          ],
        ]),
      ]),
    24,
    26,
  ],
];

describe.each(FORMATS)('%s', (name, make, from, to) => {
  const part = join(folder, `${name}.part`);
  const flipped = (bytes: Buffer, place: number) => {
    const copy = Buffer.from(bytes);
    copy[place]! ^= 0x5a;
    return copy;
  };

  it('is whole, cut anywhere or with a changed byte it is not', async () => {
    const good = await make();
    const check = (bytes: Buffer) => {
      writeFileSync(part, bytes);
      return requireWhole(part);
    };
    await check(good);
    for (const share of [0.2, 0.5, 0.66, 0.9, 0.99]) {
      const cut = good.subarray(0, Math.floor(share * good.length));
      await expect(check(cut), `cut at ${cut.length} of ${good.length}`).rejects.toThrow(/./);
    }
    await expect(check(good.subarray(0, -1))).rejects.toThrow(/./);
    const [first, last] = [from < 0 ? good.length + from : from, to <= 0 ? good.length + to : to];
    for (let i = 0; i < 5; i++) {
      const place = first + Math.floor((i * (last - first)) / 5);
      await expect(check(flipped(good, place)), `byte ${place} of ${good.length}`).rejects.toThrow(/./);
    }
  });

  it('stays as it was when what comes is not whole', async () => {
    const good = await make();
    const options = {
      ...{ sources: folder, file: name, taken: new TakenFiles(folder), client, now: () => new Date('2026-11-24') },
      located: { via: 'http', url: `${publisher.origin}/${name}`, where: '', resource: null, vintage: null } as const,
    };
    publisher.put(`/${name}`, good);
    await take(options);
    const first = from < 0 ? good.length + from : from;
    for (const bad of [good.subarray(0, Math.floor(0.66 * good.length)), flipped(good, first)]) {
      publisher.put(`/${name}`, bad, { etag: `"${bad.length}-bad"` });
      await expect(take(options)).rejects.toMatchObject({ kind: 'wrong_content' });
      expect(readFileSync(join(folder, name)).equals(good)).toBe(true);
    }
  });
});
