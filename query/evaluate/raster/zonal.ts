import type { Condition } from '../../../datasets/grammar/condition.ts';
import { memo } from '../../../datasets/memo.ts';
import { Fault } from '../../release/fault.ts';
import type { Row } from '../condition/condition.ts';
import { keyOf } from '../context.ts';
import type { Spans } from './grid-spans.ts';
import type { Grid } from './mosaic.ts';

/** What a statistic takes of the cells. */
interface Cells {
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

function each({ grid, spans }: Cells, values: Float64Array, visit: (value: number) => void): void {
  for (let i = 0; i < spans.from.length; i++) {
    const row = (spans.row0 + i - grid.row0) * grid.width - grid.column0;
    for (let at = row + spans.from[i]!; at < row + spans.to[i]!; at++) {
      const value = values[at]!;
      if (!Number.isNaN(value)) visit(value);
    }
  }
}

/** What one pass over the cells of a zone tells. */
interface Tally {
  readonly spans: Spans;
  /** Cells with data, and the extremes of their values. */
  readonly valid: number;
  readonly least: number;
  readonly most: number;
  /** How often each value stands there, where all are codes from 0 to 255. */
  readonly bytes: Uint32Array | null;
}

const lastTally = new WeakMap<Float64Array, Tally>();

/** Taken once for all that is asked of a zone, one after another. */
function tallyOf({ grid, spans }: Cells, values: Float64Array): Tally {
  const last = lastTally.get(values);
  if (last?.spans === spans) return last;
  const bytes = new Uint32Array(256);
  let [valid, least, most, coded] = [0, Infinity, -Infinity, true];
  for (let i = 0; i < spans.from.length; i++) {
    const row = (spans.row0 + i - grid.row0) * grid.width - grid.column0;
    for (let at = row + spans.from[i]!; at < row + spans.to[i]!; at++) {
      const value = values[at]!;
      if (Number.isNaN(value)) continue;
      valid++;
      if (value < least) least = value;
      if (value > most) most = value;
      if (coded && (value & 255) === value) bytes[value]!++;
      else coded = false;
    }
  }
  const tally = { spans, valid, least, most, bytes: coded ? bytes : null };
  lastTally.set(values, tally);
  return tally;
}

/**
 * A sum over the cells of a zone: by running sums where the grid serves many zones, else code by code or cell by cell. Terms
 * are whole multiples of UNIT, so all give the same to the last bit.
 */
function sumOf(cells: Cells, key: string, values: Float64Array, term: (value: number) => number): number {
  const { grid, spans } = cells;
  if (isShared(cells)) return total(grid, spans, running(grid, key, values, term));
  const { bytes } = tallyOf(cells, values);
  let sum = 0;
  const add = (value: number, count = 1) => {
    sum += count * term(value);
  };
  if (bytes) eachCode(bytes, add);
  else each(cells, values, value => add(value));
  return sum;
}

/**
 * A statistic of the cells of a zone: `mean`, `range`, `majority` (ties go to the smaller
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
  const tally = isShared(cells) ? null : tallyOf(cells, values);
  const valid = tally ? tally.valid : sumOf(cells, `valid ${kind}`, values, () => 1);
  if (valid * 2 < spans.count) return { reason: `only ${valid} of ${spans.count} cells have data, under half` };
  const meets = test && meetingOf(test, label);
  const condition = keyOf(where);
  const matching = meets ? sumOf(cells, `valid ${kind} ${condition}`, values, v => (meets(v) ? 1 : 0)) : valid;
  if (stat === 'fraction') return { value: matching / valid };
  if (!matching) return { reason: 'no cell meets the condition' };
  if (stat === 'mean') {
    const term = (v: number) => (!meets || meets(v) ? Math.round(v / UNIT) : 0);
    const sum = sumOf(cells, `sums ${kind} ${condition}`, values, term);
    return { value: (sum * UNIT) / matching };
  }
  if (stat === 'range') {
    if (!meets) return { value: tally ? tally.most - tally.least : rangeOf(grid, spans, kind, values) };
    let [least, most] = [Infinity, -Infinity];
    each(cells, values, v => {
      if (!meets(v)) return;
      if (v < least) least = v;
      if (v > most) most = v;
    });
    return { value: most - least };
  }
  const bytes = tally ? tally.bytes : bytesOf(grid, spans, kind, values);
  return { value: bytes ? majorityOf(bytes, meets) : majority(cells, values, meets) };
}

/** Whether a value meets a condition, asked once a code: other values hardly come twice. */
function meetingOf(test: (row: Row) => boolean, label: Cells['label']): NonNullable<Meets> {
  const meets = (value: number) => test({ value: label ? label(value) : value });
  // 1 meets the condition, 2 does not, 0 was not asked yet.
  const ofByte = new Uint8Array(256);
  return value => {
    const byte = value & 255;
    if (byte !== value) return meets(value);
    if (ofByte[byte] === 0) ofByte[byte] = meets(value) ? 1 : 2;
    return ofByte[byte] === 1;
  };
}

type Meets = ((value: number) => boolean) | null;

/** The value that most cells of a zone have, the smaller of equals. */
function majority(cells: Cells, values: Float64Array, meets: Meets): number {
  const counts = new Map<number, number>();
  each(cells, values, v => {
    if (!meets || meets(v)) counts.set(v, (counts.get(v) ?? 0) + 1);
  });
  let [winner, most] = [Number.NaN, 0];
  for (const [value, held] of counts)
    if (held > most || (held === most && value < winner)) [winner, most] = [value, held];
  return winner;
}

function eachCode(bytes: Uint32Array, visit: (code: number, count: number) => void): void {
  for (let code = 0; code < bytes.length; code++) if (bytes[code]!) visit(code, bytes[code]!);
}

/** The code that is counted most, the smaller of equals; NaN of none. */
function majorityOf(bytes: Uint32Array, meets: Meets): number {
  let [winner, most] = [Number.NaN, 0];
  for (let code = 0; code < bytes.length; code++)
    if (bytes[code]! > most && (!meets || meets(code))) [winner, most] = [code, bytes[code]!];
  return winner;
}

/** Whether the grid serves many zones, so that what is kept of all its cells pays. */
const isShared = ({ grid, spans }: Cells): boolean => spans.count * 2 < grid.width * grid.height;

/** How often each code stands in the zone asked about last. */
interface Counted {
  spans: Spans | null;
  readonly bytes: Uint32Array;
}

const countedOf = memo((_codes: Float64Array): Counted => ({ spans: null, bytes: new Uint32Array(256) }));

/**
 * How often each value stands in a zone, where all of the grid are codes from 0 to 255; null where they are not. Zones
 * asked about one after another overlap, so only the cells are looked at in which this one differs from the last.
 */
function bytesOf(grid: Grid, spans: Spans, kind: string, values: Float64Array): Uint32Array | null {
  const codes = grid.derived(`codes ${kind}`, () =>
    values.every(v => Number.isNaN(v) || (v >= 0 && v < 256 && Number.isInteger(v))) ? values : new Float64Array(0),
  );
  if (!codes.length) return null;
  const cached = countedOf(codes);
  const { bytes, spans: before } = cached;
  const count = (row: number, from: number, to: number, sign: number) => {
    const start = (row - grid.row0) * grid.width - grid.column0;
    for (let column = from; column < to; column++) {
      const value = codes[start + column]!;
      if (!Number.isNaN(value)) bytes[value]! += sign;
    }
  };
  const end = spans.row0 + spans.from.length;
  const lastEnd = before ? before.row0 + before.from.length : spans.row0;
  for (let row = Math.min(spans.row0, before?.row0 ?? spans.row0); row < Math.max(end, lastEnd); row++) {
    const i = row - spans.row0;
    const [from, to] = i >= 0 && row < end ? [spans.from[i]!, spans.to[i]!] : [0, 0];
    const j = before ? row - before.row0 : -1;
    const [wasFrom, wasTo] = before && j >= 0 && row < lastEnd ? [before.from[j]!, before.to[j]!] : [0, 0];
    if (from >= wasTo || to <= wasFrom) {
      count(row, wasFrom, wasTo, -1);
      count(row, from, to, 1);
      continue;
    }
    count(row, wasFrom, from, -1);
    count(row, to, wasTo, -1);
    count(row, from, wasFrom, 1);
    count(row, wasTo, to, 1);
  }
  cached.spans = spans;
  return bytes;
}

/** Cells of a row that are taken at once for an extreme. */
const RUN = 8;

/** The least of each run of 8 cells that begins at a cell, of what is left of the row; Infinity where none has data. */
function leastOfRuns(grid: Grid, key: string, values: Float64Array, sign: 1 | -1): Float64Array {
  return grid.derived(key, () => {
    const { width, height } = grid;
    const out = new Float64Array(values.length);
    for (let i = 0; i < out.length; i++) out[i] = Number.isNaN(values[i]!) ? Infinity : sign * values[i]!;
    // Runs of one cell make runs of two, those runs of four, and those runs of eight.
    for (let step = 1; step < RUN; step *= 2)
      for (let y = 0; y < height; y++)
        for (let at = y * width; at + step < (y + 1) * width; at++)
          if (out[at + step]! < out[at]!) out[at] = out[at + step]!;
    return out;
  });
}

/** The greatest value of a zone less the least, by runs of cells. */
function rangeOf(grid: Grid, spans: Spans, kind: string, values: Float64Array): number {
  const lows = leastOfRuns(grid, `least ${kind}`, values, 1);
  const highs = leastOfRuns(grid, `greatest ${kind}`, values, -1);
  let [low, high] = [Infinity, Infinity];
  for (let i = 0; i < spans.from.length; i++) {
    const row = (spans.row0 + i - grid.row0) * grid.width - grid.column0;
    const [from, to] = [row + spans.from[i]!, row + spans.to[i]!];
    // The last run may overlap the one before it: an extreme does not mind.
    let at = from;
    for (; at + RUN <= to; at += RUN) {
      if (lows[at]! < low) low = lows[at]!;
      if (highs[at]! < high) high = highs[at]!;
    }
    if (at === to) continue;
    if (to - from >= RUN) {
      if (lows[to - RUN]! < low) low = lows[to - RUN]!;
      if (highs[to - RUN]! < high) high = highs[to - RUN]!;
      continue;
    }
    for (; at < to; at++) {
      const value = values[at]!;
      if (value < low) low = value;
      if (-value < high) high = -value;
    }
  }
  return -high - low;
}
