import { orient2d } from 'robust-predicates';
import type { Box, Geometry } from '../../datasets/geometry.ts';
import { boxOf } from '../../datasets/geometry.ts';
import { APART, type Contact, meeting } from './edge-contact.ts';
import { atLeast, enlarged, spare } from './grid-memory.ts';
import { contains } from './point-in-polygon.ts';

/** What a grid can tell about a box without looking at an edge. */
export type Quick = 'outside' | 'inside' | 'unsure';

/** Rows and columns of a grid. The most whose cells 16 bits count; more take longer to make than they save. */
const [LEAST_SIZE, MOST_SIZE] = [16, 128];

/** Cells with edges, and edges in them, up to which a box is compared with each. */
const [MOST_CELLS, MOST_EDGES] = [64, 64];
/** Share of the terms of an orientation that it may be off by: three times Shewchuk's bound of 3.4e-16. */
const SURE = 1e-15;

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
  /** Number of the last question that looked at an edge, so that one in several cells counts once. */
  readonly #seen: Uint32Array;
  #stamp = 0;
  /** Cells with edges in the rectangle from the origin: (columns + 1) × (rows + 1). */
  readonly #sums: Uint16Array;

  /** @param geometry a valid polygon or multipolygon, lng,lat. */
  constructor(geometry: Geometry) {
    this.geometry = geometry;
    this.box = boxOf(geometry);
    const [minX, minY, maxX, maxY] = this.box;
    const vertices = geometry.xy.length / 2;
    this.#seen = new Uint32Array(vertices);
    const size = Math.max(LEAST_SIZE, Math.min(MOST_SIZE, Math.ceil(Math.sqrt(vertices))));
    this.#columns = size;
    this.#rows = size;
    this.#width = (maxX - minX) / size;
    this.#height = (maxY - minY) / size;
    // Pairs of cell and edge as they are met, then sorted by cell.
    const { cells, edges, length } = this.#edgeCells(vertices);
    const next = atLeast(spare.next, size * size + 1).fill(0, 0, size * size + 1);
    spare.next = next;
    for (let i = 0; i < length; i++) next[cells[i]! + 1]!++;
    for (let i = 1, sum = 0; i <= size * size; i++) next[i] = sum += next[i]!;
    const ends = next.slice(1, size * size + 1);
    const listed = new Uint32Array(length);
    for (let i = 0; i < length; i++) listed[next[cells[i]!]!++] = edges[i]!;
    const inside = new Uint8Array(size * size);
    const sums = new Uint16Array((size + 1) * (size + 1));
    const [width, height] = [this.#width, this.#height];
    for (let row = 0, cell = 0, end = 0; row < size; row++) {
      // Of the cell before, where that has no edges.
      let side = -1;
      let marked = 0;
      for (let column = 0, at = (row + 1) * (size + 1) + 1; column < size; column++, cell++, at++) {
        const start = end;
        end = ends[cell]!;
        if (end > start) {
          marked++;
          side = -1;
        } else {
          if (side < 0) side = contains(geometry, minX + (column + 0.5) * width, minY + (row + 0.5) * height) ? 1 : 0;
          inside[cell] = side;
        }
        sums[at] = sums[at - size - 1]! + marked;
      }
    }
    this.#ends = ends;
    this.#edges = listed;
    this.#inside = inside;
    this.#sums = sums;
  }

  /** First vertex of each edge listed, cell after cell, and where the list of each cell ends. */
  get lists(): { readonly edges: Uint32Array; readonly ends: Uint32Array } {
    return { edges: this.#edges, ends: this.#ends };
  }

  /** Where a box lies, its edges counted in; `unsure` when an edge of the area may touch it. */
  quick([minX, minY, maxX, maxY]: Box): Quick {
    return this.quickly(minX, minY, maxX, maxY);
  }

  /** As quick, without a box object. */
  quickly(minX: number, minY: number, maxX: number, maxY: number): Quick {
    const [x0, y0, x1, y1] = this.box;
    if (maxX < x0 || maxY < y0 || minX > x1 || minY > y1) return 'outside';
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
    if (marked > MOST_CELLS) return 'unsure';
    if (marked > 0 && this.#mayTouch(minX, minY, maxX, maxY, left, right, low, high)) return 'unsure';
    // No edge runs through it: what reaches beyond the area's box is outside, and any of its points speaks for the rest.
    if (minX < x0 || minY < y0 || maxX > x1 || maxY > y1) return 'outside';
    if (marked === 0) return this.#inside[low * this.#columns + left] ? 'inside' : 'outside';
    return this.holds((minX + maxX) / 2, (minY + maxY) / 2) ? 'inside' : 'outside';
  }

  /** Whether an edge in some cells may touch a box: true where that takes too long to tell. */
  #mayTouch(
    minX: number,
    minY: number,
    maxX: number,
    maxY: number,
    left: number,
    right: number,
    low: number,
    high: number,
  ): boolean {
    const area = this.geometry.xy;
    let most = MOST_EDGES;
    for (let row = low; row <= high; row++) {
      const first = row * this.#columns + left;
      const end = this.#ends[first + right - left]!;
      for (let i = first ? this.#ends[first - 1]! : 0; i < end; i++) {
        if (--most < 0) return true;
        const e = 2 * this.#edges[i]!;
        const ax = area[e]!;
        const ay = area[e + 1]!;
        const bx = area[e + 2]!;
        const by = area[e + 3]!;
        if ((ax < minX && bx < minX) || (ax > maxX && bx > maxX)) continue;
        if ((ay < minY && by < minY) || (ay > maxY && by > maxY)) continue;
        const dx = bx - ax;
        const dy = by - ay;
        const west = dy * (minX - ax);
        const east = dy * (maxX - ax);
        const south = dx * (minY - ay);
        const north = dx * (maxY - ay);
        // The box is on one side of the edge's line where all four corners surely are.
        const sure = SURE * (Math.max(Math.abs(west), Math.abs(east)) + Math.max(Math.abs(south), Math.abs(north)));
        const greatest = Math.max(north, south) - Math.min(west, east);
        const least = Math.min(north, south) - Math.max(west, east);
        if (!(least > sure || greatest < -sure)) return true;
      }
    }
    return false;
  }

  /** Whether a point lies in a cell without edges that is inside; false says nothing. */
  holdsSurely(x: number, y: number): boolean {
    const [x0, y0, x1, y1] = this.box;
    if (x < x0 || y < y0 || x > x1 || y > y1) return false;
    // Only cells without edges are ever marked inside.
    return this.#inside[this.#row(y) * this.#columns + this.#column(x)] === 1;
  }

  /**
   * The strongest way in which edges of some lines meet edges of the area.
   * @param xy,ends lines or rings as in a Geometry, lng,lat.
   * @param enough the contact from which on it need not be known more exactly.
   */
  contact(xy: Float64Array, ends: Uint32Array, enough: Contact): Contact {
    const [x0, y0, x1, y1] = this.box;
    const area = this.geometry.xy;
    const edges = this.#edges;
    let strongest: Contact = APART;
    let start = 0;
    for (const end of ends) {
      for (let v = start; v < end - 1; v++) {
        const ax = xy[2 * v]!;
        const ay = xy[2 * v + 1]!;
        const bx = xy[2 * v + 2]!;
        const by = xy[2 * v + 3]!;
        const minX = ax < bx ? ax : bx;
        const maxX = ax < bx ? bx : ax;
        const minY = ay < by ? ay : by;
        const maxY = ay < by ? by : ay;
        if (maxX < x0 || maxY < y0 || minX > x1 || minY > y1) continue;
        const left = this.#column(minX);
        const right = this.#column(maxX);
        const high = this.#row(maxY);
        for (let row = this.#row(minY); row <= high; row++)
          for (let cell = row * this.#columns + left; cell <= row * this.#columns + right; cell++)
            for (let i = cell ? this.#ends[cell - 1]! : 0; i < this.#ends[cell]!; i++) {
              const e = 2 * edges[i]!;
              const cx = area[e]!;
              const cy = area[e + 1]!;
              const dx = area[e + 2]!;
              const dy = area[e + 3]!;
              if ((cx < minX && dx < minX) || (cx > maxX && dx > maxX)) continue;
              if ((cy < minY && dy < minY) || (cy > maxY && dy > maxY)) continue;
              const contact = meeting(ax, ay, bx, by, cx, cy, dx, dy);
              if (contact > strongest) {
                if (contact >= enough) return contact;
                strongest = contact;
              }
            }
      }
      start = end;
    }
    return strongest;
  }

  /**
   * Whether the area holds a point; its boundary belongs to it. From the point east to the next cell without edges, of
   * which it is known whether it is inside: the edges between the two tell the rest, exactly.
   */
  holds(x: number, y: number): boolean {
    const [x0, y0, x1, y1] = this.box;
    if (x < x0 || y < y0 || x > x1 || y > y1) return false;
    const row = this.#row(y) * this.#columns;
    let column = this.#column(x);
    const first = column;
    while (column < this.#columns && this.#marked(row + column)) column++;
    if (column === first) return this.#inside[row + column] === 1;
    const end = column < this.#columns;
    // A point of that cell: rounding is monotonous, so its middle cannot be given another column.
    const targetX = end ? x0 + (column + 0.5) * this.#width : x1 + 1;
    let inside = end ? this.#inside[row + column] === 1 : false;
    const { xy } = this.geometry;
    const stamp = ++this.#stamp;
    for (let i = row + first ? this.#ends[row + first - 1]! : 0; i < this.#ends[row + column - 1]!; i++) {
      const v = this.#edges[i]!;
      if (this.#seen[v] === stamp) continue;
      this.#seen[v] = stamp;
      const ax = xy[2 * v]!;
      const ay = xy[2 * v + 1]!;
      const bx = xy[2 * v + 2]!;
      const by = xy[2 * v + 3]!;
      if (ay > y === by > y) {
        // Not crossed; but a level edge at y, or an upper end at y, may hold the point.
        if (ay === y && by === y && x >= Math.min(ax, bx) && x <= Math.max(ax, bx)) return true;
        if ((ax === x && ay === y) || (bx === x && by === y)) return true;
        continue;
      }
      if (ax < x && bx < x) continue;
      const turn = ax > x && bx > x ? Math.sign(by - ay) : -Math.sign(orient2d(ax, ay, bx, by, x, y));
      if (turn === 0) return true;
      const beyond =
        ax < targetX && bx < targetX ? -Math.sign(by - ay) : -Math.sign(orient2d(ax, ay, bx, by, targetX, y));
      if (turn !== beyond) inside = !inside;
    }
    return inside;
  }

  #marked(cell: number): boolean {
    return this.#ends[cell]! > (cell ? this.#ends[cell - 1]! : 0);
  }

  /** Rounding is monotonous: of two coordinates the larger never gets the smaller cell, so edge and box meet in one. */
  #column(x: number): number {
    return clamp(Math.floor((x - this.box[0]) / this.#width), this.#columns);
  }

  #row(y: number): number {
    return clamp(Math.floor((y - this.box[1]) / this.#height), this.#rows);
  }

  /**
   * Cells of each edge: all those of its box where that spans few, since rounding is monotonous; of a long one in every
   * row those its part of the row spans, one more on both sides for rounding.
   * @returns pairs of cell and first vertex of the edge, in the order of edges.
   */
  #edgeCells(vertices: number): { readonly cells: Uint32Array; readonly edges: Uint32Array; readonly length: number } {
    const { xy, ends } = this.geometry;
    const y0 = this.box[1];
    const columns = this.#columns;
    let cells = atLeast(spare.cells, vertices * 2 + 4 * columns);
    let edges = atLeast(spare.edges, cells.length);
    let length = 0;
    let start = 0;
    for (const end of ends) {
      // Each vertex ends one edge and begins the next.
      let column = this.#column(xy[2 * start]!);
      let row = this.#row(xy[2 * start + 1]!);
      for (let v = start; v < end - 1; v++) {
        const [fromColumn, fromRow] = [column, row];
        column = this.#column(xy[2 * v + 2]!);
        row = this.#row(xy[2 * v + 3]!);
        const left = fromColumn < column ? fromColumn : column;
        const right = fromColumn < column ? column : fromColumn;
        const low = fromRow < row ? fromRow : row;
        const high = fromRow < row ? row : fromRow;
        const most = length + (right - left + 1) * (high - low + 1);
        if (most > cells.length) {
          cells = enlarged(cells, most);
          edges = enlarged(edges, cells.length);
        }
        if (high === low || right <= left + 2) {
          for (let r = low; r <= high; r++)
            for (let c = left; c <= right; c++) {
              cells[length] = r * columns + c;
              edges[length++] = v;
            }
          continue;
        }
        const up = xy[2 * v + 1]! <= xy[2 * v + 3]!;
        const [a, b] = up ? [2 * v, 2 * v + 2] : [2 * v + 2, 2 * v];
        const [ax, ay, bx, by] = [xy[a]!, xy[a + 1]!, xy[b]!, xy[b + 1]!];
        const slope = (bx - ax) / (by - ay);
        for (let r = low; r <= high; r++) {
          const p = ax + (Math.max(ay, y0 + (r - 0.1) * this.#height) - ay) * slope;
          const q = ax + (Math.min(by, y0 + (r + 1.1) * this.#height) - ay) * slope;
          const first = Math.max(left, this.#column(Math.min(p, q)) - 1);
          const last = Math.min(right, this.#column(Math.max(p, q)) + 1);
          for (let c = first; c <= last; c++) {
            cells[length] = r * columns + c;
            edges[length++] = v;
          }
        }
      }
      start = end;
    }
    spare.cells = cells;
    spare.edges = edges;
    return { cells, edges, length };
  }
}

const clamp = (cell: number, count: number) => (cell > 0 ? Math.min(cell, count - 1) : 0);
