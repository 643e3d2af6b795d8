// A worker that computes where none may: in its main thread, for longer than the lease. Run as `busy-worker.ts QUEUE STORE`.
import { TaskBoard } from '../../../pipelines/tasks/task-board.ts';
import { workOnTasks } from '../../../pipelines/tasks/worker.ts';
import { openStore } from '../../../query/release/store/open-store.ts';

const BUSY_MS = 16_000;

const [, , queue, address] = process.argv as [string, string, string, string];
const told = (line: string) => console.error(line);
await workOnTasks({
  ...{ home: '', store: await openStore(address), threads: 1, memoryMb: 1, told },
  board: await TaskBoard.open(queue, told),
  steps: {
    busy: {
      atOnce: 1,
      async run() {
        for (const began = performance.now(); performance.now() - began < BUSY_MS; );
        return { files: [], rows: 1 };
      },
      drop() {},
      close: async () => {},
    },
  },
  signal: new AbortController().signal,
});
