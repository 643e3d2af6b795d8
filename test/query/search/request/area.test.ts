import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../../datasets/geometry.ts';
import { squareKilometres } from '../../../../query/geometry/area/area-size.ts';
import { geodesicArea } from '../../../../query/geometry/area/geodesic-area.ts';
import { judgeAreas } from '../../../../query/search/request/area.ts';
import { areaTest } from '../../../../query/search/request/filter.ts';
import { fromGeoJSON } from '../../../oracle/geojson.ts';

describe('areas are refused before any read', () => {
  const ring = (...positions: [number, number][]) => fromGeoJSON({ type: 'Polygon', coordinates: [positions] });
  const issue = async (geometry: Geometry, maxSquareKm = 1_000_000) =>
    (await judgeAreas([areaTest('within', geometry, 'filters[1].value')], maxSquareKm)).issues[0] ?? null;

  it('a bow tie, saying where', async () => {
    const found = await issue(ring([0, 0], [1, 1], [1, 0], [0, 1], [0, 0]));
    expect(found).toMatchObject({
      path: 'filters[1].value',
      description:
        'The area is not valid: self-intersection at the edge from ring 0, position 0 and the edge from ring 0, position 2 (counted from 0).',
    });
    expect(found!.hint).toMatch(/cross/);
  });

  it('parts that overlap or share an edge; not parts that touch at a point', async () => {
    const square = (x: number, y: number) => [
      [x, y],
      [x + 1, y],
      [x + 1, y + 1],
      [x, y + 1],
      [x, y],
    ];
    const parts = (...at: [number, number][]) =>
      fromGeoJSON({ type: 'MultiPolygon', coordinates: at.map(([x, y]) => [square(x, y)]) });
    expect(await issue(parts([0, 0], [0.5, 0.5]))).not.toBeNull();
    expect(await issue(parts([0, 0], [1, 0]))).not.toBeNull();
    expect(await issue(parts([0, 0], [1, 1]))).toBeNull();
  });

  it('by the numbers of parts, rings and positions, and without a coordinate that was sent', async () => {
    const square = (x: number, y: number, size: number): [number, number][] => [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
      [x, y],
    ];
    const said = async (...parts: [number, number][][][]) => {
      const { description, hint } = (await issue(fromGeoJSON({ type: 'MultiPolygon', coordinates: parts })))!;
      for (const number of parts.flat(3))
        if (!Number.isInteger(number)) expect(description + hint).not.toContain(String(Math.abs(number)));
      return description;
    };
    const shell = square(-70.625, 43.125, 1);
    expect(await said([shell, square(-60.375, 43.375, 0.125)])).toMatch(
      /^The area is not valid: hole lies outside shell at ring 1, position \d \(counted from 0\)\.$/,
    );
    expect(await said([shell], [square(-60.375, 43.375, 0.125), square(-50.375, 43.375, 0.125)])).toMatch(
      /hole lies outside shell at part 1, ring 1, position \d /,
    );
    expect(await said([shell], [square(-70.125, 43.625, 1)])).toMatch(
      /self-intersection at the edge from part \d, ring 0, position \d and the edge from part \d, ring 0, position \d /,
    );
    // A ring that touches itself does so in a position.
    const pinched: [number, number][] = [
      [-70.625, 43.125],
      [-69.625, 43.125],
      [-70.125, 43.625],
      [-69.625, 44.125],
      [-70.625, 44.125],
      [-70.125, 43.625],
      [-70.625, 43.125],
    ];
    expect(await said([pinched])).toMatch(/at ring 0, position 2 and ring 0, position 5 /);
  });

  it('a million square kilometres and more, whichever way round its long edges are measured', async () => {
    expect(await issue(ring([-105, 35], [-95, 35], [-95, 45], [-105, 45], [-105, 35]))).toBeNull();
    expect((await issue(ring([-110, 30], [-90, 30], [-90, 45], [-110, 45], [-110, 30])))!.description).toMatch(
      /square kilometers/,
    );
    expect(
      await issue(ring([-179, 20], [0, 20], [179, 20], [179, 30], [0, 30], [-179, 30], [-179, 20])),
    ).not.toBeNull();
  });

  it.each<[string, [number, number][], number]>([
    [
      'the whole earth',
      [
        [-180, -90],
        [180, -90],
        [180, 90],
        [-180, 90],
        [-180, -90],
      ],
      510_065_622,
    ],
    [
      'all but two caps',
      [
        [-180, -60],
        [0, -60],
        [180, -60],
        [180, 60],
        [0, 60],
        [-180, 60],
        [-180, -60],
      ],
      441_240_000,
    ],
    [
      'a hemisphere',
      [
        [-180, 0],
        [180, 0],
        [180, 90],
        [-180, 90],
        [-180, 0],
      ],
      255_032_811,
    ],
    [
      'more than half of it',
      [
        [-150, -89],
        [0, -89],
        [150, -89],
        [150, 89],
        [0, 89],
        [-150, 89],
        [-150, -89],
      ],
      425_000_000,
    ],
  ])('%s, although its other side would do', async (_, positions, km2) => {
    for (const way of [positions, positions.toReversed()]) {
      expect((await issue(ring(...way)))!.description).toMatch(/square kilometers/);
      expect(squareKilometres(ring(...way)) / km2).toBeCloseTo(1, 4);
    }
  });

  it('nearly the whole earth around a hole', async () => {
    const outer = [
      [-180, -90],
      [180, -90],
      [180, 90],
      [-180, 90],
      [-180, -90],
    ];
    const hole = [
      [-60, 0],
      [100, 0],
      [100, 80],
      [-60, 80],
      [-60, 0],
    ];
    const found = await issue(fromGeoJSON({ type: 'Polygon', coordinates: [outer, hole] }));
    expect(found!.description).toMatch(/square kilometers/);
  });

  it('an edge across the antimeridian that was not split there, which would select the other side of the earth', async () => {
    const found = await issue(ring([179.9, 43.1], [-179.9, 43.1], [-179.9, 43.13], [179.9, 43.13], [179.9, 43.1]));
    expect(found!.description).toBe(
      'The area has an edge of more than 180 degrees of longitude, from ring 0, position 0 (counted from 0).',
    );
    expect(found!.hint).toMatch(/antimeridian.*MultiPolygon/);
    // A band around the earth that is meant so.
    const band = [
      [-179.9, 43],
      [0, 43],
      [179.9, 43],
      [179.9, 43.01],
      [0, 43.01],
      [-179.9, 43.01],
      [-179.9, 43],
    ];
    expect(await issue(ring(...(band as [number, number][])))).toBeNull();
  });
});

it('measures an area as geodesics do between points that lie close on its edges', () => {
  const corners: [number, number][] = [
    [-105, 35],
    [-95.5, 36],
    [-90, 44.25],
    [-99, 40],
    [-106, 47],
    [-105, 35],
  ];
  const close = corners.slice(1).flatMap(([x1, y1], i) => {
    const [x0, y0] = corners[i]!;
    return Array.from({ length: 400 }, (_, k) => [x0 + ((x1 - x0) * k) / 400, y0 + ((y1 - y0) * k) / 400]);
  });
  const fine = fromGeoJSON({ type: 'Polygon', coordinates: [[...close, corners[0]!]] });
  const rough = fromGeoJSON({ type: 'Polygon', coordinates: [corners] });
  expect(squareKilometres(rough) / (geodesicArea(fine) / 1e6)).toBeCloseTo(1, 7);
});
