import type { Catalog } from '../api/catalog.ts';
import { wordsOf } from '../api/titles.ts';
import { valueWords } from '../values/value-words.ts';
import { type Filter, operatorText } from './filter.ts';

/** What a condition asks of parcels, such as "Acreage is at least 5 acres". An area is drawn and not told. */
export function conditionWords({ field, op, value }: Filter, catalog: Catalog | null): string {
  if (field === 'geometry') return op === 'within' ? 'Wholly inside the area' : 'Touching the area';
  const meta = catalog?.fields.get(field);
  const told = (one: unknown) => valueWords(one, meta?.unit, field);
  const values = Array.isArray(value) ? value.map(told) : [told(value)];
  return `${meta?.title ?? wordsOf(field)} ${operatorText(op)} ${values.join(op === 'between' ? ' and ' : ', ')}`;
}

/** A count of parcels in words. */
export const parcelCount = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'parcel' : 'parcels'}`;

/** The verb of so many. */
export const pass = (count: number): string => (count === 1 ? 'passes' : 'pass');
