import { AggregatorRegistry } from 'prom-client';
import type { Exposed } from './listener.ts';
import type { Metrics } from './metrics.ts';

/** Lets the keeper of this process ask for its metrics. The process must have sent its first message before. */
export function answerKeeper({ registry }: Metrics): void {
  AggregatorRegistry.setRegistries(registry);
  // Starts to listen for the question.
  new AggregatorRegistry();
}

/** The metrics of all serving processes together, for use in their keeper. */
export function ofAllProcesses(): Exposed {
  const all = new AggregatorRegistry();
  return { contentType: all.contentType, metrics: () => all.clusterMetrics() };
}
