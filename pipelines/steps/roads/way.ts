import type { Value } from '../../../datasets/dataset.ts';

/** What a row says about its line, as far as cars are concerned. */
export interface Way {
  /** Kilometres an hour along the line and against it, 0 where that way is closed. */
  readonly forward: number;
  readonly backward: number;
  /** Of a ferry: hours that it takes from end to end, null where `forward` is its speed; undefined for roads. */
  readonly ferryHours?: number | null;
}

/** A turn at the point of its row that is forbidden, or all others are. */
interface Turn {
  readonly from: string;
  readonly to: string;
  readonly only: boolean;
}

export type RoadRow = Readonly<Record<string, Value>>;

/** How the rows of one source are understood. */
export interface RoadModel {
  /** Name of a road, by which turns name it; null where there are none. */
  id(row: RoadRow): string | null;
  /** Null for what cars do not drive on. */
  way(row: RoadRow): Way | null;
  /** Null where it binds no car. */
  turn(row: RoadRow): Turn | null;
}
