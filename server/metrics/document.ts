import { METRICS, type MetricKind } from './registry.ts';

/** The text of docs/metrics.md. */
export function renderMetrics(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const rows = (Object.entries(METRICS) as [string, MetricKind][]).map(([name, { type, help, labels = [], act }]) => {
    const named = labels.length > 0 ? `\`${name}\` {${labels.join(', ')}}` : `\`${name}\``;
    return `| ${named} | ${type} | ${cell(help)} | ${cell(act)} |`;
  });
  return `# Metrics

<!-- Generated from server/metrics/registry.ts by \`make docs\`; do not edit. -->

\`PLAT_METRICS_PORT\` opens a port of its own (address \`PLAT_METRICS_HOST\`) where \`GET /metrics\` answers in the text format of Prometheus. It is not protected: keep it to the network of your monitoring. With \`--processes N\` it answers for all of them together: sums, and where a sum says nothing the largest or smallest value.

Beside these are the metrics of the process and of Node: \`process_*\` (CPU, memory, open files) and \`nodejs_*\`, of which \`nodejs_eventloop_lag_p99_seconds\` is the lag of the event loop: above 0.05 the serving thread has too much to do, and \`PLAT_PROCESSES\` helps where cores are idle.

| Metric | Type | What it counts | When to act |
|---|---|---|---|
${rows.join('\n')}
`;
}
