import { workerData } from 'node:worker_threads';
import { yieldToServingThread } from '../../query/engine/queue/thread-priority.ts';
import type { NameFacts } from '../formats/row-table.ts';
import { takeIn } from './intake/intake.ts';
import { polygonPoints } from './polygon-points.ts';
import type { ExportTask } from './threads.ts';
import { writeExport } from './writers/write-export.ts';

// Piscina puts the options' workerData second in its own pair.
const facts = (Array.isArray(workerData) ? workerData[1] : workerData) as NameFacts;
yieldToServingThread();

/** Reads an upload, finds points of polygons or writes the files of an export; without a task it only says that it has loaded. */
export default function work(task: ExportTask | null): unknown {
  switch (task?.kind) {
    case 'intake':
      return takeIn(task.form, task.bytes);
    case 'points':
      return polygonPoints(task.polygons);
    case 'write':
      return writeExport(task.writing, facts);
    default:
      return null;
  }
}
