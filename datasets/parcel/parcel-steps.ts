import type { Value } from '../dataset.ts';
import { inSteps, stepOf } from '../precision.ts';
import type { ParcelAttribute } from './parcel-attribute.ts';
import { PARCEL_ATTRIBUTES } from './parcel-attributes.ts';

const attributes: readonly (readonly [string, ParcelAttribute])[] = Object.entries(PARCEL_ATTRIBUTES);

/** Step that the numbers of each stored attribute are rounded to, in its unit; attributes that are no number have none. */
export const PARCEL_STEPS: ReadonlyMap<string, number> = new Map(
  attributes.flatMap(([name, { type, unit, precision }]) => {
    const step = stepOf(type, unit ?? null, precision ?? null);
    return step === null ? [] : [[name, step] as const];
  }),
);

/** Those that sources publish: what Plat computes it rounds where it computes it. */
const PUBLISHED = [...PARCEL_STEPS].filter(
  ([name]) => !(PARCEL_ATTRIBUTES as Readonly<Record<string, ParcelAttribute>>)[name]!.computed,
);

/**
 * A parcel's attributes with published numbers in their steps. Parcels are stored so: search compares and answers what is
 * stored, and enrichment, lookup and fetch read the same.
 */
export function inParcelSteps(properties: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const rounded: Record<string, Value> = { ...properties };
  for (const [name, step] of PUBLISHED) {
    const value = rounded[name];
    if (typeof value === 'number') rounded[name] = inSteps(value, step);
  }
  return rounded;
}
