import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../../datasets/geometry.ts';
import { canonicalPolygon, digestOf } from '../../../../query/geometry/area/canonical-polygon.ts';
import { fromGeoJSON, toGeoJSON } from '../../../oracle/geojson.ts';
import { isValid } from '../../../oracle/geometry.ts';
import { starOf } from '../../star.ts';

type Rings = number[][][];
const of = (coordinates: Rings[]): Geometry => fromGeoJSON({ type: 'MultiPolygon', coordinates });
const digest = (coordinates: Rings[]) => digestOf(canonicalPolygon(of(coordinates))!);
const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map(item => [random(), item] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, item]) => item);

/** The same ring begun elsewhere, perhaps the other way round, some points said twice, each a little off. */
function rewritten(ring: number[][], random: () => number): number[][] {
  const open = ring.slice(0, -1).map(([x, y]) => [x! + (random() - 0.5) * 4e-9, y! + (random() - 0.5) * 4e-9]);
  const start = Math.floor(random() * open.length);
  const turned = [...open.slice(start), ...open.slice(0, start)];
  if (random() < 0.5) turned.reverse();
  const repeated = turned.flatMap(p => (random() < 0.2 ? [p, p, p] : [p]));
  return [...repeated, repeated[0]!];
}

const onGrid = (ring: number[][]) => ring.map(([x, y]) => [Math.round(x! * 1e7) / 1e7, Math.round(y! * 1e7) / 1e7]);

describe('the canonical form', () => {
  it('does not depend on ring start, direction, order of parts and holes, repeated points or the eighth decimal', () => {
    let checked = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const { geometry, random } = starOf(seed, 9, -68.7, 44.8);
      const far = starOf(seed + 1000, 7, -68.5, 44.8).geometry;
      if (!isValid(geometry) || !isValid(far)) continue;
      const polygons = [geometry, far].flatMap(
        g => (toGeoJSON(g) as GeoJSON.MultiPolygon).coordinates.map(rings => rings.map(onGrid)) as Rings[],
      );
      // A second hole, so that holes have an order.
      polygons[0]!.push(
        onGrid([
          [-68.6995, 44.8],
          [-68.6994, 44.8],
          [-68.6994, 44.8001],
          [-68.6995, 44.8],
        ]),
      );
      const id = digest(polygons);
      for (let i = 0; i < 5; i++) {
        const again = shuffled(polygons, random).map(([shell, ...holes]) =>
          [shell!, ...shuffled(holes, random)].map(ring => rewritten(ring, random)),
        );
        expect(digest(again)).toBe(id);
        checked++;
      }
      const moved = structuredClone(polygons);
      moved[0]![0]![3]![0]! += 1e-7;
      expect(digest(moved)).not.toBe(id);
    }
    expect(checked).toBeGreaterThan(50);
  });

  it('is valid, closed, counter-clockwise outside, and its own canonical form', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { geometry } = starOf(seed, 9, -68.7, 44.8);
      if (!isValid(geometry)) continue;
      const canonical = canonicalPolygon(geometry)!;
      expect(isValid(canonical)).toBe(true);
      expect(canonicalPolygon(canonical)).toEqual(canonical);
      const { coordinates } = toGeoJSON(canonical) as GeoJSON.MultiPolygon;
      for (const rings of coordinates)
        for (const [i, ring] of rings.entries()) {
          expect(ring[0]).toEqual(ring.at(-1));
          const turning = ring.slice(1).reduce((sum, [x, y], v) => sum + ring[v]![0]! * y! - x! * ring[v]![1]!, 0);
          expect(Math.sign(turning)).toBe(i === 0 ? 1 : -1);
        }
    }
  });

  it('one part is a Polygon however it was written, and 0 has no sign', () => {
    const square = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
    ];
    const signed = [
      [-0, -1e-9],
      [1, 0],
      [1, 1],
      [0, 1],
      [-0, -1e-9],
    ];
    expect(canonicalPolygon(of([[square]]))!.type).toBe('Polygon');
    expect(digest([[signed]])).toBe(digest([[square]]));
    expect(Object.is(canonicalPolygon(of([[signed]]))!.xy[1], 0)).toBe(true);
  });

  it('a ring of fewer than three points after rounding has none', () => {
    expect(
      canonicalPolygon(
        of([
          [
            [
              [0, 0],
              [1, 0],
              [1, 1e-9],
              [0, 0],
            ],
          ],
        ]),
      ),
    ).toBeNull();
    expect(
      canonicalPolygon(
        of([
          [
            [
              [0, 0],
              [0, 0],
              [0, 0],
              [0, 0],
            ],
          ],
        ]),
      ),
    ).toBeNull();
  });
});
