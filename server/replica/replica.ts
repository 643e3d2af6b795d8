import cluster, { type Worker as ServingProcess } from 'node:cluster';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../../query/engine/file-checker.ts';
import type { Settings } from '../../query/engine/settings.ts';
import { requireReplicaHome } from '../../query/release/pull/puller.ts';
import { openStore } from '../../query/release/store/open-store.ts';
import type { PullSetup } from './pull-thread.ts';
import { type Replica, type ReplicaState, UNSEEN } from './replica-state.ts';

/** Milliseconds before a thread that ended is started again, and that one which is to end may take. */
const [RESTART_MS, END_MS] = [5_000, 5_000];

type ReplicaSettings = Pick<Settings, 'home' | 'releases' | 'releasesPoll' | 'releasesRate' | 'releasesKeep'>;

/** Receives the lines about pulls. */
interface ReplicaLog {
  error(detail: object, message: string): void;
  info(detail: object, message: string): void;
}

/** Logs what is new: each problem once, its end, and each release that was pulled. */
function logNews(log: ReplicaLog, before: ReplicaState, now: ReplicaState): void {
  if (now.number !== before.number) log.info({ number: now.number, bytes: now.bytes }, 'a release was pulled');
  if (now.problem && now.problem.logged !== before.problem?.logged)
    log.error({ problem: now.problem.logged }, 'the last release of the store is not pulled');
  if (!now.problem && before.problem) log.info({}, 'releases are pulled again');
}

/**
 * Keeps the releases of a home as those of its store, in a thread of its own: hashing would keep requests waiting.
 * @param onState told what changed.
 * @throws StoreProblem where the home has releases that the store never had.
 */
export async function startReplica(
  settings: ReplicaSettings,
  log: ReplicaLog,
  onState: (state: ReplicaState) => void = () => {},
): Promise<Replica> {
  const { home, releases: address, releasesPoll: everyMs, releasesRate: rate, releasesKeep: keep } = settings;
  await requireReplicaHome(join(home, 'releases'), () => openStore(address));
  const setup: PullSetup = { home, address, everyMs, rate, keep };
  let state = UNSEEN;
  let closed = false;
  let restart: NodeJS.Timeout | undefined;
  const take = (next: ReplicaState) => {
    if (state !== UNSEEN) logNews(log, state, next);
    state = next;
    onState(next);
  };
  const { filename, execArgv } = threadFile('pull-thread', import.meta.url);
  const start = () => {
    const started = new Worker(filename, { workerData: setup, execArgv });
    let cause = '';
    started.on('message', take);
    started.on('error', error => {
      cause = error.message;
    });
    started.on('exit', code => {
      if (closed) return;
      const logged = `the thread that pulls ended: ${cause || `exit code ${code}`}`;
      take({ ...state, problem: { shown: 'what pulls releases ended; it is started again', logged } });
      restart = setTimeout(() => {
        thread = start();
      }, RESTART_MS).unref();
    });
    started.unref();
    return started;
  };
  let thread = start();
  return {
    get state() {
      return state;
    },
    async close() {
      closed = true;
      clearTimeout(restart);
      // One that ended by itself has no id any more.
      if (thread.threadId === -1) return;
      const ended = new Promise(resolve => thread.once('exit', resolve));
      thread.postMessage('end');
      const late = setTimeout(() => void thread.terminate(), END_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** As startReplica, for the keeper of several serving processes: each of them is told what this one pulls. */
export function pullForProcesses(settings: ReplicaSettings, log: ReplicaLog): Promise<Replica> {
  let last = UNSEEN;
  // One that ends may have closed its end. Without a callback that is an error event (EPIPE), and the process counts as failed.
  const send = (worker: ServingProcess, state: ReplicaState) => worker.send({ replica: state }, () => {});
  const tell = (state: ReplicaState) => {
    last = state;
    for (const worker of Object.values(cluster.workers ?? {})) if (worker?.isConnected()) send(worker, state);
  };
  cluster.on('online', worker => send(worker, last));
  return startReplica(settings, log, tell);
}

/** What the keeper of this process pulls. */
export function followKeeper(): Replica {
  let state = UNSEEN;
  process.on('message', (message: { readonly replica?: ReplicaState }) => {
    if (message.replica) state = message.replica;
  });
  return {
    get state() {
      return state;
    },
    close: async () => {},
  };
}
