import { describe, expect, it } from 'vitest';
import type { Geometry, GeometryType } from '../../datasets/geometry.ts';
import { fromGeoJSON } from '../../ingest/geojson.ts';
import { decodeWkb, encodeWkb } from '../../ingest/wkb.ts';
import { toGeoJSON } from '../oracle/geojson.ts';

const make = (type: GeometryType, xy: number[], ends: number[], parts: number[] = []): Geometry => ({
  type,
  xy: Float64Array.from(xy),
  ends: Uint32Array.from(ends),
  parts: Uint32Array.from(parts),
});
const ring = (x: number) => [x, 0, x + 1, 0, x + 1, 1, x, 0];
const samples = [
  make('Point', [1.5, -2], [1]),
  make('MultiPoint', [1, 2, 3, 4], [2]),
  make('LineString', [1, 2, 3, 4, 5, 6], [3]),
  make('MultiLineString', [1, 2, 3, 4, 5, 6, 7, 8], [2, 4]),
  make('Polygon', [...ring(0), ...ring(5)], [4, 8], [2]),
  make('MultiPolygon', [...ring(0), ...ring(5), ...ring(10)], [4, 8, 12], [2, 3]),
];
/** A GeometryCollection (type 7) of encoded members. */
const collection = (...members: Geometry[]) => collectionOf(members.map(encodeWkb));
const collectionOf = (members: readonly Uint8Array[]) => {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(members.length);
  return new Uint8Array(Buffer.concat([hex('0107000000'), count, ...members]));
};
const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));

describe('WKB', () => {
  it.each(samples)('keeps a $type through encoding and decoding', geometry => {
    expect(decodeWkb(encodeWkb(geometry))).toEqual(geometry);
  });

  it('writes little-endian ISO WKB', () => {
    expect(Buffer.from(encodeWkb(make('Point', [1, 2], [1]))).toString('hex')).toBe(
      '0101000000000000000000f03f0000000000000040',
    );
  });

  // Byte strings as PostGIS 3 prints them for ST_AsEWKB / ST_AsBinary of POINT(1 2), POINT Z(1 2 3), POINT ZM(1 2 3 4).
  it.each([
    ['big-endian', '00000000013ff00000000000004000000000000000'],
    ['EWKB with SRID', '0101000020e6100000000000000000f03f0000000000000040'],
    ['EWKB Z', '0101000080000000000000f03f00000000000000400000000000000840'],
    ['ISO Z', '01e9030000000000000000f03f00000000000000400000000000000840'],
    ['ISO M', '01d1070000000000000000f03f00000000000000400000000000000840'],
    ['ISO ZM', '01b90b0000000000000000f03f000000000000004000000000000008400000000000001040'],
  ])('reads %s', (_, bytes) => {
    expect(decodeWkb(hex(bytes))).toEqual(make('Point', [1, 2], [1]));
  });

  it('reads empty geometries as no vertices', () => {
    expect(decodeWkb(hex('0101000000000000000000f87f000000000000f87f'))!.xy).toHaveLength(0);
    expect(decodeWkb(hex('010300000000000000'))!.xy).toHaveLength(0);
    expect(decodeWkb(encodeWkb(make('Point', [], [])))).toMatchObject({ type: 'Point', xy: new Float64Array(0) });
  });

  it('takes a collection of one kind for one geometry, and none for none', () => {
    const [point, , line, , polygon, polygons] = samples as [
      Geometry,
      Geometry,
      Geometry,
      Geometry,
      Geometry,
      Geometry,
    ];
    expect(decodeWkb(hex('010700000000000000'))).toBeNull();
    expect(decodeWkb(collection(line))).toEqual(line);
    expect(decodeWkb(collection(polygon, polygons))).toEqual(
      make('MultiPolygon', [...polygon.xy, ...polygons.xy], [4, 8, 12, 16, 20], [2, 4, 5]),
    );
    expect(decodeWkb(collection(point, point))).toEqual(make('MultiPoint', [...point.xy, ...point.xy], [2]));
  });

  it('reads a collection in a collection, however many it holds', () => {
    // More than a call takes arguments.
    const many = new Array<Uint8Array>(130_000).fill(encodeWkb(samples[0]!));
    expect(decodeWkb(collectionOf([collectionOf(many)]))!.ends).toEqual(Uint32Array.of(130_000));
  });

  it('refuses mixed collections, surfaces in space and garbage, naming file and row', () => {
    const [, , line, , polygon] = samples as [Geometry, Geometry, Geometry, Geometry, Geometry];
    expect(() => decodeWkb(collection(line, polygon), 'a.parquet', 3)).toThrow(
      expect.objectContaining({
        code: 'geometry_unsupported',
        file: 'a.parquet',
        row: 3,
        why: 'a GeometryCollection of lines and polygons is not read; split it by type',
        ground: make('MultiPolygon', [...polygon.xy], [4, 8], [2]),
      }),
    );
    expect(() => decodeWkb(hex('011000000000000000'))).toThrow(
      expect.objectContaining({ code: 'geometry_unsupported', ground: null }),
    );
    for (const bad of [
      '',
      '01',
      '0501000000',
      '016300000000000000',
      '0102000000ffffff7f',
      '01050000000100000001010000',
    ])
      expect(() => decodeWkb(hex(bad)), bad).toThrow(expect.objectContaining({ code: 'file_corrupt' }));
  });

  it('never fails but with a ReadError, however the bytes are cut or changed', () => {
    for (const sample of samples) {
      const bytes = encodeWkb(sample);
      for (let end = 0; end < bytes.length; end++)
        expect(() => decodeWkb(bytes.slice(0, end))).toThrow(expect.objectContaining({ name: 'ReadError' }));
    }
  });
});

