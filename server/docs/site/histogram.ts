import { allOf, type FieldQuantiles, PROBABILITIES } from '../../../query/parcel/quantiles.ts';
import { html, type Markup } from '../../http/markup.ts';

const BARS = 24;
const [WIDTH, HEIGHT, GAP] = [720, 160, 2];
/** Shares of the parcels beyond which values are told and not drawn: one parcel far away would press all others into one bar. */
const [LEAST, GREATEST] = [PROBABILITIES.indexOf(0.01), PROBABILITIES.indexOf(0.99)];

/** Shares of the parcels by bar, of values that quantiles divide into hundredths. Pure. */
export function sharesOf(values: readonly number[], from: number, to: number): number[] {
  const bars = Array.from({ length: BARS }, () => 0);
  const width = (to - from) / BARS;
  const barOf = (value: number) => Math.min(BARS - 1, Math.max(0, Math.floor((value - from) / width)));
  for (const [i, low] of values.slice(LEAST, GREATEST).entries()) {
    const high = values[LEAST + i + 1]!;
    // A hundredth of the parcels lies evenly between two quantiles.
    for (let bar = barOf(low); bar <= barOf(high); bar++) {
      const part = Math.min(high, from + (bar + 1) * width) - Math.max(low, from + bar * width);
      bars[bar]! += high > low ? Math.max(0, part) / (high - low) : 1;
    }
  }
  return bars.map(share => share / (values.length - 1));
}

/** How the values of a numeric field are spread over the parcels of the release, as bars; empty where all have one value. */
export function histogram(quantiles: FieldQuantiles, unit: string | null): Markup {
  const values = allOf(quantiles);
  const [from, to] = [values[LEAST]!, values[GREATEST]!];
  if (!(to > from)) return html``;
  const shares = sharesOf(values, from, to);
  const most = Math.max(...shares);
  const step = WIDTH / BARS;
  const told = (value: number) =>
    `${value.toLocaleString('en-US', { maximumSignificantDigits: 6 })}${unit === null ? '' : ` ${unit}`}`;
  const at = (share: number) => told(values[PROBABILITIES.indexOf(share)]!);
  const words = `Half of the parcels with a value have ${at(0.25)} to ${at(0.75)}, and the middle one has ${at(0.5)}. The least value is ${at(0)}, the greatest ${at(1)}.`;
  return html`<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}">${shares.map(
    (share, i) => {
      const height = (share / most) * HEIGHT;
      return html`<rect x="${(i * step).toFixed(1)}" y="${(HEIGHT - height).toFixed(1)}" width="${step - GAP}" height="${height.toFixed(1)}"/>`;
    },
  )}</svg><div class="ends"><span>${told(from)}</span><span>${told(to)}</span></div>
<figcaption>${words} The bars leave out the hundredth with the least values and the one with the greatest.</figcaption></figure>`;
}
