import { workerData } from 'node:worker_threads';
import { type OverlaySetup, type OverlayTask, OverlayTasks } from './task.ts';

/** The data with which each thread starts. */
export interface WorkerSetup extends OverlaySetup {
  /** Its first element is not 0 when the work must stop. */
  readonly flag: Int32Array;
}

// Piscina passes a pair as workerData; the second element is the workerData of our options.
const setup = (Array.isArray(workerData) ? workerData[1] : workerData) as WorkerSetup;
const tasks = new OverlayTasks(setup);

/** Carries out one task. */
export default function work(task: OverlayTask) {
  return tasks.run(task, () => Atomics.load(setup.flag, 0) !== 0);
}
