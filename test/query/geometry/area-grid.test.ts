import { describe, expect, it } from 'vitest';
import type { Box, Geometry } from '../../../datasets/geometry.ts';
import { AreaGrid, type Quick } from '../../../query/geometry/area-grid.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import { coveredBy, intersects, isValid } from '../../oracle/geometry.ts';
import { randomOf, starOf } from '../star.ts';

const polygonOf = (rings: [number, number][][]): Geometry => fromGeoJSON({ type: 'Polygon', coordinates: rings });

/** A box as a polygon; without width or height it is none. */
const ofBox = ([minX, minY, maxX, maxY]: Box): Geometry =>
  polygonOf([
    [
      [minX, minY],
      [maxX, minY],
      [maxX, maxY],
      [minX, maxY],
      [minX, minY],
    ],
  ]);

/** Asserts that what is said of a box is so; @returns what was said, and what is so. */
function judged(grid: AreaGrid, box: Box): { said: Quick; is: Quick } {
  const said = grid.quick(box);
  const shape = ofBox(box);
  const meets = intersects(shape, grid.geometry);
  const is = !meets ? 'outside' : coveredBy(shape, grid.geometry) ? 'inside' : 'unsure';
  if (said === 'outside') expect(meets, `${box} is said to be outside`).toBe(false);
  if (said === 'inside') expect(is, `${box} is said to be inside`).toBe('inside');
  return { said, is };
}

const holed = polygonOf([
  [
    [0, 0],
    [8, 0],
    [8, 8],
    [0, 8],
    [0, 0],
  ],
  [
    [3, 3],
    [3, 5],
    [5, 5],
    [5, 3],
    [3, 3],
  ],
]);

describe('what a grid says of boxes is so', () => {
  it.each([5, 12, 60, 700])('stars of %i corners', corners => {
    const random = randomOf(corners);
    let [undecided, decidable] = [0, 0];
    for (let seed = 1; seed <= 12; seed++) {
      const { geometry: area } = starOf(seed, corners, -70, 43);
      if (!isValid(area)) continue;
      const grid = new AreaGrid(area);
      const [x0, y0, x1, y1] = grid.box;
      for (let i = 0; i < 400; i++) {
        const size = (x1 - x0) * 0.3 * random() ** 3;
        const x = x0 + (x1 - x0) * (random() * 1.4 - 0.2);
        const y = y0 + (y1 - y0) * (random() * 1.4 - 0.2);
        const { said, is } = judged(grid, [x, y, x + size + 1e-9, y + size * random() + 1e-9]);
        if (is === 'unsure') continue;
        decidable++;
        if (said === 'unsure') undecided++;
      }
    }
    expect(decidable).toBeGreaterThan(2000);
    // Only where too many edges lie about a box is it not compared with them.
    expect(undecided / decidable).toBeLessThan(0.05);
  });

  it('boxes that touch an edge, a corner or a hole', () => {
    const grid = new AreaGrid(holed);
    const values = [-1, 0, 1, 3, 4, 5, 7, 8, 9];
    let touching = 0;
    for (const minX of values)
      for (const maxX of values)
        for (const minY of values)
          for (const maxY of values) {
            if (minX >= maxX || minY >= maxY) continue;
            const { said } = judged(grid, [minX, minY, maxX, maxY]);
            if (said === 'unsure') touching++;
          }
    expect(touching).toBeGreaterThan(1000);
    expect(grid.quick([3.5, 3.5, 4.5, 4.5])).toBe('outside');
    expect(grid.quick([1, 1, 2, 7])).toBe('inside');
    expect(grid.quick([8, 1, 9, 2])).toBe('unsure');
    expect(grid.quick([Math.fround(8.000001), 1, 9, 2])).toBe('outside');
  });

  it('boxes whose corner lies on a slope, or one step beside it', () => {
    const slope = polygonOf([
      [
        [0, 0],
        [3, 1],
        [0, 1],
        [0, 0],
      ],
    ]);
    const grid = new AreaGrid(slope);
    for (let i = 1; i < 400; i++) {
      const y = i / 400;
      for (const x of [3 * y, 3 * y + 2 ** -52, 3 * y - 2 ** -52, 3 * y + 1e-12, 3 * y - 1e-12])
        for (const box of [
          [x, y - 0.01, x + 0.01, y],
          [x - 0.01, y, x, y + 0.01],
        ] satisfies Box[])
          judged(grid, box);
    }
  });

  it('boxes that hold the whole area, and areas of thousands of corners in one cell', () => {
    const dense = Array.from({ length: 3000 }, (_, i): [number, number] => {
      const angle = (2 * Math.PI * i) / 3000;
      return [1 + 1e-4 * Math.cos(angle), 1 + 1e-4 * Math.sin(angle)];
    });
    const grid = new AreaGrid(
      polygonOf([[[0, 0], [0.9999, 1], ...dense.slice(1501), ...dense.slice(0, 1500), [0, 0]]]),
    );
    expect(isValid(grid.geometry)).toBe(true);
    expect(grid.quick([-1, -1, 3, 3])).toBe('unsure');
    const random = randomOf(7);
    for (let i = 0; i < 300; i++) {
      const [x, y] = [1 + (random() - 0.5) * 4e-4, 1 + (random() - 0.5) * 4e-4];
      judged(grid, [x, y, x + 2e-5, y + 2e-5]);
    }
  });
});
