import { Growing, growingInts } from './growing.ts';

/** Units of a stored coordinate in a degree: OpenStreetMap's own, a centimetre. */
export const UNITS = 1e7;

/** What a road forbids behind its end: see RoadLines.forbid. */
interface TurnRule {
  /** Places of roads as `add` returned them. */
  readonly from: number;
  readonly to: number;
  /** Of the junction between them, in UNITS. */
  readonly lng: number;
  readonly lat: number;
  /** False: `to` is forbidden; true: all but `to` is. */
  readonly only: boolean;
}

/** Roads as they are read, in flat arrays: 8 bytes a vertex and 20 a road. */
export class RoadLines {
  /** lng, lat of every vertex in UNITS. */
  readonly xy = growingInts();
  /** First vertex of each road. */
  readonly #first = growingInts();
  /** Kilometres an hour along the line and against it, 0 where that way is closed. */
  readonly forward = new Growing(length => new Float64Array(length));
  readonly backward = new Growing(length => new Float64Array(length));
  readonly ferries = new Set<number>();
  readonly rules: TurnRule[] = [];

  /** Number of roads. */
  get count(): number {
    return this.#first.length;
  }

  /** @returns the road's first vertex; that of `count` is the end of the last. */
  first(road: number): number {
    return road < this.count ? this.#first.array[road]! : this.xy.length / 2;
  }

  /**
   * @param xy lng, lat in degrees, one vertex after the other.
   * @param forward kilometres an hour in the direction of the line, 0 where that is not allowed; `backward` against it.
   * @returns the road's number.
   */
  add(xy: ArrayLike<number>, forward: number, backward: number, ferry = false): number {
    const road = this.count;
    this.#first.push(this.xy.length / 2);
    for (let i = 0; i < xy.length; i++) this.xy.push(Math.round(xy[i]! * UNITS));
    this.forward.push(forward);
    this.backward.push(backward);
    if (ferry) this.ferries.add(road);
    return road;
  }

  /** Forbids a turn, or all but one. */
  forbid(rule: TurnRule): void {
    this.rules.push(rule);
  }
}
