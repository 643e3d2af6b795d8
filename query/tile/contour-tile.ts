import { contours } from 'd3-contour';
import { EXTENT } from './tile-grid.ts';
import { CELLS, levelled, type TileHeights } from './tile-heights.ts';
import { type TileFeature, writeTile } from './tile-writer.ts';

/** In what contours are counted: feet, or meters. */
export const CONTOUR_UNITS = ['ft', 'm'] as const;
export type ContourUnit = (typeof CONTOUR_UNITS)[number];
const METERS: Readonly<Record<ContourUnit, number>> = { ft: 0.3048, m: 1 };

/** The step from contour to contour by zoom, from the least; the last also for deeper ones. */
const STEPS: Readonly<Record<ContourUnit, readonly number[]>> = { ft: [100, 40, 20], m: [25, 10, 5] };
const FIRST_ZOOM = 12;
/** Every fifth contour is drawn stronger, and has its height beside it. */
const STRONG = 5;

type Position = [x: number, y: number];

/** Cells beyond the sides of a tile to which lines reach. */
const REACH = 1;
/** Units that a point may lie off the line of its neighbors: an eighth of a cell. */
const TOLERANCE = 2;

/** Whether points lie on the way from one to another. */
function areBetween(points: readonly Position[], [x0, y0]: Position, [x1, y1]: Position): boolean {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const most = TOLERANCE * Math.hypot(dx, dy);
  return points.every(([x, y]) => Math.abs((x - x0) * dy - (y - y0) * dx) <= most);
}

/** Points in a row that one straight piece stands for, at most. */
const LONGEST = 24;

/** A line without the points that lie on the way between those that stay (an opening window). */
function straightened(line: readonly Position[]): Position[] {
  const out = [line[0]!];
  let left: Position[] = [];
  for (let i = 1; i < line.length - 1; i++) {
    left.push(line[i]!);
    if (left.length < LONGEST && areBetween(left, out.at(-1)!, line[i + 1]!)) continue;
    out.push(line[i]!);
    left = [];
  }
  return [...out, line.at(-1)!];
}

/**
 * The pieces of an outline within reach of a tile, whole units: an outline is closed along the edge of the grid and about cells of
 * unknown height, where no contour runs.
 */
function linesOf(ring: readonly number[][], { side, margin, values }: TileHeights): Position[][] {
  const hasValue = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < side && y < side && !Number.isNaN(values[y * side + x]!);
  const lines: Position[][] = [];
  let line: Position[] = [];
  const end = () => {
    if (line.length > 1) lines.push(straightened(line));
    line = [];
  };
  for (const [u, v] of ring as [number, number][]) {
    const [x, y] = [u - margin, v - margin];
    const isInside = Math.min(x, y) >= -REACH && Math.max(x, y) <= CELLS + REACH;
    // A corner of an outline lies between the middles of two cells.
    const [i, j] = [u - 0.5, v - 0.5];
    if (!isInside || !hasValue(Math.floor(i), Math.floor(j)) || !hasValue(Math.ceil(i), Math.ceil(j))) {
      end();
      continue;
    }
    const next: Position = [Math.round((x / CELLS) * EXTENT), Math.round((y / CELLS) * EXTENT)];
    const last = line.at(-1);
    if (!last || last[0] !== next[0] || last[1] !== next[1]) line.push(next);
  }
  end();
  return lines;
}

/**
 * The contours of a tile as a vector tile with one layer, `contours`, of which each line has its height `ele` in a unit and whether
 * it is a `strong` one, which has a `label` too. @returns no bytes where the ground is level.
 */
export function contourTile(heights: TileHeights, zoom: number, unit: ContourUnit): Uint8Array {
  const { side } = heights;
  const values = Array.from(levelled(heights), meters => meters / METERS[unit]);
  const steps = STEPS[unit];
  const step = steps[Math.min(steps.length - 1, Math.max(0, zoom - FIRST_ZOOM))]!;
  const [least, most] = values.reduce(
    ([a, b], value) => [Math.min(a, value), Math.max(b, value)],
    [Infinity, -Infinity],
  );
  const outlines = contours().size([side, side]);
  const features: TileFeature[] = [];
  for (let ele = Math.ceil(least / step) * step; ele <= most; ele += step) {
    const paths = outlines
      .contour(values, ele)
      .coordinates.flat()
      .flatMap(ring => linesOf(ring, heights));
    if (paths.length === 0) continue;
    const strong = ele % (STRONG * step) === 0;
    // The unit goes with the number, so that no map writes one beside tiles in the other.
    features.push({ shape: { kind: 2, paths }, properties: { ele, strong, label: strong ? `${ele} ${unit}` : null } });
  }
  return writeTile('contours', features);
}
