import { serialize } from 'flatgeobuf/lib/mjs/geojson.js';
import type { FeatureCollection } from 'geojson';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { failureOf, readRows, scratch } from './scratch.ts';

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

  it('finds a file that was cut off, at any byte', async () => {
    const bytes = fgb(mixed);
    for (let end = 0; end < bytes.length; end += 3)
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
