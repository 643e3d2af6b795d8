import type { Condition } from '../datasets/condition.ts';
import type { Row } from './condition.ts';
import { keyOf } from './context.ts';
import { Fault } from './fault.ts';
import type { Spans } from './ground.ts';
import type { Grid } from './mosaic.ts';

/** What a statistic takes of the cells. */
export interface Cells {
  readonly grid: Grid;
  readonly spans: Spans;
  /** Names the values in what is kept with the grid. */
  readonly kind: string;
  /** The measured values in the grid's order, NaN for no data; made once a grid and kind. */
  readonly values: () => Float64Array;
  /** How `where` sees a value: itself, or the name that it is a code of. */
  readonly label?: (value: number) => string | number;
}

/** A statistic of the cells, or why there is none. */
export type Statistic = { readonly value: number } | { readonly reason: string };

/**
 * Values are summed as whole multiples of this, which doubles add exactly: a sum does not depend on the order, so both
 * forms of an operator agree to the last bit. A millionth of a metre, degree or percent.
 */
const UNIT = 2 ** -20;

/** Running sums along each row, one longer than the row. */
function running(grid: Grid, key: string, values: Float64Array, term: (value: number) => number): Float64Array {
  return grid.derived(key, () => {
    const { width, height } = grid;
    const out = new Float64Array((width + 1) * height);
    for (let y = 0; y < height; y++) {
      let sum = 0;
      const [from, to] = [y * width, y * (width + 1)];
      for (let x = 0; x < width; x++) {
        const value = values[from + x]!;
        if (!Number.isNaN(value)) sum += term(value);
        out[to + x + 1] = sum;
      }
    }
    return out;
  });
}

function total(grid: Grid, spans: Spans, sums: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < spans.from.length; i++) {
    const row = (spans.row0 + i - grid.row0) * (grid.width + 1) - grid.column0;
    sum += sums[row + spans.to[i]!]! - sums[row + spans.from[i]!]!;
  }
  return sum;
}

function each(grid: Grid, spans: Spans, values: Float64Array, visit: (value: number) => void): void {
  for (let i = 0; i < spans.from.length; i++) {
    const row = (spans.row0 + i - grid.row0) * grid.width - grid.column0;
    for (let column = spans.from[i]!; column < spans.to[i]!; column++) {
      const value = values[row + column]!;
      if (!Number.isNaN(value)) visit(value);
    }
  }
}

/**
 * A sum over the cells of a zone: by running sums where the grid serves many zones, else cell by cell. Terms are whole
 * multiples of UNIT, so both give the same to the last bit.
 */
function sumOf({ grid, spans }: Cells, key: string, values: Float64Array, term: (value: number) => number): number {
  if (spans.count * 2 < grid.width * grid.height) return total(grid, spans, running(grid, key, values, term));
  let sum = 0;
  each(grid, spans, values, value => {
    sum += term(value);
  });
  return sum;
}

/**
 * A statistic of the cells of a zone (operators.md, raster_zonal): `mean`, `range`, `majority` (ties go to the smaller
 * value) of those that meet the condition, or `fraction`, the share of valid cells that meet it.
 * @param where for keys; `test` is the same compiled, null where there is no condition.
 * @returns the reason when under half of the cells are valid or none meets the condition.
 * @throws Fault for an unknown statistic.
 */
export function summarise(
  stat: string,
  cells: Cells,
  where: Condition | null,
  test: ((row: Row) => boolean) | null,
): Statistic {
  const { grid, spans, kind, values: measured, label } = cells;
  if (!['mean', 'range', 'majority', 'fraction'].includes(stat))
    throw new Fault(`there is no statistic ${stat}; there are mean, range, majority and fraction`);
  if (stat === 'fraction' && !test) throw new Fault('stat=fraction needs a condition: where[value …]');
  const values = grid.derived(`values ${kind}`, measured);
  const valid = sumOf(cells, `valid ${kind}`, values, () => 1);
  if (valid * 2 < spans.count) return { reason: `only ${valid} of ${spans.count} cells have data, under half` };
  const verdicts = new Map<number, boolean>();
  // Codes are bytes nearly always: 1 meets the condition, 2 does not, 0 was not asked yet.
  const ofByte = new Uint8Array(256);
  const meets = (value: number): boolean => {
    if (!test) return true;
    const byte = value & 255;
    if (byte === value) {
      if (ofByte[byte] === 0) ofByte[byte] = test({ value: label ? label(value) : value }) ? 1 : 2;
      return ofByte[byte] === 1;
    }
    let verdict = verdicts.get(value);
    if (verdict === undefined) {
      verdict = test({ value: label ? label(value) : value });
      if (verdicts.size < 100_000) verdicts.set(value, verdict);
    }
    return verdict;
  };
  const condition = keyOf(where);
  const matching = test ? sumOf(cells, `valid ${kind} ${condition}`, values, v => (meets(v) ? 1 : 0)) : valid;
  if (stat === 'fraction') return { value: matching / valid };
  if (!matching) return { reason: 'no cell meets the condition' };
  if (stat === 'mean') {
    const sum = sumOf(cells, `sums ${kind} ${condition}`, values, v => (meets(v) ? Math.round(v / UNIT) : 0));
    return { value: (sum * UNIT) / matching };
  }
  if (stat === 'range') {
    let [least, most] = [Infinity, -Infinity];
    each(grid, spans, values, v => {
      if (!meets(v)) return;
      if (v < least) least = v;
      if (v > most) most = v;
    });
    return { value: most - least };
  }
  const counts = new Map<number, number>();
  // Counting bytes in an array is ten times as fast.
  const bytes = new Uint32Array(256);
  each(grid, spans, values, v => {
    if (!meets(v)) return;
    if (v >= 0 && v < 256 && Number.isInteger(v)) bytes[v]!++;
    else counts.set(v, (counts.get(v) ?? 0) + 1);
  });
  bytes.forEach((cells, code) => {
    if (cells) counts.set(code, cells);
  });
  let [winner, most] = [Number.NaN, 0];
  for (const [value, held] of counts)
    if (held > most || (held === most && value < winner)) [winner, most] = [value, held];
  return { value: winner };
}
