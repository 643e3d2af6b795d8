import { readFileSync } from 'node:fs';
import { type BenchRow, percentile } from '../report.ts';
import type { Agreed } from './agreement.ts';
import type { Blocks, Timing } from './timing.ts';

const perSecond = ({ rates }: Blocks) => percentile(rates, 50);

const cpuOf = ({ requests, cpu }: Blocks) => (1000 * cpu) / requests;

/** How many times the processor time of ours the peer takes a request: what other work on the machine does not change. */
export const economyOf = ([ours, peer]: Timing): number => cpuOf(peer) / cpuOf(ours);

/** How many times the peer's throughput ours is: the median of the blocks that ran one after the other. */
export const ratioOf = ([ours, peer]: Timing): number =>
  percentile(
    ours.rates.map((rate, round) => rate / peer.rates[round]!),
    50,
  );

/** Median and p99 latency, throughput and processor time (all processes of a side) of one case. */
export function rowsOf(name: string, timing: Timing): BenchRow[] {
  const [ours, peer] = timing;
  const latency = (p: number): BenchRow => {
    const [mine, theirs] = [percentile(ours.times, p), percentile(peer.times, p)];
    return { case: `${name}, p${p}`, unit: 'ms', ours: mine, peer: theirs, ratio: theirs / mine };
  };
  return [
    latency(50),
    latency(99),
    {
      case: `${name}, throughput`,
      unit: 'requests/s',
      ours: perSecond(ours),
      peer: perSecond(peer),
      ratio: ratioOf(timing),
    },
    {
      case: `${name}, processor time`,
      unit: 'ms/request',
      ours: cpuOf(ours),
      peer: cpuOf(peer),
      ratio: economyOf(timing),
    },
  ];
}

/** Parcels judged a second where every answer goes through all that the state leaves, by one client. */
export function exhaustive({ name, parcels }: Agreed, timing: Timing): BenchRow {
  const [ours, peer] = timing.map(block => parcels * perSecond(block)) as [number, number];
  return { case: `${name}, candidates`, unit: 'rows/s', ours, peer, ratio: ours / peer };
}

/** A number without a peer. */
export const alone = (name: string, unit: string, ours: number): BenchRow => ({
  case: name,
  unit,
  ours,
  peer: null,
  ratio: null,
});

export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((total, value) => total + Math.log(value), 0) / values.length);

/** Ratios of an earlier run by case; empty when there was none. */
export function earlierRatios(file: URL): ReadonlyMap<string, number> {
  try {
    const { rows } = JSON.parse(readFileSync(file, 'utf8')) as { rows: BenchRow[] };
    return new Map(rows.flatMap(row => (row.ratio === null ? [] : [[row.case, row.ratio] as const])));
  } catch {
    return new Map();
  }
}
