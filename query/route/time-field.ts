import { contours } from 'd3-contour';
import type { Box } from '../../datasets/geometry.ts';
import { radiiAt } from '../geometry/geodesic.ts';
import { UNITS } from './road-lines.ts';

/** Rings of a MultiPolygon as GeoJSON has them: lng,lat, shells counter-clockwise, holes clockwise. */
export type Rings = [number, number][][][];

const DEGREE = Math.PI / 180;
/** Metres a second beside the road: at a stroll, so that yards belong to their street and a forest does not. */
const OFF_ROAD = 1.2;
/** Metres beside a road that still count; a cell at least. */
const BESIDE = 150;
/** Side of a cell in metres, and cells along a side at most. */
const FINEST = 60;
const CELLS = 360;
/** Cells between two places of a road that are marked. */
const STEP = 1;

/** Side of the cells over a box of degrees, and metres of a degree there. */
export function cellOf([west, south, east, north]: Box) {
  const { M, N } = radiiAt((south + north) / 2);
  const [x, y] = [N * Math.cos(((south + north) / 2) * DEGREE) * DEGREE, M * DEGREE];
  const [width, height] = [(east - west) * x, (north - south) * y];
  return { side: Math.max(FINEST, Math.max(width, height) / CELLS), x, y, width, height };
}

/** Milliseconds at the corners of a grid, least where several roads lead to one. */
export class TimeField {
  readonly #limit: number;
  readonly #values: Float64Array;
  readonly #columns: number;
  readonly #rows: number;
  readonly #west: number;
  readonly #south: number;
  /** Degrees of a cell, and its metres. */
  readonly #dx: number;
  readonly #dy: number;
  readonly #cell: number;
  /** Cells beside a road that count. */
  readonly #rings: number;

  /** @param box of what is driven, degrees. @param limit milliseconds. */
  constructor([west, south, east, north]: Box, limit: number) {
    const { side, x, y, width, height } = cellOf([west, south, east, north]);
    this.#limit = limit;
    this.#cell = side;
    this.#rings = Math.max(1, Math.round(BESIDE / this.#cell));
    this.#dx = this.#cell / x;
    this.#dy = this.#cell / y;
    const margin = this.#rings + 2;
    this.#columns = Math.ceil(width / this.#cell) + 2 * margin + 1;
    this.#rows = Math.ceil(height / this.#cell) + 2 * margin + 1;
    this.#west = west - margin * this.#dx;
    this.#south = south - margin * this.#dy;
    this.#values = new Float64Array(this.#columns * this.#rows).fill(Number.POSITIVE_INFINITY);
  }

  /** Decimetres between two places of a road that are marked: their corners touch. */
  get step(): number {
    return STEP * this.#cell * 10;
  }

  /** Marks the four corners around a place. */
  mark(x: number, y: number, time: number): void {
    const at = Math.floor(y) * this.#columns + Math.floor(x);
    const above = at + this.#columns;
    const values = this.#values;
    if (time < values[at]!) values[at] = time;
    if (time < values[at + 1]!) values[at + 1] = time;
    if (time < values[above]!) values[above] = time;
    if (time < values[above + 1]!) values[above + 1] = time;
  }

  markPlace(lng: number, lat: number, time: number): void {
    this.mark((lng - this.#west) / this.#dx, (lat - this.#south) / this.#dy, time);
  }

  /** Marks a piece of a road in steps of less than a cell. */
  markPiece(ax: number, ay: number, bx: number, by: number, from: number, to: number): void {
    const x = (ax / UNITS - this.#west) / this.#dx;
    const y = (ay / UNITS - this.#south) / this.#dy;
    const dx = (bx - ax) / UNITS / this.#dx;
    const dy = (by - ay) / UNITS / this.#dy;
    const steps = Math.max(1, Math.ceil(Math.sqrt(dx * dx + dy * dy) / STEP));
    for (let i = 0; i <= steps; i++) {
      const t = i / steps;
      this.mark(x + t * dx, y + t * dy, from + t * (to - from));
    }
  }

  /** Lets corners beside those of roads be reached from these, as far as that counts. Said once, when all is marked. */
  widen(): void {
    const [straight, across] = [(this.#cell * 1000) / OFF_ROAD, (this.#cell * 1000 * Math.SQRT2) / OFF_ROAD];
    const columns = this.#columns;
    for (let ring = 0; ring < this.#rings; ring++) {
      const before = this.#values.slice();
      for (let row = 1; row + 1 < this.#rows; row++)
        for (let at = row * columns + 1; at < (row + 1) * columns - 1; at++) {
          const next = Math.min(before[at - 1]!, before[at + 1]!, before[at - columns]!, before[at + columns]!);
          const corner = Math.min(
            before[at - columns - 1]!,
            before[at - columns + 1]!,
            before[at + columns - 1]!,
            before[at + columns + 1]!,
          );
          this.#values[at] = Math.min(before[at]!, next + straight, corner + across);
        }
    }
    // Where no road is near, so late that the line runs half a cell beside the last corner that has one.
    const beyond = this.#limit + straight;
    for (let at = 0; at < this.#values.length; at++) this.#values[at] = -Math.min(this.#values[at]!, beyond);
  }

  /** The area of all corners at or under a time. */
  area(limit: number): Rings {
    const [shape] = contours()
      .size([this.#columns, this.#rows])
      .thresholds([-limit - 0.5])(this.#values as never);
    const place = ([x, y]: number[]): [number, number] => [
      Math.round((this.#west + (x! - 0.5) * this.#dx) * 1e6) / 1e6,
      Math.round((this.#south + (y! - 0.5) * this.#dy) * 1e6) / 1e6,
    ];
    return (shape!.coordinates as number[][][][]).map(rings =>
      rings.map((ring, i) => {
        const placed = ring.map(place);
        return isCounterClockwise(placed) === (i === 0) ? placed : placed.reverse();
      }),
    );
  }
}

function isCounterClockwise(ring: readonly (readonly [number, number])[]): boolean {
  let twice = 0;
  for (let i = 0; i + 1 < ring.length; i++) twice += ring[i]![0] * ring[i + 1]![1] - ring[i + 1]![0] * ring[i]![1];
  return twice > 0;
}
