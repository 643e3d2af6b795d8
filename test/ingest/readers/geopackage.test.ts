import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { openSource } from '../../../ingest/format.ts';
import { encodeWkb } from '../../../ingest/wkb.ts';
import { failureOf, readRows, scratch } from './scratch.ts';

const write = scratch();
const folder = mkdtempSync(join(tmpdir(), 'plat-gpkg-'));
afterAll(() => rmSync(folder, { recursive: true }));

const point = (x: number, y: number): Geometry => ({
  type: 'Point',
  xy: Float64Array.of(x, y),
  ends: Uint32Array.of(1),
  parts: new Uint32Array(0),
});

/** A GeoPackage blob: header with `doubles` numbers of envelope, then WKB. */
function blob(geometry: Geometry, indicator = 0, doubles = 0, flags = 0): Buffer {
  const header = Buffer.alloc(8 + 8 * doubles);
  header.write('GP', 'latin1');
  header[3] = 1 | (indicator << 1) | flags;
  header.writeInt32LE(26919, 4);
  return Buffer.concat([header, encodeWkb(geometry)]);
}

/** @param geometries blobs of the rows of its layer `sites`. */
function make(name: string, geometries: (Uint8Array | null | string)[], rows = geometries.length): string {
  const path = join(folder, name);
  const db = new DatabaseSync(path);
  db.exec(`
    CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT, srs_id INTEGER PRIMARY KEY, organization TEXT,
      organization_coordsys_id INTEGER, definition TEXT, description TEXT);
    CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT, identifier TEXT, srs_id INTEGER);
    CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, geometry_type_name TEXT, srs_id INTEGER, z INTEGER, m INTEGER);
    INSERT INTO gpkg_spatial_ref_sys VALUES ('utm', 26919, 'EPSG', 26919, 'PROJCS[...]', NULL);
    INSERT INTO gpkg_contents VALUES ('sites', 'features', 'sites', 26919), ('the "notes"', 'attributes', 'n', NULL);
    INSERT INTO gpkg_geometry_columns VALUES ('sites', 'geom', 'POINT', 26919, 0, 0);
    CREATE TABLE sites (fid INTEGER PRIMARY KEY, name TEXT, big INTEGER, geom BLOB);
    CREATE TABLE "the ""notes""" (id INTEGER PRIMARY KEY, note TEXT);
    INSERT INTO "the ""notes""" VALUES (1, 'x');`);
  const insert = db.prepare('INSERT INTO sites VALUES (?, ?, ?, ?)');
  // One write to the disk and not one a row.
  db.exec('BEGIN');
  for (let i = 0; i < rows; i++)
    insert.run(i + 1, `s${i + 1}`, 9007199254740993n, geometries[i % geometries.length] as never);
  db.exec('COMMIT');
  db.close();
  return path;
}

describe('GeoPackage', () => {
  it('reads blobs with every kind of envelope, empty and null ones', async () => {
    const path = make('a.gpkg', [
      blob(point(1, 2)),
      blob(point(3, 4), 1, 4),
      blob(point(5, 6), 2, 6),
      blob(point(7, 8), 4, 8),
      blob(point(NaN, NaN), 0, 0, 0x10),
      null,
    ]);
    const source = await openSource(path, { options: { layer: 'sites' } });
    expect([source.crs, source.count, source.columns]).toEqual(['EPSG:26919', 6, ['fid', 'name', 'big']]);
    await source.close();
    const rows = await readRows(path, { layer: 'sites' });
    expect(rows.map(r => r.geometry && [...r.geometry.xy])).toEqual([[1, 2], [3, 4], [5, 6], [7, 8], null, null]);
    expect(rows[0]!.properties).toEqual({ fid: 1, name: 's1', big: '9007199254740993' });
  });

  it('reads a table of attributes, whatever its name', async () => {
    const path = make('b.gpkg', [null]);
    const source = await openSource(path, { options: { layer: 'the "notes"' } });
    expect(source.crs).toBeNull();
    await source.close();
    expect((await readRows(path, { layer: 'the "notes"' })).map(r => r.properties)).toEqual([{ id: 1, note: 'x' }]);
  });

  it('hands large layers on in batches', async () => {
    const rows = await readRows(make('many.gpkg', [blob(point(1, 2))], 2500), { layer: 'sites' });
    expect(rows.map(r => r.number)).toEqual(Array.from({ length: 2500 }, (_, i) => i + 1));
  });
});

