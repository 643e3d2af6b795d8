import type { JoinCount } from '../../datasets/release.ts';

const number = (n: number) => n.toLocaleString('en-US');

/** One line on what a join found: how many of the layer's rows, and how many of them found several. */
export function joinLine({ file, prefix, joined, unjoined, several }: JoinCount): string {
  const all = joined + unjoined;
  const share = all === 0 ? '' : ` (${((100 * joined) / all).toFixed(1)} %)`;
  const ambiguous = several > 0 ? `, ${number(several)} of them to several rows` : '';
  return `joined ${prefix}: ${number(joined)} of ${number(all)} rows${share} to ${file}${ambiguous}`;
}
