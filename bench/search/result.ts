import { type BenchRow, percentile } from '../report.ts';
import type { Blocks } from './timing.ts';

const cpuOf = ({ requests, cpu }: Blocks) => (1000 * cpu) / requests;

/** How many times the peer's throughput ours is: the median of the blocks that ran one after the other. */
export const ratioOf = (ours: Blocks, peer: Blocks): number =>
  percentile(
    ours.rates.map((rate, round) => rate / peer.rates[round]!),
    50,
  );

/**
 * Median and p99 latency, throughput and processor time (all processes of a side) of one case, beside one peer, and how much the
 * machine's host took from each, so that a busy host is not taken for a slow side.
 */
export function rowsOf(name: string, ours: Blocks, peer: Blocks): BenchRow[] {
  const row = (
    what: string,
    unit: string,
    [mine, theirs]: readonly number[],
    ratio: number | null = theirs! / mine!,
  ): BenchRow => ({
    case: `${name}, ${what}`,
    unit,
    ours: mine!,
    peer: theirs!,
    ratio,
  });
  const both = (of: (blocks: Blocks) => number) => [of(ours), of(peer)];
  return [
    ...[50, 99].map(p =>
      row(
        `p${p}`,
        'ms',
        both(({ times }) => percentile(times, p)),
      ),
    ),
    row(
      'throughput',
      'requests/s',
      both(({ rates }) => percentile(rates, 50)),
      ratioOf(ours, peer),
    ),
    row('processor time', 'ms/request', both(cpuOf)),
    row(
      "cores' time that the host took",
      '%',
      both(({ stolen }) => stolen.reduce((sum, share) => sum + share, 0) / stolen.length),
      null,
    ),
  ];
}

/** What a bar asks for and what was measured; the ratio is 1 or more where it is met. @param most whether it is a ceiling. */
export const bar = (name: string, unit: string, measured: number, asked: number, most = false): BenchRow => {
  const ratio = most ? asked / measured : measured / asked;
  return { case: `bar ${ratio >= 1 ? 'met' : 'missed'}: ${name}`, unit, ours: measured, peer: asked, ratio };
};

export const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((total, value) => total + Math.log(value), 0) / values.length);
