import type { ObjectStore } from '../../query/release/store/object-store.ts';
import { AT_ONCE, sideBySide } from '../../query/release/store/side-by-side.ts';
import { AwaitedTasks } from './awaited-tasks.ts';
import type { Machines } from './machines.ts';
import { type Task, type TaskOutput, workKey } from './task.ts';

/** How often the files of a task are asked for again where the store lost or spoilt them. */
const ROUNDS = 3;

/** Does things one after the other. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve();
  next<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** Whether a store has all files of a result. */
async function holds(store: ObjectStore, { files }: TaskOutput): Promise<boolean> {
  for (const { sha256, bytes } of files) if ((await store.size(workKey(sha256))) !== bytes) return false;
  return true;
}

/** Has tasks done by workers on other machines, and brings home what came of them. */
export class Errands {
  readonly #machines: Machines;
  readonly #signal: AbortSignal | undefined;
  readonly #awaited: AwaitedTasks;
  /** One after the other, because each uses as many connections as are good. */
  readonly #arrivals = new InTurn();

  constructor(machines: Machines, signal: AbortSignal | undefined) {
    this.#machines = machines;
    this.#signal = signal;
    this.#awaited = new AwaitedTasks(machines.board, signal);
  }

  /** Enqueues those tasks of which the ledger has no result, or of whose result the store lacks files. */
  async enqueue(tasks: readonly Task[]): Promise<void> {
    const { board, store } = this.#machines;
    const earlier = await board.outputs(tasks.map(({ key }) => key));
    const fresh: Task[] = [];
    await sideBySide(tasks, AT_ONCE, async task => {
      const output = earlier.get(task.key);
      if (!output || !(await holds(store, output))) fresh.push(task);
    });
    await board.forget(fresh.filter(({ key }) => earlier.has(key)).map(({ key }) => key));
    await board.enqueue(fresh);
  }

  /**
   * Waits for a task, and brings its result home.
   * @param bring takes it; where that fails the task is done again. @returns null, or why there is no result.
   * @throws the reason of the signal.
   */
  async brought(task: Task, bring: (output: TaskOutput) => Promise<void>): Promise<string | null> {
    const { board } = this.#machines;
    for (let round = 1; ; round++) {
      const end = await this.#awaited.end(task);
      if ('message' in end) return `${end.message} (${end.worker})`;
      try {
        await this.#arrivals.next(() => bring(end));
        return null;
      } catch (error) {
        this.#signal?.throwIfAborted();
        if (round === ROUNDS) return (error as Error).message;
        await board.forget([task.key]);
        await board.enqueue([task]);
      }
    }
  }
}
