/** Bars of a histogram at most. */
export const MOST_BARS = 24;

/** A share of a spread beyond which its bars grow by a factor and not by a difference. */
const SKEWED = 40;

/** A number to so many digits. */
const digits = (value: number, count: number) => Number(value.toPrecision(count));

/**
 * Bounds between bars, ascending: as many as make that many bars, round to three digits, at equal distances or, where most values are
 * far below the greatest, at equal factors. None where all values are one. Pure.
 * @param least the value that hardly any is below. @param greatest the one that hardly any is above.
 */
export function boundsBetween(least: number, greatest: number, isWhole: boolean): number[] {
  if (!(greatest > least)) return [];
  const grows = least > 0 && greatest / least > SKEWED;
  const bounds = Array.from({ length: MOST_BARS + 1 }, (_, i) => {
    const share = i / MOST_BARS;
    const value = grows ? least * (greatest / least) ** share : least + (greatest - least) * share;
    // Of values that lie close together three digits are one.
    const near = grows
      ? digits(value, 3)
      : digits(value, Math.max(3, 3 + Math.ceil(Math.log10(Math.abs(value || 1) / (greatest - least)))));
    return isWhole ? Math.round(near) : near;
  });
  return [...new Set(bounds)].sort((a, b) => a - b);
}

/** One bar. */
export interface Bar {
  /** Null for what is below the first bound. */
  readonly from: number | null;
  /** Null for what is above the last one. */
  readonly to: number | null;
  readonly count: number;
}

interface Group {
  readonly key: readonly unknown[];
  readonly count: number;
}

/** The bars between bounds, those without a parcel too, in order; what is beyond the outer bounds belongs to the outer bars. Pure. */
export function barsOf(groups: readonly Group[], bounds: readonly number[]): Bar[] {
  const bars = bounds
    .slice(1)
    .map((to, i) => ({ from: bounds[i]! as number | null, to: to as number | null, count: 0 }));
  for (const { key, count } of groups) {
    const { from, to } = (key[0] ?? {}) as { readonly from?: number | null; readonly to?: number | null };
    if (from === undefined || to === undefined) continue;
    const at = from === null ? 0 : to === null ? bars.length - 1 : bounds.indexOf(from);
    if (bars[at]) bars[at].count += count;
  }
  return bars;
}

/** How a condition bounds values: null for no bound. */
export interface Bounds {
  readonly from: number | null;
  readonly to: number | null;
}

/** The bounds of a condition that is being written. Pure. */
export function boundsOf(op: string, values: readonly string[]): Bounds {
  const [first = null, second = null] = values.map(text => {
    const number = Number(text.replaceAll(',', ''));
    return text.trim() === '' || !Number.isFinite(number) ? null : number;
  });
  if (op === 'between') return { from: first, to: second };
  if (op === 'gt' || op === 'gte') return { from: first, to: null };
  if (op === 'lt' || op === 'lte') return { from: null, to: first };
  return { from: null, to: null };
}

/** A condition with other bounds, as it is written; the least bound stays where there is none. Pure. */
export function boundedBy(
  { from, to }: Bounds,
  least: number,
): { readonly op: string; readonly values: readonly string[] } {
  if (from !== null && to !== null) return { op: 'between', values: [String(from), String(to)] };
  if (to !== null) return { op: 'lte', values: [String(to)] };
  return { op: 'gte', values: [String(from ?? least)] };
}
