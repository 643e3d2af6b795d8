import { expect, it } from 'vitest';
import { boxOf, type Geometry } from '../../../../datasets/geometry.ts';
import { PolygonOverlap, straightArea } from '../../../../query/geometry/polygon-overlap.ts';
import { fromGeoJSON, toGeoJSON } from '../../../oracle/geojson.ts';
import { coveredShare } from '../../../oracle/overlap.ts';
import { randomOf } from '../../star.ts';

/** A ring about a place whose radius waves: never one that crosses itself. */
function wavy(vertices: number, radius: number, lng = -68.7, lat = 44.8): Geometry {
  const ring = Array.from({ length: vertices }, (_, i) => {
    const angle = (2 * Math.PI * i) / vertices;
    const wave = 1 + 0.2 * Math.sin(9 * angle) + 0.05 * Math.sin(131 * angle) + 0.02 * Math.sin(771 * angle);
    return [lng + radius * wave * Math.cos(angle), lat + radius * wave * Math.sin(angle)];
  });
  return fromGeoJSON({ type: 'Polygon', coordinates: [[...ring, ring[0]!]] });
}

/** Polygons strewn over the mask, some beyond its border, and one that holds most of it. */
function strewn(count: number): Geometry[] {
  const random = randomOf(count);
  const place = () => [-68.7 + 0.13 * (random() - 0.5), 44.8 + 0.13 * (random() - 0.5)] as const;
  const small = Array.from({ length: count }, () => wavy(12, 0.0005 + 0.004 * random(), ...place()));
  return [...small, wavy(3000, 0.02, -68.72, 44.81)];
}

const overlapOf = (mask: Geometry, polygons: readonly Geometry[]) => {
  const overlap = new PolygonOverlap(mask, boxOf(mask));
  for (const polygon of polygons) overlap.add(polygon);
  return overlap;
};

/** Square metres that one sweep over the whole measured before cells were cut: covered, and of each class. */
const WHOLE: readonly [vertices: number, count: number, sums: readonly number[]][] = [
  [40, 20, [12_204_389.5552, 0, 0, 0, 0, 19_924.4085, 68_941_455.951]],
  [1_500, 60, [15_528_223.7353, 121_577.9254, 34_298.1948, 0, 0, 1_090_264.8342, 69_249_887.2016]],
  [
    6_000,
    300,
    [30_000_784.5568, 1_013_378.818, 168_803.748, 139_238.9522, 34_804.6164, 4_483_223.6123, 64_692_860.3867],
  ],
];

it.each(WHOLE)(
  'a mask of %i vertices under %i polygons is in cells what it is in one sweep',
  (vertices, count, sums) => {
    const mask = wavy(vertices, 0.05);
    const polygons = strewn(count);
    const close = (ours: number, whole: number) =>
      expect(Math.abs(ours - whole) / straightArea(mask)).toBeLessThan(1e-9);
    close(overlapOf(mask, polygons).measure(), sums[0]!);
    const classes = polygons.map((_, i) => (i % 5 === 4 ? -1 : i % 4));
    const ground = overlapOf(mask, polygons).ground(classes, 1);
    for (const [i, area] of [...ground.areas, ground.none, ground.outside].entries()) close(area, sums[i + 1]!);
  },
);

it('cells agree with GEOS', () => {
  const mask = wavy(1500, 0.05);
  const polygons = strewn(60);
  const share = overlapOf(mask, polygons).measure() / straightArea(mask);
  expect(Math.abs(share - coveredShare(toGeoJSON(mask) as GeoJSON.Polygon, polygons))).toBeLessThan(1e-6);
});
