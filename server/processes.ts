import cluster from 'node:cluster';
import { closeUntaken } from './untaken-connections.ts';

/** What a serving process tells the one that started it, once it listens. */
export interface Greeting {
  /** `http://host:port`. */
  readonly address: string;
  /** What a user is to read on stdout. */
  readonly lines: readonly string[];
}

/** What the process that keeps others serving works with. */
interface Keeper {
  /** Hears of the address that the processes share: once, and again should it have changed. */
  readonly greet: (greeting: Greeting) => void;
  /** Hears of a process that ended unasked. */
  readonly warn: (line: string) => void;
  /** Settles when the processes are to finish what runs and to end. */
  readonly stop: Promise<unknown>;
}

/** A process that ends before it listens is not started again at once, lest that is all the machine does. */
const RETRY_MS = 1_000;

/** Whether this process was started by `keepServing` of another one, or by another keeper of node:cluster. */
export const isKept = cluster.isWorker;

/** Tells the process that started this one that it listens. */
export function tellKeeper(greeting: Greeting): void {
  cluster.worker?.send(greeting);
}

/**
 * Keeps so many processes running, each this command line again. They share one port: what `listen` opens in them is
 * accepted here and handed to them in turn. The others are started when the first one listens, so that what is made
 * once (tables, secrets, a token) is there; one that ends unasked is replaced.
 * @returns the exit code: after `stop` the largest of the processes', otherwise that of a process that ended before it
 * listened while no other one served.
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
      } else if (!served && serving.size === 0) resolve(code || 1);
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
