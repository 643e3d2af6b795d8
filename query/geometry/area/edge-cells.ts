/** Edges whose median is where a cell is cut. */
const SAMPLE = 31;

/** Edges as they are swept: south and north end (x, y, x, y), and whose each is. The memory is that of the last large sweep. */
class EdgeStack {
  ends = new Float64Array(0);
  owners = new Int32Array(0);
  count = 0;

  /** Makes room for so many more: pushes need it. */
  reserve(more: number): void {
    if (this.count + more <= this.owners.length) return;
    const size = Math.max(1024, 2 * (this.count + more));
    const ends = new Float64Array(4 * size);
    ends.set(this.ends);
    const owners = new Int32Array(size);
    owners.set(this.owners);
    this.ends = ends;
    this.owners = owners;
  }

  /** Whether any of the edges from `first` on is of the ground that is measured; without one nothing of it is in the cell. */
  hasGround(first: number): boolean {
    const { owners, count } = this;
    for (let i = first; i < count; i++) if (owners[i] === 0) return true;
    return false;
  }

  push(x1: number, y1: number, x2: number, y2: number, owner: number): void {
    const at = 4 * this.count;
    this.ends[at] = x1;
    this.ends[at + 1] = y1;
    this.ends[at + 2] = x2;
    this.ends[at + 3] = y2;
    this.owners[this.count++] = owner;
  }
}

/** The edges of the cells that wait to be swept: one sweep goes on at a time. */
export const stack = new EdgeStack();

/**
 * A run of boundary that was moved sideways onto a border of a cell, where only the parity of its ends counts: what comes back
 * over the same latitudes cancels out, so that of a long boundary a few edges are left.
 */
class BorderRun {
  readonly #x: number;
  #owner = -1;
  #from = 0;
  #to = 0;

  constructor(x: number) {
    this.#x = x;
  }

  /** Adds a piece of boundary. @param south below @param north. */
  add(south: number, north: number, owner: number): void {
    if (owner === this.#owner) {
      // Pieces follow each other along the ring, so that most begin where the last one ended.
      if (south === this.#from) this.#set(Math.min(north, this.#to), Math.max(north, this.#to));
      else if (south === this.#to) this.#to = north;
      else if (north === this.#from) this.#from = south;
      else if (north === this.#to) this.#set(Math.min(south, this.#from), Math.max(south, this.#from));
      else {
        this.#push();
        this.#set(south, north);
      }
      return;
    }
    this.end();
    this.#owner = owner;
    this.#set(south, north);
  }

  #set(from: number, to: number): void {
    this.#from = from;
    this.#to = to;
  }

  #push(): void {
    if (this.#owner >= 0 && this.#from < this.#to) stack.push(this.#x, this.#from, this.#x, this.#to, this.#owner);
  }

  /** Pushes what is left of the run. */
  end(): void {
    this.#push();
    this.#owner = -1;
  }
}

/** Width and height of the box of edges. */
export function extentOf(first: number, last: number): readonly [number, number] {
  const { ends } = stack;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 4 * first; at < 4 * last; at += 4) {
    const x1 = ends[at]!;
    const x2 = ends[at + 2]!;
    if (x1 < west) west = x1;
    if (x2 < west) west = x2;
    if (x1 > east) east = x1;
    if (x2 > east) east = x2;
    if (ends[at + 1]! < south) south = ends[at + 1]!;
    if (ends[at + 3]! > north) north = ends[at + 3]!;
  }
  return [east - west, north - south];
}

/** About the median of the middles of edges. */
export function medianOf(first: number, last: number, side: 'x' | 'y'): number {
  const { ends } = stack;
  const middles = new Float64Array(SAMPLE);
  for (let i = 0; i < SAMPLE; i++) {
    const at = 4 * (first + Math.floor(((i + 0.5) / SAMPLE) * (last - first))) + (side === 'x' ? 0 : 1);
    middles[i] = (ends[at]! + ends[at + 2]!) / 2;
  }
  return middles.sort()[SAMPLE >> 1]!;
}

/** Pushes what lies south of a latitude, or north of it. */
export function halfAcross(first: number, last: number, y: number, isSouth: boolean): void {
  stack.reserve(last - first);
  const { ends, owners } = stack;
  for (let i = first; i < last; i++) {
    const at = 4 * i;
    const y1 = ends[at + 1]!;
    const y2 = ends[at + 3]!;
    if (isSouth ? y1 >= y : y2 <= y) continue;
    const x1 = ends[at]!;
    const x2 = ends[at + 2]!;
    if (isSouth ? y2 <= y : y1 >= y) {
      stack.push(x1, y1, x2, y2, owners[i]!);
      continue;
    }
    const x = x1 + ((y - y1) / (y2 - y1)) * (x2 - x1);
    if (isSouth) stack.push(x1, y1, x, y, owners[i]!);
    else stack.push(x, y, x2, y2, owners[i]!);
  }
}

/**
 * Pushes what lies west of a longitude, with the ground that is measured closed there, or what lies east of it, with all that lies
 * west of it moved there.
 */
export function halfAlong(first: number, last: number, x: number, isWest: boolean): void {
  stack.reserve(2 * (last - first) + 1);
  const { ends, owners } = stack;
  const border = new BorderRun(x);
  for (let i = first; i < last; i++) {
    const at = 4 * i;
    const owner = owners[i]!;
    const x1 = ends[at]!;
    const y1 = ends[at + 1]!;
    const x2 = ends[at + 2]!;
    const y2 = ends[at + 3]!;
    const isMovedTo = !isWest || owner === 0;
    if (isWest ? x1 >= x && x2 >= x : x1 <= x && x2 <= x) {
      if (isMovedTo) border.add(y1, y2, owner);
      continue;
    }
    if (isWest ? x1 <= x && x2 <= x : x1 >= x && x2 >= x) {
      stack.push(x1, y1, x2, y2, owner);
      continue;
    }
    const y = Math.min(y2, Math.max(y1, y1 + ((x - x1) / (x2 - x1)) * (y2 - y1)));
    // The south end of the edge is on the side that is kept, or the north end is.
    if (isWest ? x1 < x : x1 > x) {
      if (y1 < y) stack.push(x1, y1, x, y, owner);
      if (y < y2 && isMovedTo) border.add(y, y2, owner);
    } else {
      if (y < y2) stack.push(x, y, x2, y2, owner);
      if (y1 < y && isMovedTo) border.add(y1, y, owner);
    }
  }
  border.end();
}
