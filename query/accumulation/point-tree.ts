import { distance, ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS, LEAST_RADIUS } from '../geometry/geodesic.ts';

const DEGREE = Math.PI / 180;
/** Points of a leaf at most. */
const LEAF = 8;
/** Metres by which chords may be off by rounding. */
const SLACK = 1e-6;

/** Sum and number of the points within a circle. */
interface CircleSum {
  readonly sum: number;
  readonly points: number;
}

/** Earth-centered coordinates of a point on the ellipsoid (NGA.STND.0036, 4.2), metres. */
function centered(lng: number, lat: number): readonly [number, number, number] {
  const [phi, lambda] = [lat * DEGREE, lng * DEGREE];
  const n = EQUATORIAL_RADIUS / Math.sqrt(1 - ECCENTRICITY_SQUARED * Math.sin(phi) ** 2);
  const east = n * Math.cos(phi);
  return [east * Math.cos(lambda), east * Math.sin(lambda), n * (1 - ECCENTRICITY_SQUARED) * Math.sin(phi)];
}

/**
 * Points with values in a tree by their chords: straight lines through the earth, which are cheap, decide nearly everything. A chord is
 * no longer than the geodesic, and no shorter than that of a circle of the least radius of curvature (Schur's theorem), so that only
 * points between the two are measured.
 */
export class PointTree {
  readonly #lngLat: Float64Array;
  readonly #values: Float64Array;
  readonly #xyz: Float64Array;
  readonly #order: Uint32Array;
  /** Of each node: where its points begin and end in the order, and its second child; its first one follows it. 0: it is a leaf. */
  readonly #nodes: Uint32Array;
  /** Of each node: minX, minY, minZ, maxX, maxY, maxZ. */
  readonly #boxes: Float64Array;
  readonly #sums: Float64Array;
  #count = 0;
  /** Nodes that are still to be looked at. */
  readonly #open = new Uint32Array(64);

  /** @param lngLat degrees, pairs. @param values of the points; what is no number adds nothing and is not counted. */
  constructor(lngLat: Float64Array, values: Float64Array) {
    this.#lngLat = lngLat;
    this.#values = values;
    this.#xyz = new Float64Array((lngLat.length / 2) * 3);
    for (let i = 0; i < lngLat.length / 2; i++) this.#xyz.set(centered(lngLat[2 * i]!, lngLat[2 * i + 1]!), 3 * i);
    const counting: number[] = [];
    for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) counting.push(i);
    this.#order = Uint32Array.from(counting);
    // Halves of more than LEAF points are larger than LEAF / 2.
    const most = Math.max(1, Math.ceil((4 * counting.length) / LEAF));
    this.#nodes = new Uint32Array(3 * most);
    this.#boxes = new Float64Array(6 * most);
    this.#sums = new Float64Array(most);
    if (counting.length > 0) this.#build(0, counting.length);
  }

  #build(first: number, last: number): void {
    const node = this.#count++;
    const order = this.#order.subarray(first, last);
    const box = this.#boxes.subarray(6 * node, 6 * node + 6);
    box.set([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    let sum = 0;
    for (const point of order) {
      sum += this.#values[point]!;
      for (let axis = 0; axis < 3; axis++) {
        const value = this.#xyz[3 * point + axis]!;
        box[axis] = Math.min(box[axis]!, value);
        box[axis + 3] = Math.max(box[axis + 3]!, value);
      }
    }
    this.#sums[node] = sum;
    this.#nodes[3 * node] = first;
    this.#nodes[3 * node + 1] = last;
    const spans = [0, 1, 2].map(axis => box[axis + 3]! - box[axis]!);
    const axis = spans.indexOf(Math.max(...spans));
    // All in one place are one leaf, however many there are.
    if (last - first <= LEAF || spans[axis] === 0) return;
    order.sort((a, b) => this.#xyz[3 * a + axis]! - this.#xyz[3 * b + axis]! || a - b);
    const half = (first + last) >>> 1;
    this.#build(first, half);
    this.#nodes[3 * node + 2] = this.#count;
    this.#build(half, last);
  }

  /** The sum within so many geodesic metres of a point, its own value in it. @param point its number. */
  within(point: number, metres: number): CircleSum {
    const sure = 2 * LEAST_RADIUS * Math.sin(Math.min(Math.PI / 2, metres / (2 * LEAST_RADIUS))) - SLACK;
    const near = sure > 0 ? sure * sure : -1;
    const far = (metres + SLACK) ** 2;
    const boxes = this.#boxes;
    const nodes = this.#nodes;
    const open = this.#open;
    const x = this.#xyz[3 * point]!;
    const y = this.#xyz[3 * point + 1]!;
    const z = this.#xyz[3 * point + 2]!;
    let sum = 0;
    let points = 0;
    let left = this.#count > 0 ? 1 : 0;
    open[0] = 0;
    while (left > 0) {
      const node = open[--left]!;
      const at = 6 * node;
      const west = boxes[at]! - x;
      const east = boxes[at + 3]! - x;
      const south = boxes[at + 1]! - y;
      const north = boxes[at + 4]! - y;
      const down = boxes[at + 2]! - z;
      const up = boxes[at + 5]! - z;
      const gapX = west > 0 ? west : east < 0 ? east : 0;
      const gapY = south > 0 ? south : north < 0 ? north : 0;
      const gapZ = down > 0 ? down : up < 0 ? up : 0;
      if (gapX * gapX + gapY * gapY + gapZ * gapZ > far) continue;
      const farX = -west > east ? west : east;
      const farY = -south > north ? south : north;
      const farZ = -down > up ? down : up;
      const first = nodes[3 * node]!;
      const last = nodes[3 * node + 1]!;
      const second = nodes[3 * node + 2]!;
      if (farX * farX + farY * farY + farZ * farZ <= near) {
        sum += this.#sums[node]!;
        points += last - first;
      } else if (second > 0) {
        open[left++] = second;
        open[left++] = node + 1;
      } else
        for (let i = first; i < last; i++) {
          const other = this.#order[i]!;
          if (!this.#isWithin(point, other, metres, near, far)) continue;
          sum += this.#values[other]!;
          points++;
        }
    }
    return { sum, points };
  }

  #isWithin(point: number, other: number, metres: number, near: number, far: number): boolean {
    const dx = this.#xyz[3 * other]! - this.#xyz[3 * point]!;
    const dy = this.#xyz[3 * other + 1]! - this.#xyz[3 * point + 1]!;
    const dz = this.#xyz[3 * other + 2]! - this.#xyz[3 * point + 2]!;
    const chord = dx * dx + dy * dy + dz * dz;
    if (chord > far) return false;
    if (chord <= near) return true;
    const [lng, lat] = [this.#lngLat[2 * point]!, this.#lngLat[2 * point + 1]!];
    return distance(lng, lat, this.#lngLat[2 * other]!, this.#lngLat[2 * other + 1]!) <= metres;
  }
}
