import { describe, expect, it } from 'vitest';
import { type EsriGeometry, geometryOf } from '../../../ingest/esri/esri-geometry.ts';

type Xy = readonly [number, number];
/** Clockwise in a plane whose y points north, as Esri's shells are. */
const square = (x: number, y: number, side: number): Xy[] => [
  [x, y],
  [x, y + side],
  [x + side, y + side],
  [x + side, y],
  [x, y],
];
const hole = (x: number, y: number, side: number) => square(x, y, side).reverse();

function areaOf(ring: readonly Xy[]): number {
  let sum = 0;
  for (let i = 0; i + 1 < ring.length; i++) sum += ring[i]![0] * ring[i + 1]![1] - ring[i + 1]![0] * ring[i]![1];
  return Math.abs(sum) / 2;
}

describe('a geometry of Esri JSON', () => {
  it.each<[string, EsriGeometry | null, unknown]>([
    [
      'a point, its Z and M dropped',
      { x: 1, y: 2, z: 3, m: 4 } as EsriGeometry,
      { type: 'Point', coordinates: [1, 2] },
    ],
    ['an empty point', { x: 'NaN', y: 'NaN' }, null],
    ['a point of nothing', { x: null }, null],
    ['none', null, null],
    ['an object of nothing', {}, null],
    [
      'points',
      { points: [[1, 2, 9] as never, [3, 4]] },
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    ['no points', { points: [] }, null],
    [
      'a line',
      {
        paths: [
          [
            [0, 0],
            [1, 1],
          ],
        ],
      },
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
    ],
    [
      'two lines',
      {
        paths: [
          [
            [0, 0],
            [1, 1],
          ],
          [
            [2, 2],
            [3, 3],
          ],
        ],
      },
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [0, 0],
            [1, 1],
          ],
          [
            [2, 2],
            [3, 3],
          ],
        ],
      },
    ],
    ['no lines', { paths: [] }, null],
    ['no rings', { rings: [] }, null],
    [
      'a polygon with a hole',
      { rings: [square(0, 0, 9), hole(2, 2, 3)] },
      { type: 'Polygon', coordinates: [square(0, 0, 9), hole(2, 2, 3)] },
    ],
    [
      'parts with a hole each, holes first',
      { rings: [hole(2, 2, 3), hole(22, 2, 3), square(0, 0, 9), square(20, 0, 9)] },
      {
        type: 'MultiPolygon',
        coordinates: [
          [square(0, 0, 9), hole(2, 2, 3)],
          [square(20, 0, 9), hole(22, 2, 3)],
        ],
      },
    ],
    [
      'an island in a hole',
      { rings: [square(0, 0, 9), hole(1, 1, 7), square(3, 3, 2)] },
      { type: 'MultiPolygon', coordinates: [[square(0, 0, 9), hole(1, 1, 7)], [square(3, 3, 2)]] },
    ],
    [
      'a ring that is not closed',
      { rings: [square(0, 0, 9).slice(0, -1)] },
      { type: 'Polygon', coordinates: [square(0, 0, 9)] },
    ],
    ['an envelope', { xmin: 0, ymin: 0, xmax: 9, ymax: 9 }, { type: 'Polygon', coordinates: [square(0, 0, 9)] }],
  ])('is read: %s', (_, geometry, expected) => {
    expect(geometryOf(geometry)).toEqual(expected);
  });

  it('has circles of arcs, of centres and of ellipses, with their areas', () => {
    const ring = (geometry: EsriGeometry) => (geometryOf(geometry)!.coordinates as Xy[][])[0]!;
    const circle: Xy[] = ring({
      curveRings: [
        [
          [10, 0],
          {
            c: [
              [-10, 0],
              [0, -10],
            ],
          },
          {
            c: [
              [10, 0],
              [0, 10],
            ],
          },
        ],
      ],
    });
    expect(areaOf(circle)).toBeCloseTo(Math.PI * 100, 1);
    const whole = ring({ curveRings: [[[10, 0], { a: [[10, 0], [0, 0], 0, 1] }]] });
    expect(areaOf(whole)).toBeCloseTo(Math.PI * 100, 1);
    const [rotation, major, ratio] = [Math.PI / 6, 10, 0.5];
    const start: Xy = [major * Math.cos(rotation), major * Math.sin(rotation)];
    const ellipse = ring({ curveRings: [[start, { a: [start, [0, 0], 0, 1, rotation, major, ratio] }]] });
    expect(areaOf(ellipse)).toBeCloseTo(Math.PI * major * major * ratio, 1);
    for (const [x, y] of ellipse) {
      const [u, v] = [x * Math.cos(rotation) + y * Math.sin(rotation), y * Math.cos(rotation) - x * Math.sin(rotation)];
      expect((u / major) ** 2 + (v / (major * ratio)) ** 2).toBeCloseTo(1, 9);
    }
  });

  it('turns the way that an arc about a centre says', () => {
    const middle = (isClockwise: 0 | 1) => {
      const { coordinates } = geometryOf({
        curvePaths: [[[1, 0], { a: [[0, 1], [0, 0], isClockwise ? 0 : 1, isClockwise] }]],
      })!;
      return coordinates[coordinates.length >> 1] as Xy;
    };
    const half = Math.SQRT1_2;
    for (const axis of [0, 1]) {
      expect(middle(0)[axis]).toBeCloseTo(half, 1);
      expect(middle(1)[axis]).toBeCloseTo(-half, 1);
    }
  });

  it('has Bézier curves, whose ends it keeps', () => {
    const { coordinates } = geometryOf({
      curvePaths: [
        [
          [0, 0],
          {
            b: [
              [4, 0],
              [0, 4],
              [4, 4],
            ],
          },
          [9, 0],
        ],
      ],
    })!;
    expect([coordinates[0], coordinates.at(-2), coordinates.at(-1)]).toEqual([
      [0, 0],
      [4, 0],
      [9, 0],
    ]);
    // At its middle a cubic is an eighth of its ends and three eighths of its controls: (2, 3).
    expect(coordinates).toContainEqual([2, 3]);
  });

  it.each<EsriGeometry>([
    { rings: [[[0, 'a'] as never, [1, 1], [2, 0]]] },
    { curvePaths: [[[0, 0], { d: [] } as never]] },
    {
      curvePaths: [
        [
          {
            c: [
              [0, 0],
              [1, 1],
            ],
          },
        ],
      ],
    },
    { hull: 1 } as never,
  ])('is refused by its form: %j', geometry => {
    expect(() => geometryOf(geometry)).toThrow(/expected|no form of Esri JSON/);
  });
});
