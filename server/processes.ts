import cluster from 'node:cluster';
import { closeUntaken } from './untaken-connections.ts';

/** The message of a serving process to the process that started it, once it listens. */
export interface Greeting {
  /** `http://host:port`. */
  readonly address: string;
  /** Lines for the user on stdout. */
  readonly lines: readonly string[];
}

/** What the keeper, the process that keeps others serving, needs. */
interface Keeper {
  /** Is told the address that the processes share: once, and again when it changes. */
  readonly greet: (greeting: Greeting) => void;
  /** Is told of a process that ended unexpectedly. */
  readonly warn: (line: string) => void;
  /** Settles when the processes are to finish their work and end. */
  readonly stop: Promise<unknown>;
}

/**
 * Milliseconds before a process that ended without listening is started again, so that restarts do not fill the
 * machine.
 */
const RETRY_MS = 1_000;

/** Whether `keepServing` of another process, or another user of node:cluster, started this process. */
export const isKept = cluster.isWorker;

/** Tells the keeper that this process listens. */
export function tellKeeper(greeting: Greeting): void {
  cluster.worker?.send(greeting);
}

/**
 * Keeps `count` processes running, each with this command line. They share one port: the keeper accepts connections on
 * it and hands them out in turn. The first process makes what is made once (tables, secrets, a token); the others start
 * when it listens. From then on a process that ends unexpectedly is replaced, also where no other one serves.
 * @returns the exit code: after `stop` the largest of all processes; otherwise that of the first one, which ended before it listened.
 */
export function keepServing(count: number, { greet, warn, stop }: Keeper): Promise<number> {
  const running = new Set<number>();
  const serving = new Set<number>();
  let address = '';
  let worst = 0;
  let stopping = false;
  const { promise, resolve } = Promise.withResolvers<number>();

  const start = () => {
    if (stopping) return;
    const worker = cluster.fork();
    closeUntaken(worker);
    running.add(worker.id);
    worker.once('message', (greeting: Greeting) => {
      if (address === '') for (let i = 1; i < count; i++) start();
      serving.add(worker.id);
      if (greeting.address === address) return;
      address = greeting.address;
      greet(greeting);
    });
    const ended = (code: number | null, how: string) => {
      if (!running.delete(worker.id)) return;
      const served = serving.delete(worker.id);
      if (stopping) {
        worst = Math.max(worst, code ?? 0);
        if (running.size === 0) resolve(worst);
      } else if (address === '') resolve(code || 1);
      else {
        warn(`A serving process ended (${how}); another one takes its place`);
        setTimeout(start, served ? 0 : RETRY_MS);
      }
    };
    worker.once('exit', (code, signal) => ended(code, signal ?? `exit code ${code}`));
    worker.once('error', error => ended(1, error.message));
  };

  start();
  void stop.then(() => {
    stopping = true;
    if (running.size === 0) resolve(worst);
    for (const id of running) cluster.workers?.[id]?.process.kill('SIGTERM');
  });
  return promise;
}
