import type { Box, Geometry } from '../../datasets/geometry.ts';
import { boxOf } from '../../datasets/geometry.ts';
import { contains } from '../polygon.ts';

/** What a grid says of a box without looking at an edge. */
export type Quick = 'outside' | 'inside' | 'unsure';

/**
 * An area's edges binned on a grid over its box. A cell without edges lies wholly inside or outside, so that boxes
 * in such cells are judged without reading the geometry in them; the other cells list their edges.
 */
export class AreaGrid {
  readonly box: Box;
  readonly geometry: Geometry;
  readonly #columns: number;
  readonly #rows: number;
  readonly #width: number;
  readonly #height: number;
  /** First vertex of each edge listed, cell after cell. */
  readonly #edges: Uint32Array;
  /** End (exclusive) of each cell's list. */
  readonly #ends: Uint32Array;
  /** Whether a cell without edges is inside. */
  readonly #inside: Uint8Array;
  /** Cells with edges in the rectangle from the origin: (columns + 1) × (rows + 1). */
  readonly #sums: Uint32Array;

  /** @param geometry a valid polygon or multipolygon, lng,lat. */
  constructor(geometry: Geometry) {
    this.geometry = geometry;
    this.box = boxOf(geometry);
    const [minX, minY, maxX, maxY] = this.box;
    const vertices = geometry.xy.length / 2;
    const size = Math.max(8, Math.min(192, Math.ceil(Math.sqrt(vertices) * 2)));
    this.#columns = size;
    this.#rows = size;
    this.#width = (maxX - minX) / size;
    this.#height = (maxY - minY) / size;
    const counts = new Uint32Array(size * size + 1);
    this.#eachEdgeCell(cell => {
      counts[cell + 1]!++;
    });
    for (let i = 1; i < counts.length; i++) counts[i]! += counts[i - 1]!;
    this.#ends = counts.slice(1);
    this.#edges = new Uint32Array(counts.at(-1)!);
    const next = counts.slice(0, -1);
    this.#eachEdgeCell((cell, vertex) => {
      this.#edges[next[cell]!++] = vertex;
    });
    this.#inside = new Uint8Array(size * size);
    this.#sums = new Uint32Array((size + 1) * (size + 1));
    for (let row = 0; row < size; row++) {
      let known: number | null = null;
      for (let column = 0; column < size; column++) {
        const cell = row * size + column;
        const marked = this.#ends[cell]! > (cell ? this.#ends[cell - 1]! : 0);
        const at = (row + 1) * (size + 1) + column + 1;
        this.#sums[at] =
          this.#sums[at - 1]! + this.#sums[at - size - 1]! - this.#sums[at - size - 2]! + (marked ? 1 : 0);
        if (marked) known = null;
        else {
          known ??= contains(geometry, minX + (column + 0.5) * this.#width, minY + (row + 0.5) * this.#height) ? 1 : 0;
          this.#inside[cell] = known;
        }
      }
    }
  }

  /** Memory of the grid. */
  get bytes(): number {
    return this.#edges.byteLength + this.#ends.byteLength + this.#inside.byteLength + this.#sums.byteLength;
  }

  /** Where a box lies, its edges counted in; `unsure` when an edge of the area may touch it. */
  quick([minX, minY, maxX, maxY]: Box): Quick {
    return this.quickly(minX, minY, maxX, maxY);
  }

  /** As quick, without a box object. */
  quickly(minX: number, minY: number, maxX: number, maxY: number): Quick {
    const [x0, y0, x1, y1] = this.box;
    if (maxX < x0 || maxY < y0 || minX > x1 || minY > y1) return 'outside';
    if (minX < x0 || minY < y0 || maxX > x1 || maxY > y1) return 'unsure';
    const left = this.#column(minX);
    const right = this.#column(maxX);
    const low = this.#row(minY);
    const high = this.#row(maxY);
    const stride = this.#columns + 1;
    const marked =
      this.#sums[(high + 1) * stride + right + 1]! -
      this.#sums[low * stride + right + 1]! -
      this.#sums[(high + 1) * stride + left]! +
      this.#sums[low * stride + left]!;
    if (marked > 0) return 'unsure';
    return this.#inside[low * this.#columns + left] ? 'inside' : 'outside';
  }

  /** Whether a point lies in a cell without edges that is inside; false says nothing. */
  holdsSurely(x: number, y: number): boolean {
    const [x0, y0, x1, y1] = this.box;
    if (x < x0 || y < y0 || x > x1 || y > y1) return false;
    // Only cells without edges are ever marked inside.
    return this.#inside[this.#row(y) * this.#columns + this.#column(x)] === 1;
  }

  /**
   * Visits the edges whose cells meet a box, by their first vertex; one edge may come several times.
   * @param visit returning true ends the visit.
   * @returns whether a visit ended it.
   */
  edgesNear(minX: number, minY: number, maxX: number, maxY: number, visit: (vertex: number) => boolean): boolean {
    const [x0, y0, x1, y1] = this.box;
    if (maxX < x0 || maxY < y0 || minX > x1 || minY > y1) return false;
    const [left, right] = [this.#column(minX), this.#column(maxX)];
    for (let row = this.#row(minY), high = this.#row(maxY); row <= high; row++)
      for (let cell = row * this.#columns + left; cell <= row * this.#columns + right; cell++)
        for (let i = cell ? this.#ends[cell - 1]! : 0; i < this.#ends[cell]!; i++)
          if (visit(this.#edges[i]!)) return true;
    return false;
  }

  /** Rounding is monotonous: of two coordinates the larger never gets the smaller cell, so edge and box meet in one. */
  #column(x: number): number {
    return clamp(Math.floor((x - this.box[0]) / this.#width), this.#columns);
  }

  #row(y: number): number {
    return clamp(Math.floor((y - this.box[1]) / this.#height), this.#rows);
  }

  /** Cells of each edge: in every row those its part of the row spans, one more on both sides for rounding. */
  #eachEdgeCell(visit: (cell: number, vertex: number) => void): void {
    const { xy, ends } = this.geometry;
    let start = 0;
    for (const end of ends) {
      for (let v = start; v < end - 1; v++) {
        let [ax, ay, bx, by] = [xy[2 * v]!, xy[2 * v + 1]!, xy[2 * v + 2]!, xy[2 * v + 3]!];
        if (ay > by) [ax, ay, bx, by] = [bx, by, ax, ay];
        const [low, high] = [this.#row(ay), this.#row(by)];
        const edgeLeft = this.#column(Math.min(ax, bx));
        const edgeRight = this.#column(Math.max(ax, bx));
        for (let row = Math.max(0, low - 1); row <= Math.min(this.#rows - 1, high + 1); row++) {
          let left = edgeLeft;
          let right = edgeRight;
          if (high > low && right > left + 2) {
            const slope = (bx - ax) / (by - ay);
            const from = Math.max(ay, this.box[1] + (row - 1) * this.#height);
            const to = Math.min(by, this.box[1] + (row + 2) * this.#height);
            const [p, q] = [ax + (from - ay) * slope, ax + (to - ay) * slope];
            left = Math.max(left, this.#column(Math.min(p, q)) - 1);
            right = Math.min(right, this.#column(Math.max(p, q)) + 1);
          }
          for (let column = Math.max(0, left - 1); column <= Math.min(this.#columns - 1, right + 1); column++)
            visit(row * this.#columns + column, v);
        }
      }
      start = end;
    }
  }
}

const clamp = (cell: number, count: number) => (cell > 0 ? Math.min(cell, count - 1) : 0);
