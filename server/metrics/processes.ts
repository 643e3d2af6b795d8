import { AggregatorRegistry } from 'prom-client';
import type { Exposed } from './listener.ts';
import type { Metrics } from './metrics.ts';

/** Lets the process that keeps this one ask for its metrics. Its first message must have been sent before. */
export function answerKeeper({ registry }: Metrics): void {
  AggregatorRegistry.setRegistries(registry);
  // Listens for the question from now on.
  new AggregatorRegistry();
}

/** The metrics of all serving processes together, in the process that keeps them. */
export function ofAllProcesses(): Exposed {
  const all = new AggregatorRegistry();
  return { contentType: all.contentType, metrics: () => all.clusterMetrics() };
}
