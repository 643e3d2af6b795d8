import type { Field } from '../../../datasets/dataset.ts';

/** The kind of answer that a text asks for or a field gives. */
export type Quantity = 'distance' | 'count' | 'name' | 'yes_no' | 'share' | 'area';

const WORDS: readonly (readonly [RegExp, Quantity])[] = [
  [/\b(?:how many|number of|count of|counts? |total number)\b|\bcount$/i, 'count'],
  [/\b(?:how far|how close|distance|proximity|closeness|(?:miles|met(?:er|re)s|feet|km) (?:to|from))\b/i, 'distance'],
  [/\b(?:names? of|which|called|who (?:is|serves|provides|operates|runs))\b|\bname$/i, 'name'],
  [/\b(?:percent(?:age)?|share|fraction|proportion)\b|%/i, 'share'],
  [
    /^(?:is|are|does|do|has|was)\b|\b(?:whether|yes or no|inside an? |is (?:it|the (?:site|parcel|property)) )/i,
    'yes_no',
  ],
];

/** The kind that a text asks for; null when it leaves that open. */
export const quantityIn = (text: string): Quantity | null =>
  WORDS.find(([pattern]) => pattern.test(text.trim()))?.[1] ?? null;

/** The kind that a field gives; null when only its words can tell. */
export function quantityOf({ type, unit, expression, name }: Field): Quantity | null {
  if (type === 'boolean') return 'yes_no';
  if (expression.op === 'nearest_distance' || /_distance_(?:m|km)$/.test(name)) return 'distance';
  if (unit === 'count' || expression.op === 'count_within' || /(?:^|_)count(?:_|$)/.test(name)) return 'count';
  if (type === 'string') return 'name';
  if (unit === 'percent' || unit === 'fraction') return 'share';
  return null;
}

/** The search radius of a field in metres; null when it has none. */
export function radiusOf({ expression }: Field): number | null {
  const { radius_m: m, radius_km: km } = expression.options as Record<string, unknown>;
  if (typeof m === 'number') return m;
  return typeof km === 'number' ? km * 1000 : null;
}
