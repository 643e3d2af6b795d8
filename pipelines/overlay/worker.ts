import { workerData } from 'node:worker_threads';
import { type OverlaySetup, type OverlayTask, OverlayTasks } from './task.ts';

/** What each thread is started with. */
export interface WorkerSetup extends OverlaySetup {
  /** Not 0 once the work shall stop. */
  readonly flag: Int32Array;
}

// Piscina puts the options' workerData second in its own pair.
const setup = (Array.isArray(workerData) ? workerData[1] : workerData) as WorkerSetup;
const tasks = new OverlayTasks(setup);

/** Carries out one task. */
export default function work(task: OverlayTask) {
  return tasks.run(task, () => Atomics.load(setup.flag, 0) !== 0);
}
