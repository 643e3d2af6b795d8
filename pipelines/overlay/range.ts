import type { TaskFile } from '../tasks/task.ts';
import type { OverlayPlan } from './plan.ts';

/** Name of the step that computes a range of parcels. */
export const RANGE_STEP = 'overlay-range';

/** Blocks of a range: 131,072 parcels, some three minutes of one core. A worker that dies loses at most so much. */
export const RANGE_BLOCKS = 64;

/** What the ranges of one partition of parcels share; an object of the store. */
export interface RangePlan {
  /** Id of the release to compute for, and its manifest in the store. */
  readonly release: string;
  readonly manifestSha256: string;
  /** Key of the partition of parcels, and the SHA-256 of its features. */
  readonly parcels: string;
  readonly features: string;
  readonly overlays: readonly OverlayPlan[];
  /** Area key → tables whose coverage is stored with it. */
  readonly tables: readonly (readonly [string, readonly string[]])[];
  /** SHA-256 of the stored files that are read, in order. */
  readonly files: readonly string[];
}

/** Data of a task: some consecutive parcels. */
export interface RangeData {
  readonly plan: TaskFile;
  /** `ord` of the first parcel, and how many there are. */
  readonly first: number;
  readonly count: number;
  /** Parcels of a block; the last may have fewer. */
  readonly each: number;
}
