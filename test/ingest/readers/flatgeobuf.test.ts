import { writeFileSync } from 'node:fs';
import { serialize } from 'flatgeobuf/lib/mjs/geojson.js';
import type { FeatureCollection } from 'geojson';
import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { openSource } from '../../../ingest/format.ts';
import { FeatureEncoder } from '../../../query/format/feature-encoder.ts';
import { encodeHeader, MAGIC } from '../../../query/format/feature-header.ts';
import { failureOf, readRows, scratch } from './scratch.ts';

const LONG = process.env.PLAT_TEST === 'long';

const write = scratch();

function fgb(features: FeatureCollection['features'], crs = 0): Uint8Array {
  return serialize({ type: 'FeatureCollection', features }, crs);
}
const polygon = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 0],
];
const hole = [
  [2, 1],
  [3, 1],
  [3, 2],
  [2, 1],
];
const mixed: FeatureCollection['features'] = [
  { type: 'Feature', properties: { n: 1 }, geometry: { type: 'Point', coordinates: [1, 2] } },
  { type: 'Feature', properties: { n: 2 }, geometry: { type: 'Polygon', coordinates: [polygon, hole] } },
  {
    type: 'Feature',
    properties: { n: 3 },
    geometry: { type: 'MultiPolygon', coordinates: [[polygon, hole], [polygon]] },
  },
  { type: 'Feature', properties: { n: 4 }, geometry: { type: 'MultiLineString', coordinates: [hole, polygon] } },
  { type: 'Feature', properties: { n: 5 }, geometry: { type: 'MultiPoint', coordinates: hole } },
];

describe('FlatGeobuf', () => {
  it('reads geometries of every type in one file', async () => {
    const rows = await readRows(write('mixed.fgb', fgb(mixed)));
    expect(rows.map(r => [r.number, r.properties.n, r.geometry!.type])).toEqual(
      mixed.map((f, i) => [i + 1, i + 1, f.geometry.type]),
    );
    expect(rows[1]!.geometry).toEqual({
      type: 'Polygon',
      xy: Float64Array.from([...polygon, ...hole].flat()),
      ends: Uint32Array.of(4, 8),
      parts: Uint32Array.of(2),
    });
    expect(rows[2]!.geometry).toMatchObject({ ends: Uint32Array.of(4, 8, 12), parts: Uint32Array.of(2, 3) });
    expect(rows[3]!.geometry).toMatchObject({ ends: Uint32Array.of(4, 8), parts: new Uint32Array(0) });
    expect(rows[4]!.geometry).toMatchObject({ ends: Uint32Array.of(4) });
  });

  it('reads values by column type and missing ones as null', async () => {
    const properties = { text: 'é', yes: false, real: 1.5, big: 5_000_000_000, later: null };
    const geometry = { type: 'Point' as const, coordinates: [0, 0] };
    const [row] = await readRows(write('types.fgb', fgb([{ type: 'Feature', properties, geometry }])));
    expect(row!.properties).toEqual(properties);
  });

  it('tells CRS, columns and count', async () => {
    const known = await openSource(write('crs.fgb', fgb(mixed, 26912)));
    expect(known).toMatchObject({ crs: 'EPSG:26912', columns: ['n'], count: 5 });
    expect((await openSource(write('nocrs.fgb', fgb(mixed)))).crs).toBeNull();
  });

  it('hands out arrays that hold nothing but the geometry', async () => {
    const [row] = await readRows(write('own.fgb', fgb(mixed.slice(1, 2))));
    expect(row!.geometry!.xy.buffer.byteLength).toBe(row!.geometry!.xy.byteLength);
  });

  it('takes what other writers leave empty: geometries, parts and whole numbers beyond 2^53', async () => {
    const path = write('empty.fgb', '');
    const columns = { id: { type: 'integer' }, text: { type: 'string' } } as const;
    const encoder = new FeatureEncoder([
      ['id', 'integer', 0],
      ['text', 'string', 1],
    ]);
    const shape = (type: Geometry['type'], xy: number[], ends: number[], parts: number[]): Geometry => ({
      type,
      xy: Float64Array.from(xy),
      ends: Uint32Array.from(ends),
      parts: Uint32Array.from(parts),
    });
    const square = [0, 0, 1, 0, 1, 1, 0, 0];
    const bytes = [
      shape('Point', [], [], []),
      shape('Polygon', square, [4, 4], [2]),
      shape('MultiPolygon', square, [4, 4], [1, 2]),
    ].map((geometry, i) => Uint8Array.from(encoder.encode({ id: 2 ** 53 + 2 * i, text: null }, geometry)));
    const header = encodeHeader({ name: 'x', columns }, { geometryType: 0, count: 3, box: null, nodeSize: 0 });
    writeFileSync(path, Buffer.concat([MAGIC, header, ...bytes]));
    const rows = await readRows(path);
    expect(rows.map(r => r.geometry)).toEqual([
      null,
      shape('Polygon', square, [4, 4], [2]),
      shape('MultiPolygon', square, [4], [1]),
    ]);
    expect(rows.map(r => r.properties)).toEqual(
      ['9007199254740992', '9007199254740994', '9007199254740996'].map(id => ({ id, text: null })),
    );
  });

  it('finds a file that was cut off, at any byte', async () => {
    const bytes = fgb(mixed);
    for (let end = 0; end < bytes.length; end += LONG ? 3 : 11)
      expect(await failureOf(write('cut.fgb', bytes.subarray(0, end))), `at ${end}`).toMatchObject({
        name: 'ReadError',
        code: 'file_truncated',
      });
  });

  it('refuses other versions, other formats and garbage', async () => {
    const bytes = fgb(mixed);
    const old = Uint8Array.from(bytes);
    old[3] = 2;
    expect(await failureOf(write('old.fgb', old))).toMatchObject({ code: 'format_unsupported' });
    expect(await failureOf(write('text.fgb', 'this is only some text'))).toMatchObject({ code: 'file_corrupt' });
    const noise = Uint8Array.from(bytes).fill(0xff, 12);
    expect(await failureOf(write('noise.fgb', noise))).toMatchObject({ name: 'ReadError' });
  });

  it('fails with a ReadError or reads on, whichever byte is damaged', async () => {
    const bytes = fgb(mixed.slice(0, 2));
    for (let at = 8; at < bytes.length; at += 7) {
      const damaged = Uint8Array.from(bytes);
      damaged[at]! ^= 0xff;
      const failure = await readRows(write('damaged.fgb', damaged)).catch(error => error);
      if (!Array.isArray(failure)) expect(failure, `byte ${at}`).toMatchObject({ name: 'ReadError' });
    }
  });
});
