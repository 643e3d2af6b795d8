import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { readArea, toGeoJson } from '../../../query/search/page/geojson.ts';
import { GeometryPacker, unpackGeometries } from '../../../query/sets/part/geometry-pack.ts';

/** A closed square about a place, by half its side; either way round. */
function square(x: number, y: number, half: number, isLeft: boolean): number[][] {
  const corners = [
    [x - half, y - half],
    [x + half, y - half],
    [x + half, y + half],
    [x - half, y + half],
    [x - half, y - half],
  ];
  return isLeft ? corners : corners.reverse();
}

/** Squares side by side with up to two holes, their rings in any direction, as they are stored. */
const areas = fc
  .array(fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .map((polygons): Geometry => {
    const rings = polygons.map((turns, i) =>
      turns.map((isLeft, ring) =>
        ring === 0 ? square(10 * i, 40, 4, isLeft) : square(10 * i + 2 * ring - 3, 40, 0.5, isLeft),
      ),
    );
    const flat = rings.flat();
    return {
      type: 'MultiPolygon',
      xy: Float64Array.from(flat.flat(2)),
      ends: Uint32Array.from(flat, (_, i) => flat.slice(0, i + 1).flat().length),
      parts: Uint32Array.from(rings, (_, i) => rings.slice(0, i + 1).flat().length),
    };
  });
const points = fc
  .tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -90, max: 90, noNaN: true }))
  .map(
    ([x, y]): Geometry => ({
      type: 'Point',
      xy: Float64Array.of(x, y),
      ends: Uint32Array.of(1),
      parts: new Uint32Array(0),
    }),
  );

it('geometries come out of a pack as their GeoJSON would be read, also after they were stored', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(areas, points)), geometries => {
      const packer = new GeometryPacker();
      for (const geometry of geometries) packer.add(geometry);
      expect(unpackGeometries(deserialize(serialize(packer.pack())))).toEqual(
        geometries.map(one =>
          one.type === 'Point' ? one : readArea(toGeoJson(one), 'area', Number.POSITIVE_INFINITY),
        ),
      );
    }),
  );
});
