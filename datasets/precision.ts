import type { Dataset, Field } from './dataset.ts';

/**
 * Steps of numbers in their unit: what the digits of their sources, or of the models behind them, can carry, whether Plat
 * computes them or passes them on. Publishers print scores and rates as their software held them (9.281418624 of 100).
 */
const STEPS: Readonly<Record<string, number>> = {
  // Heights of 1/3 arc-second models are right within 0.82 m (USGS, 3DEP), differences of near cells within decimetres.
  m: 0.1,
  degrees: 0.01,
  percent: 0.01,
  fraction: 0.0001,
  degC: 0.1,
  'degF-days': 1,
  'days/year': 0.1,
  mm: 0.1,
  cm: 0.1,
  g: 0.0001,
  dBA: 0.1,
  probability: 1e-7,
  index: 0.0001,
  MW: 0.1,
  MWac: 0.01,
  acres: 0.01,
  'sq ft': 1,
  ft: 0.01,
  kV: 0.1,
  'm/s': 0.01,
  'm3/s': 0.001,
  'm3/day': 0.1,
  'kWh/m2/day': 0.01,
  'kg/MWh': 0.01,
  m2: 0.1,
  in: 0.01,
  percentile: 0.01,
  Mbps: 0.1,
  'minutes/year': 0.1,
  // Money to the cent; prices of a kilowatt-hour to a hundredth of one.
  USD: 0.01,
  'USD/year': 0.01,
  'USD/kWh': 0.0001,
};
/** Distances where the layer states no accuracy: metres. */
const DISTANCE = 0.1;

/** Distances are told to a tenth of the accuracy of what they lead to, as a power of ten and a decimetre at least: metres. */
function distanceStep(accuracy: number | undefined): number {
  if (accuracy === undefined) return DISTANCE;
  return Math.max(DISTANCE, 10 ** Math.floor(Math.log10(accuracy / 10)));
}

/**
 * The step that a field's numbers are rounded to, in its unit: its own where it declares one, else by its unit, of distances
 * by the layer.
 * @returns null for what is no number.
 */
export function precisionOf(
  field: Pick<Field, 'expression' | 'type' | 'unit' | 'precision'>,
  datasets: ReadonlyMap<string, Dataset>,
): number | null {
  const { expression, type, unit, precision } = field;
  if (precision === null && type === 'number' && expression.op === 'nearest_distance') {
    const { dataset, layer } = expression.sources[0]!;
    const definition = datasets.get(dataset)?.layers[layer];
    return distanceStep(definition?.kind === 'vector' ? definition.accuracyM : undefined);
  }
  return stepOf(type, unit, precision);
}

/** The step of numbers in a unit. @param own that is declared instead. @returns null for what is no number. */
export function stepOf(type: string, unit: string | null, own: number | null): number | null {
  if (own !== null) return own;
  return type !== 'number' || unit === null ? null : (STEPS[unit] ?? null);
}

/** Two ways of measuring one distance agree to this many metres and better: less than it is none. */
export const DISTANCE_NOISE = 1e-6;

/** A distance in whole steps; what lies apart is a step away at least, because 0 says that it is met. @param step as of inSteps. */
export const distanceInSteps = (metres: number, step: number): number =>
  metres > DISTANCE_NOISE ? Math.max(step, inSteps(metres, step)) : 0;

/** A number in whole steps. @param step a power of ten. */
export function inSteps(value: number, step: number): number {
  const digits = Math.round(-Math.log10(step));
  const rounded = digits < 0 ? Math.round(value / step) * step : Math.round(value * 10 ** digits) / 10 ** digits;
  // There is no negative zero.
  return rounded === 0 ? 0 : rounded;
}
