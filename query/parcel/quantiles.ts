import { readFile } from 'node:fs/promises';

/** Parts that quantiles divide the parcels into. */
const PARTS = 100;

/** The share of parcels of each quantile: 0, 0.01 … 1. */
export const PROBABILITIES: readonly number[] = Array.from({ length: PARTS + 1 }, (_, i) => i / PARTS);

/** The quantiles of one field of the parcels of an area. */
export interface FieldQuantiles {
  /** Parcels with a value. */
  readonly count: number;
  /** By PROBABILITIES: the least value that so large a share of the parcels does not exceed. One where all are equal. */
  readonly values: readonly number[];
}

/** The quantiles of the numeric fields of the parcels of an area. */
export interface AreaQuantiles {
  readonly parcels: number;
  /** Fields without any value are missing. */
  readonly fields: Readonly<Record<string, FieldQuantiles>>;
}

/** A value and how many parcels have it. */
export interface WeightedValue {
  readonly value: number;
  readonly weight: number;
}

/** The quantiles of values that stand for so many parcels each; null for none. */
export function quantilesOf(weighted: readonly WeightedValue[]): FieldQuantiles | null {
  const sorted = weighted.filter(({ weight }) => weight > 0).toSorted((a, b) => a.value - b.value);
  const count = sorted.reduce((sum, { weight }) => sum + weight, 0);
  if (count === 0) return null;
  let i = 0;
  let below = sorted[0]!.weight;
  const values = PROBABILITIES.map(share => {
    // Sums of fractions of parcels are exact to some 10⁻⁹ of them.
    while (below < share * count - 1e-6 && i < sorted.length - 1) below += sorted[++i]!.weight;
    return sorted[i]!.value;
  });
  return { count: Math.round(count), values: shortened(values) };
}

/** Quantiles that are all equal, as one. */
export const shortened = (values: readonly number[]): readonly number[] =>
  values.every(value => value === values[0]) ? values.slice(0, 1) : values;

/** All quantiles, also where all are equal. */
export const allOf = ({ values }: FieldQuantiles): readonly number[] =>
  values.length === 1 ? PROBABILITIES.map(() => values[0]!) : values;

/**
 * The quantiles of several areas together, from those of each. A share of parcels that they say is right to a hundredth; the least
 * and the greatest value and the counts are exact.
 */
export function together(areas: readonly AreaQuantiles[]): AreaQuantiles {
  const [first] = areas;
  if (first && areas.length === 1) return first;
  const names = [...new Set(areas.flatMap(({ fields }) => Object.keys(fields)))].sort();
  const fields = names.flatMap(name => {
    const own = areas.flatMap(area => area.fields[name] ?? []);
    const merged = quantilesOf(
      own.flatMap(one =>
        allOf(one)
          .slice(1)
          .map(value => ({ value, weight: one.count / PARTS })),
      ),
    );
    if (!merged) return [];
    const values = [...allOf(merged)];
    values[0] = Math.min(...own.map(one => one.values[0]!));
    return [[name, { count: merged.count, values: shortened(values) }] as const];
  });
  return { parcels: areas.reduce((sum, { parcels }) => sum + parcels, 0), fields: Object.fromEntries(fields) };
}

/** The shares of parcels, in hundredths, whose value is below and above a value: both are at least so large. */
export function sharesAbout(
  value: number,
  quantiles: FieldQuantiles,
): { readonly below: number; readonly above: number } {
  const values = allOf(quantiles);
  const below = values.filter(quantile => quantile < value).length - 1;
  const first = values.findIndex(quantile => quantile > value);
  return { below: Math.max(0, below) / PARTS, above: first < 0 ? 0 : (PARTS - first) / PARTS };
}

/** Reads a file of quantiles. @throws Error when it is none. */
export async function readQuantiles(path: string): Promise<AreaQuantiles> {
  const read = JSON.parse(await readFile(path, 'utf8')) as AreaQuantiles;
  if (typeof read.parcels !== 'number' || typeof read.fields !== 'object') throw new Error('it holds no quantiles');
  return read;
}
