import { AggregatorRegistry, Counter, Registry } from 'prom-client';
import type { Exposed } from './listener.ts';
import type { Metrics } from './metrics.ts';
import { METRICS } from './registry.ts';

/** Lets the keeper of this process ask for its metrics. The process must have sent its first message before. */
export function answerKeeper({ registry }: Metrics): void {
  AggregatorRegistry.setRegistries(registry);
  // Starts to listen for the question.
  new AggregatorRegistry();
}

/** What a keeper of several processes tells. */
interface KeeperMetrics extends Exposed {
  /** Counts a process that ended and is started again. */
  countRestart(): void;
}

/** The metrics of all serving processes together, and what their keeper knows, for use in it. */
export function ofAllProcesses(): KeeperMetrics {
  const all = new AggregatorRegistry();
  const own = new Registry();
  const name = 'plat_process_restarts_total';
  const restarts = new Counter({ name, help: METRICS[name].help, registers: [own] });
  return {
    contentType: all.contentType,
    metrics: async () => `${await all.clusterMetrics()}\n${await own.metrics()}`,
    countRestart: () => restarts.inc(),
  };
}