describe('GeoJSON geometry', () => {
  it.each(samples)('keeps a $type there and back', geometry => {
    expect(fromGeoJSON(toGeoJSON(geometry))).toEqual(geometry);
  });

  it('drops Z and takes no positions for no geometry', () => {
    expect(
      fromGeoJSON({
        type: 'LineString',
        coordinates: [
          [1, 2, 3],
          [4, 5, 6, 7],
        ],
      })!.xy,
    ).toEqual(Float64Array.of(1, 2, 4, 5));
    expect(fromGeoJSON({ type: 'Polygon', coordinates: [] })).toBeNull();
    expect(fromGeoJSON(null)).toBeNull();
  });

  /** So many collections around a geometry. */
  const within = (depth: number, geometry: unknown): unknown =>
    depth === 0 ? geometry : { type: 'GeometryCollection', geometries: [within(depth - 1, geometry)] };

  it('follows collections in collections eight deep, and says where there are more', () => {
    const [point] = samples as [Geometry];
    expect(fromGeoJSON(within(8, toGeoJSON(point)))).toEqual(point);
    expect(() => fromGeoJSON(within(9, toGeoJSON(point)))).toThrow(
      expect.objectContaining({ code: 'geometry_unsupported', why: 'has collections in collections more than 8 deep' }),
    );
    expect(() => fromGeoJSON({ type: 'GeometryCollection' })).toThrow('a GeometryCollection has no list of geometries');
  });

  it('keeps the ground of all polygons of a mixed collection, of those in collections too', () => {
    const [, , line, , polygon] = samples as [Geometry, Geometry, Geometry, Geometry, Geometry];
    const mixed = { type: 'GeometryCollection', geometries: [line, polygon].map(toGeoJSON) };
    expect(() => fromGeoJSON({ type: 'GeometryCollection', geometries: [mixed, toGeoJSON(polygon)] })).toThrow(
      expect.objectContaining({
        code: 'geometry_unsupported',
        ground: make('MultiPolygon', [...polygon.xy, ...polygon.xy], [4, 8, 12, 16], [2, 4]),
      }),
    );
  });
});
