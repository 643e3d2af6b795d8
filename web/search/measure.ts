import type { Catalog } from '../api/catalog.ts';
import { wordsOf } from '../api/titles.ts';

/** What groups are colored by. */
export interface Measure {
  readonly op: string;
  /** Null for the number of parcels. */
  readonly field: string | null;
}

/** Measures as addresses and as people say them. */
export const MEASURES: readonly (readonly [op: string, text: string])[] = [
  ['count', 'Number of parcels'],
  ['sum', 'Sum of'],
  ['median', 'Median of'],
  ['mean', 'Mean of'],
  ['least', 'Least'],
  ['greatest', 'Greatest'],
];

const OPS: Readonly<Record<string, string>> = { least: 'min', greatest: 'max', median: 'quantile' };

/** Reads a measure of an address, such as `median:parval`; the number of parcels without one. */
export function readMeasure(text: string | undefined): Measure {
  const [op = '', field = ''] = (text ?? '').split(':');
  if (op === 'count' || field === '' || !MEASURES.some(([name]) => name === op)) return { op: 'count', field: null };
  return { op, field };
}

/** A measure as an aggregate takes it. */
export function measureBody({ op, field }: Measure): object {
  if (field === null) return { op: 'count' };
  return { op: OPS[op] ?? op, field, ...(op === 'median' ? { q: 0.5 } : {}) };
}

/** A measure in words, such as "Median of Total value". */
export function measureWords({ op, field }: Measure, catalog: Catalog | null): string {
  const text = MEASURES.find(([name]) => name === op)![1];
  return field === null ? text : `${text} ${catalog?.fields.get(field)?.title ?? wordsOf(field)}`;
}
