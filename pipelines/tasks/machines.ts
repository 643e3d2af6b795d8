import type { ObjectStore } from '../../query/release/store/object-store.ts';
import type { TaskBoard } from './task-board.ts';

/** Other machines that do tasks of an ingest. */
export interface Machines {
  readonly board: TaskBoard;
  readonly store: ObjectStore;
  /** Blocks of a range of parcels, instead of RANGE_BLOCKS. */
  readonly rangeBlocks?: number;
}
