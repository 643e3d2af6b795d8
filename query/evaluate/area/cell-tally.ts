import type { Value } from '../../../datasets/dataset.ts';
import { inSteps } from '../../../datasets/precision.ts';
import { roundFraction } from '../published.ts';
import { byText } from '../vector/vector-search.ts';
import type { AreaContext, AreaStatistics, ValueShare } from './area.ts';
import { acresOf } from './shares.ts';

/** Lower ends of the classes of slope, in the unit of the field; each reaches to the next. */
const SLOPES = [0, 2, 5, 10, 15, 25] as const;
const SLOPE_NAMES = SLOPES.map((from, i) => (SLOPES[i + 1] === undefined ? `${from}+` : `${from}-${SLOPES[i + 1]}`));

/** Distinct values whose label is kept; more are labels of measurements, which are made anew. */
const KEPT = 65_536;

/** How many cells of an area have which value. Cells count alike, as in zonal statistics elsewhere. */
export class CellTally {
  /** Of all, also those without a value. */
  cells = 0;
  #valued = 0;
  #sum = 0;
  #min = Infinity;
  #max = -Infinity;
  readonly #labels = new Map<number, Value>();
  readonly #counts = new Map<Value, number>();
  readonly #slopes = new Float64Array(SLOPES.length);

  /** Counts a number; NaN for none. */
  number(value: number): void {
    this.cells++;
    if (Number.isNaN(value)) return;
    this.#valued++;
    this.#sum += value;
    if (value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
  }

  /** Counts a slope, and its class. */
  slope(value: number): void {
    this.number(value);
    if (Number.isNaN(value)) return;
    let one = SLOPES.length - 1;
    while (one > 0 && value < SLOPES[one]!) one--;
    this.#slopes[one]!++;
  }

  /** Counts a code under its label. @param labelOf null where the code stands for no value. */
  code(value: number, labelOf: (value: number) => Value): void {
    this.cells++;
    if (Number.isNaN(value)) return;
    let label = this.#labels.get(value);
    if (label === undefined) {
      label = labelOf(value);
      if (this.#labels.size < KEPT) this.#labels.set(value, label);
    }
    if (label === null) return;
    this.#valued++;
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + 1);
  }

  /** Whether no cell had a value. */
  get empty(): boolean {
    return this.#valued === 0;
  }

  get #without(): number {
    return roundFraction(1 - this.#valued / this.cells);
  }

  #share(ctx: AreaContext, value: Value, count: number): ValueShare {
    const share = count / this.cells;
    return { value, share: roundFraction(share), acres: acresOf(share * ctx.area.squareMetres) };
  }

  /** Least, mean and greatest value. @param precision step that they are rounded to. */
  range(ctx: AreaContext, precision: number | null, slopes: boolean): AreaStatistics {
    const rounded = (value: number) => (precision === null ? value : inSteps(value, precision));
    return {
      kind: 'range',
      min: rounded(this.#min),
      mean: rounded(this.#sum / this.#valued),
      max: rounded(this.#max),
      cells: this.cells,
      without_value: this.#without,
      ...(slopes && { classes: SLOPE_NAMES.map((name, i) => this.#share(ctx, name, this.#slopes[i]!)) }),
    };
  }

  /** Every label with the share of cells that have it, the largest first. */
  shares(ctx: AreaContext): AreaStatistics {
    const shares = [...this.#counts]
      .map(([label, count]) => this.#share(ctx, label, count))
      .sort((a, b) => b.share - a.share || byText(String(a.value), String(b.value)));
    return { kind: 'shares', shares, uncovered: 0, without_value: this.#without, unknown: 0, unmapped: 0 };
  }

  /** The share of cells counted under `true`. */
  covered(ctx: AreaContext): AreaStatistics {
    const { share, acres } = this.#share(ctx, true, this.#counts.get(true) ?? 0);
    const uncovered = roundFraction((this.#counts.get(false) ?? 0) / this.cells);
    return { kind: 'covered', share, acres, uncovered, without_value: this.#without, unknown: 0, unmapped: 0 };
  }
}
