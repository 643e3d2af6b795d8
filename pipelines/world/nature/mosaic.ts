import type { Position, Ring } from '../format/feature.ts';
import { EXTENT, vertex } from '../frame.ts';
import { hash } from '../random.ts';

/** A tile of a mosaic: its place in the grid, its outline and its middle. */
export interface Tile {
  readonly column: number;
  readonly row: number;
  readonly ring: Ring;
  readonly centre: Position;
}

/**
 * Irregular quadrilaterals that tile a stretch of the area without gaps: a grid whose inner corners are shifted by the seed.
 * @param jitter share of a cell that a corner may move, below 0.4 so that no tile folds
 * @param ends metres along the coast where the stretch begins and ends
 */
export function mosaic(
  seed: number,
  columns: number,
  rows: number,
  jitter: number,
  [west, east]: Position = [EXTENT.west, EXTENT.east],
): Tile[] {
  const { sea, inland } = EXTENT;
  const corner = (i: number, j: number): Position => {
    const shift = (k: number, fixed: boolean) => (fixed ? 0 : jitter * (hash(seed, i, j, k) / 2147483648 - 1));
    const x = i + shift(1, i === 0 || i === columns);
    const y = j + shift(2, j === 0 || j === rows);
    return vertex(west + ((east - west) * x) / columns, sea + ((inland - sea) * y) / rows);
  };
  return Array.from({ length: columns * rows }, (_, n) => {
    const column = n % columns;
    const row = Math.floor(n / columns);
    const corners = [
      corner(column, row),
      corner(column + 1, row),
      corner(column + 1, row + 1),
      corner(column, row + 1),
    ];
    const centre: Position = [
      (corners[0]![0] + corners[2]![0] + corners[1]![0] + corners[3]![0]) / 4,
      (corners[0]![1] + corners[2]![1] + corners[1]![1] + corners[3]![1]) / 4,
    ];
    return { column, row, ring: [...corners, corners[0]!], centre };
  });
}
