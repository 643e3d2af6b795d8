import { elementAt } from './area-element.ts';
import { EdgeSweep } from './edge-sweep.ts';

/** Square metres of a mask, told apart. */
export interface Ground {
  /** Of each class. */
  readonly areas: Float64Array;
  /** Covered by no class. */
  readonly none: number;
  /** Beyond the bounds. */
  readonly outside: number;
}

/**
 * Tells ground apart by the polygons that cover it. A polygon is inside where a ray has met an odd number of its edges;
 * of several the lowest class counts. Owner 0 is the mask, owner `i + 1` the polygon of `classes[i]`.
 */
export class GroundSweep extends EdgeSweep implements Ground {
  readonly areas: Float64Array;
  none = 0;
  outside = 0;
  readonly #classes: readonly number[];
  readonly #lat: number;
  readonly #inside: Uint8Array;
  /** Polygons of each group of bounds that hold the place. */
  readonly #bounds: Int32Array;
  /** Classes of the polygons that hold it. */
  readonly #open: number[] = [];

  constructor(ends: Float64Array, owners: Int32Array, classes: readonly number[], groups: number, lat: number) {
    super(ends, owners);
    this.#classes = classes;
    this.#lat = lat;
    this.#inside = new Uint8Array(classes.length + 1);
    this.areas = new Float64Array(classes.reduce((most, one) => Math.max(most, one), -1) + 1);
    this.#bounds = new Int32Array(groups);
  }

  protected override measure(
    south: number,
    north: number,
    active: readonly number[],
    at: readonly number[],
    to: readonly number[],
  ): void {
    // Simpson's rule: lengths are linear and the area element smooth.
    const atMid = 2 * elementAt(this.#lat + (south + north) / 2);
    const ofSouth = ((north - south) / 6) * (elementAt(this.#lat + south) + atMid);
    const ofNorth = ((north - south) / 6) * (atMid + elementAt(this.#lat + north));
    const inside = this.#inside;
    const bounds = this.#bounds.fill(0);
    const open = this.#open;
    open.length = 0;
    for (let i = 0; i < active.length; i++) {
      if (inside[0]) {
        const area = ofSouth * (at[i]! - at[i - 1]!) + ofNorth * (to[i]! - to[i - 1]!);
        if (area !== 0) {
          if (bounds.includes(0)) this.outside += area;
          else if (open.length) this.areas[leastOf(open)]! += area;
          else this.none += area;
        }
      }
      const owner = this.owners[active[i]!]!;
      inside[owner]! ^= 1;
      if (owner === 0) continue;
      const one = this.#classes[owner - 1]!;
      if (one < 0) bounds[-1 - one]! += inside[owner] ? 1 : -1;
      else if (inside[owner]) open.push(one);
      else {
        open[open.indexOf(one)] = open.at(-1)!;
        open.length--;
      }
    }
    for (const edge of active) inside[this.owners[edge]!] = 0;
  }
}

function leastOf(classes: readonly number[]): number {
  let least = classes[0]!;
  for (let i = 1; i < classes.length; i++) if (classes[i]! < least) least = classes[i]!;
  return least;
}
