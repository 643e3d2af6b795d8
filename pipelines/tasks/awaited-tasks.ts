import { setTimeout as pause } from 'node:timers/promises';
import type { Task, TaskOutput } from './task.ts';
import type { Failure, TaskBoard } from './task-board.ts';

/** Milliseconds between two looks at the ledger. */
const LOOK_MS = 500;
/** Milliseconds without any worker at work until it is told. */
const IDLE_MS = 30_000;
/** Failures that a message names. */
const NAMED = 10;

/** Tasks that were given up. */
export class TasksFailed extends Error {
  override readonly name = 'TasksFailed';
  readonly failures: readonly string[];

  /** @param failures a line each. @param tasks how many there were. */
  constructor(failures: readonly string[], tasks: number) {
    const more = failures.length > NAMED ? `\n  and ${failures.length - NAMED} more` : '';
    super(
      `${failures.length} of ${tasks} tasks failed three times; the others are kept for the next try:\n  ` +
        failures.slice(0, NAMED).join('\n  ') +
        more,
    );
    this.failures = failures;
  }
}

interface Waiting {
  readonly resolve: (end: TaskOutput | Failure) => void;
  readonly reject: (error: unknown) => void;
}

/** Waits for the results of tasks that workers do, all by one look at the ledger. */
export class AwaitedTasks {
  readonly #board: TaskBoard;
  readonly #signal: AbortSignal | undefined;
  /** Whoever waits for a key: a task may be of several jobs. */
  readonly #waiting = new Map<string, Waiting[]>();
  #isLooking = false;
  /** When work was seen last, of `performance.now()`. */
  #seenAt = 0;

  constructor(board: TaskBoard, signal: AbortSignal | undefined) {
    this.#board = board;
    this.#signal = signal;
  }

  /** Resolves when a task is in the ledger or was given up. @throws the reason of the signal. */
  end({ key }: Task): Promise<TaskOutput | Failure> {
    const end = new Promise<TaskOutput | Failure>((resolve, reject) =>
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), { resolve, reject }]),
    );
    if (!this.#isLooking) void this.#look();
    return end;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    this.#seenAt = performance.now();
    while (this.#waiting.size) {
      try {
        this.#signal?.throwIfAborted();
      } catch (reason) {
        for (const { reject } of [...this.#waiting.values()].flat()) reject(reason);
        this.#waiting.clear();
        break;
      }
      // A database that is away may come back; whoever does not want to wait for it stops the ingest.
      await this.#once().catch(() => {});
      await pause(LOOK_MS);
    }
    this.#isLooking = false;
  }

  async #once(): Promise<void> {
    const keys = [...this.#waiting.keys()];
    const outputs = await this.#board.outputs(keys);
    const failures = new Map((await this.#board.failures(keys)).map(failure => [failure.key, failure]));
    if (outputs.size || (await this.#board.isAtWork())) this.#seenAt = performance.now();
    if (performance.now() - this.#seenAt > IDLE_MS) {
      this.#board.told(`${keys.length} tasks wait for a worker; it must have this build (${this.#board.build})`);
      this.#seenAt = performance.now();
    }
    for (const key of keys) {
      const end = outputs.get(key) ?? failures.get(key);
      if (!end) continue;
      for (const { resolve } of this.#waiting.get(key)!) resolve(end);
      this.#waiting.delete(key);
    }
  }
}
