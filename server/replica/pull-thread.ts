import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { LockedError } from '../../query/release/home/lock.ts';
import { Puller } from '../../query/release/pull/puller.ts';
import { storageProblem } from '../../query/release/storage.ts';
import { openStore } from '../../query/release/store/open-store.ts';
import { StoreProblem } from '../../query/release/store/store-problem.ts';
import type { ReplicaProblem, ReplicaState } from './replica-state.ts';

/** What the thread is started with. */
export interface PullSetup {
  readonly home: string;
  readonly address: string;
  /** Milliseconds between looks, on average: half as many to half more. */
  readonly everyMs: number;
  readonly rate: number;
  readonly keep: number;
}

/** How often it is told how far a pull has come. */
const TELL_MS = 1_000;

const { home, address, everyMs, rate, keep } = workerData as PullSetup;
const ending = new AbortController();
parentPort!.once('message', () => ending.abort());

const store = await openStore(address);
const puller = new Puller(store, home, { rate, keep });
let problem: ReplicaProblem | null = null;

function tell(): void {
  const { number, bytes, progress } = puller;
  const state: ReplicaState = { number, bytes, progress, problem };
  parentPort!.postMessage(state);
}

/** Strangers read of an error that is not ours only what it is about: it may name hosts and paths. */
function problemOf(error: unknown): ReplicaProblem {
  const { message } = error as Error;
  if (error instanceof StoreProblem) return { shown: message, logged: `${store.name}: ${message}` };
  const full = storageProblem(error, home);
  if (full) return { shown: 'the disk does not take the release; the log says why', logged: full };
  const shown = 'the store cannot be reached or refuses; the log says why';
  return { shown, logged: message.startsWith(store.name) ? message : `${store.name}: ${message}` };
}

// What was pulled before this start is no news.
tell();
const telling = setInterval(() => puller.progress && tell(), TELL_MS);
while (!ending.signal.aborted) {
  try {
    await puller.poll(ending.signal);
    problem = null;
  } catch (error) {
    if (ending.signal.aborted) break;
    // Another process changes the home, maybe by this very pull: that is nothing to tell.
    if (!(error instanceof LockedError)) problem = problemOf(error);
  }
  tell();
  await sleep(everyMs * (0.5 + Math.random()), undefined, { signal: ending.signal }).catch(() => {});
}
clearInterval(telling);
