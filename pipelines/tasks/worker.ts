import { setTimeout as pause } from 'node:timers/promises';
import { AT_ONCE, sideBySide } from '../../query/release/store/side-by-side.ts';
import { send } from '../release/push/upload.ts';
import { workKey } from './task.ts';
import type { Claim, TaskBoard } from './task-board.ts';
import type { Product, TaskStep, Workplace } from './task-step.ts';

/** Milliseconds between two heartbeats: four of them fit into a lease. */
const BEAT_MS = 2_500;
/** Milliseconds between two looks for tasks, and the longest wait while the database is away. */
const LOOK_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/** What became of a task: `fenced` where another worker has it. */
type Ending = 'done' | 'failed' | 'fenced' | 'handed back';

interface WorkOptions extends Workplace {
  readonly board: TaskBoard;
  readonly steps: Readonly<Record<string, TaskStep>>;
  /** Stops the worker: the task that it does goes back to the queue. */
  readonly signal: AbortSignal;
  /** Milliseconds without a task that waits or that anybody does, after which the worker ends; none where it goes on looking. */
  readonly idleMs?: number | undefined;
}

/** Another worker has the task, or nobody: its heartbeat was not heard in time. */
class Fenced extends Error {
  override readonly name = 'Fenced';
}

/** Asks until the database answers. @throws the reason of the signal. */
async function persistently<T>(ask: () => Promise<T>, told: (line: string) => void, signal: AbortSignal): Promise<T> {
  for (let wait = LOOK_MS; ; wait = Math.min(LONGEST_WAIT_MS, 2 * wait))
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      told(`the database does not answer: ${(error as Error).message}`);
      await pause(wait * (0.75 + Math.random() / 2), undefined, { signal });
    }
}

/** Does something while heartbeats tell that the task is being done; stops it when the task is not ours any more. */
async function whileHeld<T>(
  board: TaskBoard,
  claim: Claim,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const beat = setInterval(() => {
    // A beat that the database did not hear is followed by another one.
    board.heartbeat(claim).then(
      held => held || lost.abort(new Fenced('another worker has the task')),
      () => {},
    );
  }, BEAT_MS);
  try {
    return await work(AbortSignal.any([stopping, lost.signal]));
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    clearInterval(beat);
  }
}

/** Does a task. Nothing is computed or uploaded in the transaction that ends it. */
async function doTask(claim: Claim, options: WorkOptions): Promise<Ending> {
  const { board, steps, store, told, signal: stopping } = options;
  const step = steps[claim.task.step];
  const started = performance.now();
  let product: Product | null = null;
  let ending: Ending;
  try {
    if (!step) throw new Error(`this build has no step ${claim.task.step}`);
    product = await whileHeld(board, claim, stopping, async signal => {
      const product = await step.run(claim.task.data, signal);
      await sideBySide(product.files, AT_ONCE, async file => {
        signal.throwIfAborted();
        await send(store, file.path, { ...file, path: workKey(file.sha256) });
      });
      return product;
    });
    const { rows } = product;
    const files = product.files.map(({ sha256, bytes }) => ({ sha256, bytes }));
    const tookMs = performance.now() - started;
    // Without heartbeats: whoever takes the task meanwhile fences this attempt.
    const held = await persistently(() => board.finish(claim, { files, rows }, tookMs), told, stopping);
    ending = held ? 'done' : 'fenced';
  } catch (error) {
    if (stopping.aborted) {
      await board.handBack(claim).catch(() => {});
      return 'handed back';
    }
    if (error instanceof Fenced) ending = 'fenced';
    else {
      const { message } = error as Error;
      told(`${claim.task.name}: ${message}`);
      ending = (await persistently(() => board.fail(claim, message), told, stopping)) ? 'failed' : 'fenced';
    }
  }
  if (product) step!.drop(product);
  return ending;
}

/** Does tasks until it is stopped, or idle for as long as it may be. Any number of workers on any number of machines may do the tasks of one board. */
export async function workOnTasks(options: WorkOptions): Promise<void> {
  const { board, steps, told, signal, idleMs = Number.POSITIVE_INFINITY } = options;
  const running = new Set<{ readonly step: string; readonly ended: Promise<void> }>();
  const isBusy = (step: string) => [...running].filter(task => task.step === step).length >= (steps[step]?.atOnce ?? 1);
  let failure: { readonly error: unknown } | null = null;
  const begin = (claim: Claim) => {
    const { name, key, step } = claim.task;
    const started = performance.now();
    const task = {
      step,
      ended: doTask(claim, options)
        .then(ending => {
          const seconds = (performance.now() - started) / 1000;
          told(`${ending} ${key.slice(0, 12)} ${name}, attempt ${claim.attempt}, ${seconds.toFixed(1)} s`);
        })
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => running.delete(task)),
    };
    running.add(task);
  };
  let taskAt = performance.now();
  try {
    while (!signal.aborted && !failure) {
      if ([...running].some(({ step }) => isBusy(step))) {
        await Promise.race([...running].map(({ ended }) => ended));
        taskAt = performance.now();
        continue;
      }
      const claim = await persistently(() => board.claim(), told, signal);
      if (claim) {
        begin(claim);
        continue;
      }
      // What others do may come back: a worker that dies leaves its task.
      if (idleMs < Number.POSITIVE_INFINITY && (await persistently(() => board.hasTasks(), told, signal)))
        taskAt = performance.now();
      if (performance.now() - taskAt >= idleMs) {
        told('no task is left');
        return;
      }
      await pause(LOOK_MS * (0.75 + Math.random() / 2), undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await Promise.all([...running].map(({ ended }) => ended));
    for (const step of Object.values(steps)) await step.close();
  }
  const broken = failure as { readonly error: unknown } | null;
  if (broken && !signal.aborted) throw broken.error;
}