describe('arcs in a GeoPackage', () => {
  const uint = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const wkb = (type: number, count: number, ...parts: Buffer[]) =>
    Buffer.concat([Buffer.of(1), uint(type), uint(count), ...parts]);
  const numbers = (...values: number[]) => Buffer.from(Float64Array.from(values).buffer);
  const circular = (...xy: number[]) => wkb(8, xy.length / 2, numbers(...xy));
  const straight = (...xy: number[]) => wkb(2, xy.length / 2, numbers(...xy));
  const inBlob = (bytes: Buffer) => Buffer.concat([Buffer.from('GP\0\x01', 'latin1'), uint(26919), bytes]);
  const X = 500_000;
  const Y = 4_950_000;
  /** Square units of the rings, shells minus holes. */
  const areaOf = ({ xy, ends }: Geometry) => {
    let sum = 0;
    let start = 0;
    for (const [ring, end] of [...ends].entries()) {
      let twice = 0;
      for (let i = start; i + 1 < end; i++)
        twice += (xy[2 * i]! - X) * (xy[2 * i + 3]! - Y) - (xy[2 * i + 2]! - X) * (xy[2 * i + 1]! - Y);
      sum += ((ring === 0 ? 1 : -1) * Math.abs(twice)) / 2;
      start = end;
    }
    return sum;
  };

  it('become straight pieces, of the area and length that they have', async () => {
    const circle = (r: number) => circular(X - r, Y, X + r, Y, X - r, Y);
    const halfRound = wkb(9, 2, circular(X + 20, Y, X, Y + 20, X - 20, Y), straight(X - 20, Y, X + 20, Y));
    const blobs = [
      wkb(10, 1, circle(30)),
      wkb(10, 2, circle(30), circle(10)),
      wkb(10, 1, halfRound),
      wkb(12, 2, wkb(10, 1, circle(30)), wkb(3, 1, uint(4), numbers(X, Y, X + 1, Y, X + 1, Y + 1, X, Y))),
      wkb(11, 2, circular(X + 20, Y, X, Y + 20, X - 20, Y), straight(X, Y, X + 1, Y)),
      circular(X, Y, X + 1, Y + 1, X + 2, Y + 2),
    ].map(inBlob);
    const rows = await readRows(make('arcs.gpkg', blobs), { layer: 'sites' });
    const shapes = rows.map(r => r.geometry!);
    expect(shapes.map(({ type }) => type)).toEqual([
      'Polygon',
      'Polygon',
      'Polygon',
      'MultiPolygon',
      'MultiLineString',
      'LineString',
    ]);
    const [round, ringed, half, , , level] = shapes as [Geometry, Geometry, Geometry, Geometry, Geometry, Geometry];
    // Pieces of one degree lose 0.005 % of a circle's area.
    for (const [shape, area] of [
      [round, Math.PI * 900],
      [ringed, Math.PI * 800],
      [half, Math.PI * 200],
    ] as const)
      expect(Math.abs(areaOf(shape) / area - 1)).toBeLessThan(6e-5);
    expect(round.xy.length).toBe(2 * 361);
    expect([...round.xy.slice(0, 2)]).toEqual([...round.xy.slice(-2)]);
    for (let i = 0; i < round.xy.length; i += 2)
      expect(Math.hypot(round.xy[i]! - X, round.xy[i + 1]! - Y)).toBeCloseTo(30, 6);
    // Straight on: the three points, and no more.
    expect([...level.xy]).toEqual([X, Y, X + 1, Y + 1, X + 2, Y + 2]);
  });

  it('have the same points from either end, so that neighbours share their edge', async () => {
    const ends: [number, number, number, number, number, number] = [
      X + 3.3,
      Y - 7.1,
      X + 41.7,
      Y + 12.9,
      X + 18.1,
      Y + 60.2,
    ];
    const [a, b, c, d, e, f] = ends;
    const rows = await readRows(make('shared.gpkg', [inBlob(circular(...ends)), inBlob(circular(e, f, c, d, a, b))]), {
      layer: 'sites',
    });
    const [there, back] = rows.map(({ geometry }) =>
      Array.from({ length: geometry!.xy.length / 2 }, (_, i) => [geometry!.xy[2 * i], geometry!.xy[2 * i + 1]]),
    );
    expect(there!.length).toBeGreaterThan(50);
    expect(back).toEqual(there!.toReversed());
    expect(there).toContainEqual([c, d]);
  });

  it('that are no arcs are refused', async () => {
    for (const [i, bad] of [circular(X, Y, X + 1, Y), wkb(10, 1, wkb(3, 0)), wkb(9, 1, wkb(9, 0))].entries())
      expect(await failureOf(make(`bad${i}.gpkg`, [inBlob(bad)]), { layer: 'sites' })).toMatchObject({
        code: 'file_corrupt',
        row: 1,
      });
  });

  it('do not cost a file: a feature that is not read is a row with its reason', async () => {
    const mixed = wkb(7, 2, straight(X, Y, X + 1, Y), wkb(3, 1, uint(4), numbers(X, Y, X + 1, Y, X + 1, Y + 1, X, Y)));
    const blobs = [blob(point(1, 2)), blob(point(1, 2), 0, 0, 0x20), inBlob(wkb(16, 0)), inBlob(mixed)];
    const rows = await readRows(make('unread.gpkg', blobs), { layer: 'sites' });
    expect(rows.map(({ geometry, unread }) => [geometry !== null, unread?.reason, unread?.ground?.type])).toEqual([
      [true, undefined, undefined],
      [false, 'the geometry is of an extended type, which is not read', undefined],
      [false, 'WKB type 16 (a surface in space) is not read; convert to polygons', undefined],
      [false, 'a GeometryCollection of lines and polygons is not read; split it by type', 'MultiPolygon'],
    ]);
  });
});

