import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { Exposed } from './listener.ts';
import type { Metrics } from './metrics.ts';
import { METRICS, type MetricName } from './registry.ts';

/** For how long a process may think about its metrics: well below the 10 s that Prometheus waits for all of them. */
const ANSWER_MS = 2_000;

/** What the keeper asks a process. */
interface Question {
  readonly metrics: number;
}

/** What a process answers. */
interface Answer extends Question {
  readonly values?: readonly object[];
  readonly error?: string;
}

/** Lets the keeper of this process ask for its metrics, once the process has greeted it. */
export function answerKeeper({ registry }: Metrics): void {
  process.on('message', ({ metrics }: Partial<Question>) => {
    if (metrics === undefined) return;
    const tell = (answer: Omit<Answer, 'metrics'>) => process.send?.({ ...answer, metrics });
    registry.getMetricsAsJSON().then(
      values => tell({ values }),
      (error: Error) => tell({ error: error.message }),
    );
  });
}

/** Asks a process for its metrics. @returns null where it does not answer in time, or ends. @throws Error that it met. */
function valuesOf(worker: Worker, metrics: number): Promise<readonly object[] | null> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly object[] | null>();
  const hear = (answer: Partial<Answer>) => {
    if (answer.metrics !== metrics) return;
    if (answer.error === undefined) resolve(answer.values!);
    else reject(new Error(answer.error));
  };
  const leave = () => resolve(null);
  const patience = setTimeout(leave, ANSWER_MS);
  worker.on('message', hear);
  worker.once('exit', leave);
  const question: Question = { metrics };
  if (worker.isConnected()) worker.send(question, undefined, undefined, error => error && leave());
  else leave();
  return promise.finally(() => {
    clearTimeout(patience);
    worker.off('message', hear);
    worker.off('exit', leave);
  });
}

/** What a keeper of several processes tells. */
interface KeeperMetrics extends Exposed {
  /** Counts a process that ended and is started again. */
  countRestart(): void;
}

/**
 * The metrics of all serving processes together, and what their keeper knows, for use in it. A process that starts is not asked, and one
 * that hangs is left out, so that neither hides the others.
 * @param count processes that there should be.
 */
export function ofAllProcesses(count: number): KeeperMetrics {
  const registry = new Registry();
  const told = (name: MetricName) => ({ name, help: METRICS[name].help, registers: [registry] });
  const restarts = new Counter(told('plat_process_restarts_total'));
  new Gauge(told('plat_processes')).set(count);
  const ready = new Gauge(told('plat_processes_ready'));
  const greeted = new Set<Worker>();
  cluster.on('message', worker => greeted.add(worker));
  cluster.on('exit', worker => greeted.delete(worker));
  let questions = 0;
  return {
    contentType: registry.contentType,
    metrics: async () => {
      const question = questions++;
      const answers = await Promise.all([...greeted].map(worker => valuesOf(worker, question)));
      const values = answers.filter(answer => answer !== null);
      ready.set(values.length);
      return `${await AggregatorRegistry.aggregate([...values]).metrics()}\n${await registry.metrics()}`;
    },
    countRestart: () => restarts.inc(),
  };
}
