import type { Dataset, Field } from './dataset.ts';
import type { Expression } from './grammar/expression.ts';

/**
 * Steps of numbers that Plat computes, in their unit: what the digits of their sources, or of the models behind them, can
 * carry. Published numbers that are passed on keep the publisher's own digits.
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
  kV: 0.1,
  'm/s': 0.01,
  'm3/s': 0.001,
  'm3/day': 0.1,
  'kWh/m2/day': 0.01,
  'kg/MWh': 0.01,
};
/** Distances where the layer states no accuracy: metres. */
const DISTANCE = 0.1;

/** Distances are told to a tenth of the accuracy of what they lead to, as a power of ten and a decimetre at least: metres. */
function distanceStep(accuracy: number | undefined): number {
  if (accuracy === undefined) return DISTANCE;
  return Math.max(DISTANCE, 10 ** Math.floor(Math.log10(accuracy / 10)));
}

const PASSING = ['polygon_attr', 'nearest_attr', 'area_key_attr', 'parcel_attr', 'agg_within'];

/** Whether a call gives a number as it was published. */
const passesOn = ({ op, options }: Expression): boolean =>
  PASSING.includes(op) &&
  options.scale === undefined &&
  options.offset === undefined &&
  (options.agg === undefined || ['max', 'latest', 'any'].includes(String(options.agg)));

/**
 * The step that a field's numbers are rounded to, in its unit: its own where it declares one, else by how it is computed.
 * @returns null for what is no number, and for numbers that are passed on as published.
 */
export function precisionOf(
  field: Pick<Field, 'expression' | 'type' | 'unit' | 'precision'>,
  datasets: ReadonlyMap<string, Dataset>,
): number | null {
  const { expression, type, unit, precision } = field;
  if (precision !== null) return precision;
  if (type !== 'number') return null;
  if (expression.op === 'nearest_distance') {
    const { dataset, layer } = expression.sources[0]!;
    const definition = datasets.get(dataset)?.layers[layer];
    return distanceStep(definition?.kind === 'vector' ? definition.accuracyM : undefined);
  }
  if (expression.op === 'parcel_attr' || passesOn(expression)) return null;
  return unit === null ? null : (STEPS[unit] ?? null);
}

/** A number in whole steps. @param step a power of ten. */
export function inSteps(value: number, step: number): number {
  const digits = Math.round(-Math.log10(step));
  const rounded = digits < 0 ? Math.round(value / step) * step : Math.round(value * 10 ** digits) / 10 ** digits;
  // There is no negative zero.
  return rounded === 0 ? 0 : rounded;
}