describe('damaged GeoPackage', () => {
  it.each([
    ['garbage in a blob', [blob(point(1, 2)), Buffer.from('nonsense')], 'file_corrupt', 2],
    ['text in place of a blob', ['POINT(1 2)'], 'file_corrupt', 1],
    ['a blob that ends early', [blob(point(1, 2)).subarray(0, 20)], 'file_corrupt', 1],
    ['an unknown envelope', [blob(point(1, 2), 6)], 'file_corrupt', 1],
  ] as [string, (Uint8Array | string)[], string, number][])('refuses %s', async (name, blobs, code, row) => {
    const path = make(`${name}.gpkg`, blobs);
    expect(await failureOf(path, { layer: 'sites' })).toMatchObject({ name: 'ReadError', code, row, file: path });
  });

  it('refuses empty, foreign and cut-off files and wrong layers', async () => {
    const whole = readFileSync(make('whole.gpkg', [blob(point(1, 2))], 2000));
    expect(await failureOf(write('empty.gpkg', ''))).toMatchObject({ code: 'file_truncated' });
    expect(await failureOf(write('text.gpkg', 'not SQLite at all'))).toMatchObject({ code: 'file_corrupt' });
    for (const part of [60, 4096, whole.length / 2, whole.length - 1])
      expect(await failureOf(write('cut.gpkg', whole.subarray(0, part)), { layer: 'sites' })).toMatchObject({
        code: 'file_truncated',
      });
    const plain = join(folder, 'plain.gpkg');
    new DatabaseSync(plain).exec('CREATE TABLE t (a); ');
    expect(await failureOf(plain)).toMatchObject({
      code: 'file_corrupt',
      message: expect.stringMatching(/no GeoPackage/),
    });
    const path = make('c.gpkg', [null]);
    expect(await failureOf(path)).toMatchObject({ code: 'part_missing', message: expect.stringMatching(/sites/) });
    expect(await failureOf(path, { layer: 'roads' })).toMatchObject({ code: 'part_missing' });
    expect(await failureOf(join(folder, 'none.gpkg'))).toMatchObject({ code: 'file_missing' });
  });
});
