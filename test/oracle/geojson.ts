import type * as GeoJSON from 'geojson';
import type { Geometry, GeometryType } from '../../datasets/geometry.ts';

/** Polygonal GeoJSON in lng,lat. */
export type Polygonal = GeoJSON.Polygon | GeoJSON.MultiPolygon;
/** The GeoJSON forms of the types that Plat stores. */
export type Shape = Exclude<GeoJSON.Geometry, GeoJSON.GeometryCollection>;
type Position = number[];

/** A flat geometry as GeoJSON; lng,lat as it stands. */
export function toGeoJSON(geometry: Geometry): Shape {
  const { xy, ends, parts } = geometry;
  const vertices: Position[] = [];
  for (let i = 0; i < xy.length; i += 2) vertices.push([xy[i]!, xy[i + 1]!]);
  const cut = <T>(list: T[], at: Iterable<number>): T[][] => {
    let start = 0;
    return [...at].map(end => {
      const piece = list.slice(start, end);
      start = end;
      return piece;
    });
  };
  const lines = cut(vertices, ends);
  const polygons = cut(lines, parts);
  switch (geometry.type) {
    case 'Point':
      return { type: 'Point', coordinates: vertices[0]! };
    case 'MultiPoint':
      return { type: 'MultiPoint', coordinates: vertices };
    case 'LineString':
      return { type: 'LineString', coordinates: lines[0]! };
    case 'MultiLineString':
      return { type: 'MultiLineString', coordinates: lines };
    case 'Polygon':
      return { type: 'Polygon', coordinates: polygons[0]! };
    case 'MultiPolygon':
      return { type: 'MultiPolygon', coordinates: polygons };
  }
}

/** The reverse: GeoJSON as flat arrays. */
export function fromGeoJSON(shape: Shape): Geometry {
  const polygons: Position[][][] =
    shape.type === 'MultiPolygon' ? shape.coordinates : shape.type === 'Polygon' ? [shape.coordinates] : [];
  const lines: Position[][] =
    shape.type === 'Point'
      ? [[shape.coordinates]]
      : shape.type === 'MultiPoint' || shape.type === 'LineString'
        ? [shape.coordinates]
        : shape.type === 'MultiLineString'
          ? shape.coordinates
          : polygons.flat();
  const sum = (counts: number[]) => {
    let total = 0;
    return Uint32Array.from(counts, count => {
      total += count;
      return total;
    });
  };
  return {
    type: shape.type as GeometryType,
    xy: Float64Array.from(lines.flat(2)),
    ends: sum(lines.map(line => line.length)),
    parts: sum(polygons.map(rings => rings.length)),
  };
}
