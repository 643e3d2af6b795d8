import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { openSource } from '../../../ingest/format.ts';
import { encodeWkb } from '../../../ingest/wkb.ts';
import { failureOf, readRows, scratch } from './scratch.ts';

const write = scratch();
const POINT = '0101000000000000000000F03F0000000000000040';
const EMPTY = '0101000000000000000000F87F000000000000F87F';
/** Of POINT(1 2) and LINESTRING(0 0, 0 0). */
const COLLECTION = `010700000002000000${POINT}010200000002000000${'0'.repeat(64)}`;

/** The Parquet file DuckDB writes for a query, with the given geo metadata. */
async function parquet(query: string, geo: object | null, more = ''): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'plat-parquet-'));
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    const path = join(folder, 'a.parquet');
    const metadata = geo ? `, KV_METADATA {geo: '${JSON.stringify(geo)}'}` : '';
    await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet${metadata}${more})`);
    return readFileSync(path);
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true });
  }
}

const geo = (more: object = {}) => ({
  version: '1.1.0',
  primary_column: 'geometry',
  columns: { geometry: { encoding: 'WKB', geometry_types: ['Point'], ...more } },
});
const points = `SELECT i::INTEGER AS n, from_hex('${POINT}') AS geometry FROM range(3) t(i)`;
/** What an opened file says of itself. */
async function facts(path: string, options = {}) {
  const source = await openSource(path, { options });
  await source.close();
  return { crs: source.crs, columns: source.columns, count: source.count };
}
const crsOf = async (more: object, options = {}) =>
  (await facts(write('crs.parquet', await parquet(points, geo(more))), options)).crs;

describe('GeoParquet', () => {
  it('reads geometry, null and empty geometry', async () => {
    const query = `SELECT * FROM (VALUES (1, from_hex('${POINT}')), (2, NULL), (3, from_hex('${EMPTY}'))) t(n, geometry)`;
    const path = write('a.parquet', await parquet(query, geo()));
    expect(await facts(path)).toEqual({ crs: 'OGC:CRS84', columns: ['n'], count: 3 });
    const rows = await readRows(path);
    expect(rows.map(r => [r.number, r.properties, r.geometry && [...r.geometry.xy]])).toEqual([
      [1, { n: 1 }, [1, 2]],
      [2, { n: 2 }, null],
      [3, { n: 3 }, null],
    ]);
  });

  it('tells the CRS', async () => {
    expect(await crsOf({})).toBe('OGC:CRS84');
    expect(await crsOf({ crs: null })).toBeNull();
    // Before version 0.4 it is WKT, and some write a code.
    expect(await crsOf({ crs: 'GEOGCRS["x"]' })).toBe('GEOGCRS["x"]');
    expect(await crsOf({ crs: 'EPSG:2264' })).toBe('EPSG:2264');
    expect(await crsOf({ crs: { id: { authority: 'EPSG', code: 26912 } } })).toBe('EPSG:26912');
    expect(await crsOf({ crs: { type: 'ProjectedCRS' } })).toBe('{"type":"ProjectedCRS"}');
    expect(await crsOf({ crs: null }, { crs: 'EPSG:2264' })).toBe('EPSG:2264');
  });

  it('without a word on its geometry has the columns that the options name, as a table has', async () => {
    const query = `SELECT i::INTEGER AS n, 1.5 AS x, '2.5' AS y, 'POINT (1 2)' AS wkt, CASE i WHEN 0 THEN from_hex('${POINT}') WHEN 1 THEN from_hex('0101') END AS shape FROM range(3) t(i)`;
    const path = write('silent.parquet', await parquet(query, null));
    const read = async (options: object) =>
      (await readRows(path, options)).map(({ geometry, unread }) => (geometry ? [...geometry.xy] : unread?.reason));
    expect(await read({ geometry: 'shape' })).toEqual([
      [1, 2],
      expect.stringMatching(/WKB .* ends too early/),
      undefined,
    ]);
    expect(await read({ geometry: 'wkt' })).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(await read({ x: 'x', y: 'y' })).toEqual([
      [1.5, 2.5],
      [1.5, 2.5],
      [1.5, 2.5],
    ]);
    expect(await facts(path, { geometry: 'shape' })).toMatchObject({
      crs: 'EPSG:4326',
      columns: ['n', 'x', 'y', 'wkt'],
    });
    expect((await facts(path, { geometry: 'shape', crs: 'EPSG:2264' })).crs).toBe('EPSG:2264');
    expect((await facts(path)).crs).toBeNull();
    expect(await failureOf(path, { geometry: 'the_geom' })).toMatchObject({ code: 'column_missing' });
    const two = write(
      'two.parquet',
      await parquet(query, { ...geo(), primary_column: 'shape', columns: { shape: { encoding: 'WKB' } } }),
    );
    expect((await readRows(two, { geometry: 'wkt' }))[2]!.geometry).not.toBeNull();
  });

  it('reads values of every kind', async () => {
    const query = `SELECT 1::BIGINT AS small, 9007199254740993::BIGINT AS big, 1.5::DOUBLE AS real, true AS yes,
      'é' AS text, DATE '2024-02-29' AS day, TIMESTAMP '2024-02-29 12:00:00' AS moment, NULL::INTEGER AS nothing,
      [1, 2] AS list, {'a': 1} AS struct, '\\x01\\xFF'::BLOB AS bytes`;
    const [row] = await readRows(write('plain.parquet', await parquet(query, null)));
    expect(row!.geometry).toBeNull();
    expect(row!.properties).toEqual({
      small: 1,
      big: '9007199254740993',
      real: 1.5,
      yes: true,
      text: 'é',
      day: '2024-02-29',
      moment: '2024-02-29T12:00:00.000Z',
      nothing: null,
      list: '[1,2]',
      struct: '{"a":1}',
      bytes: Uint8Array.of(1, 255),
    });
  });

  it('leaves the covering out of the columns', async () => {
    const covering = { bbox: { xmin: ['bbox', 'xmin'], ymin: ['bbox', 'ymin'] } };
    const query = `SELECT 1 AS n, {'xmin': 1.0, 'ymin': 2.0} AS bbox, 5 AS m, from_hex('${POINT}') AS geometry`;
    const path = write('covering.parquet', await parquet(query, geo({ covering })));
    expect((await facts(path)).columns).toEqual(['n', 'm']);
    expect((await readRows(path))[0]!.properties).toEqual({ n: 1, m: 5 });
  });

  it.each(['zstd', 'snappy', 'gzip', 'brotli', 'lz4_raw'])('reads %s over several row groups', async codec => {
    const query = `SELECT i::INTEGER AS n, 'x' || i AS text, from_hex('${POINT}') AS geometry FROM range(5000) t(i)`;
    const options = `, COMPRESSION ${codec}, ROW_GROUP_SIZE 2048`;
    const path = write(`${codec}.parquet`, await parquet(query, geo(), options));
    const source = await openSource(path);
    const sizes: number[] = [];
    let next = 0;
    for await (const batch of source.rows()) {
      sizes.push(batch.length);
      for (const row of batch) {
        expect(row.properties).toEqual({ n: next, text: `x${next}` });
        next++;
      }
    }
    expect(next).toBe(5000);
    expect(Math.max(...sizes)).toBe(1000);
    await source.close();
  });

  it('refuses other encodings, and says of a mixed collection why it is not read', async () => {
    const native = write('native.parquet', await parquet(points, geo({ encoding: 'point' })));
    expect(await failureOf(native)).toMatchObject({ code: 'format_unsupported' });
    const query = `SELECT * FROM (VALUES (from_hex('${POINT}')), (from_hex('${COLLECTION}'))) t(geometry)`;
    const collection = write('collection.parquet', await parquet(query, geo()));
    expect(await readRows(collection)).toMatchObject([
      { number: 1, geometry: { type: 'Point' } },
      { number: 2, geometry: null, unread: { reason: expect.stringMatching(/points and lines/) } },
    ]);
  });

  it('adds vertices to edges on a sphere, until straight ones stay beside them, and refuses other edges', async () => {
    // POLYGON((-110 40, -109 40, -109 40.01, -110 40)) and LINESTRING(179 50, -179 50), as BigQuery writes them.
    const polygon: Geometry = {
      type: 'Polygon',
      xy: Float64Array.of(-110, 40, -109, 40, -109, 40.01, -110, 40),
      ends: Uint32Array.of(4),
      parts: Uint32Array.of(1),
    };
    const line: Geometry = {
      type: 'LineString',
      xy: Float64Array.of(179, 50, -179, 50),
      ends: Uint32Array.of(2),
      parts: new Uint32Array(),
    };
    const hex = (one: Geometry) => Buffer.from(encodeWkb(one)).toString('hex');
    const query = `SELECT * FROM (VALUES (from_hex('${hex(polygon)}')), (from_hex('${hex(line)}')), (from_hex('${POINT}'))) t(geometry)`;
    const [area, over, point] = await readRows(
      write('sphere.parquet', await parquet(query, geo({ edges: 'spherical' }))),
    );
    const { xy, ends, parts } = area!.geometry!;
    expect([...parts]).toEqual([1]);
    expect([...ends]).toEqual([xy.length / 2]);
    const vertices = Array.from({ length: xy.length / 2 }, (_, i) => [xy[2 * i]!, xy[2 * i + 1]!]);
    for (const corner of [
      [-110, 40],
      [-109, 40],
      [-109, 40.01],
    ])
      expect(vertices).toContainEqual(corner);
    // The middle of the southern edge: tan(latitude) = tan(40°) / cos(0.5°).
    const middle = vertices.find(([x]) => Math.abs(x! + 109.5) < 1e-9)!;
    expect(middle[1]).toBeCloseTo(40.00107427579837, 9);
    // Nothing leaves the parallel of 40° by much, and neighbors lie close enough for 5 cm.
    expect(vertices.length).toBeGreaterThan(60);
    expect(vertices.length).toBeLessThan(400);
    const longitudes = Array.from({ length: over!.geometry!.xy.length / 2 }, (_, i) => over!.geometry!.xy[2 * i]!);
    expect(longitudes.every(x => Math.abs(x) >= 179 && Math.abs(x) <= 180)).toBe(true);
    expect([...point!.geometry!.xy]).toEqual([1, 2]);
    expect(await failureOf(write('vincenty.parquet', await parquet(points, geo({ edges: 'vincenty' }))))).toMatchObject(
      {
        code: 'format_unsupported',
        message: expect.stringMatching(/edges of kind "vincenty" are not read; .*ST_Segmentize/),
      },
    );
    const far = write(
      'far.parquet',
      await parquet(
        query.replaceAll(hex(line), hex({ ...line, xy: line.xy.map(v => v * 1000) })),
        geo({ edges: 'spherical' }),
      ),
    );
    expect((await readRows(far))[1]!.unread!.reason).toMatch(/great circles.*no degrees/);
  });

  it('finds files that were cut off or are none', async () => {
    const bytes = await parquet(points, geo());
    for (const end of [bytes.length - 1, Math.floor(bytes.length / 2), 20])
      expect(await failureOf(write('cut.parquet', bytes.subarray(0, end)))).toMatchObject({ code: 'file_truncated' });
    expect(await failureOf(write('empty.parquet', ''))).toMatchObject({ code: 'file_truncated' });
    expect(await failureOf(write('text.parquet', 'only some text here'))).toMatchObject({ code: 'file_corrupt' });
    const damaged = Uint8Array.from(bytes).fill(0xee, 4, 60);
    expect(await failureOf(write('damaged.parquet', damaged))).toMatchObject({ name: 'ReadError' });
  });
});
