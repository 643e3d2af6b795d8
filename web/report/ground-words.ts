import type { FieldRecord } from '../values/field-record.ts';
import { valueText } from '../values/value-text.ts';
import { valueWords } from '../values/value-words.ts';

/** A value with its share of some ground. */
interface ValueShare {
  readonly value: unknown;
  readonly share: number;
  readonly acres: number;
}

/** What a field says of a whole ground. */
export type Statistics =
  | { readonly kind: 'shares'; readonly shares: readonly ValueShare[] }
  | { readonly kind: 'covered'; readonly share: number; readonly acres: number }
  | { readonly kind: 'range'; readonly min: number; readonly mean: number; readonly max: number }
  | { readonly kind: 'count'; readonly count: number }
  | { readonly kind: 'sum' | 'max'; readonly value: number }
  | { readonly kind: 'distance'; readonly metres: number };

/** A record of a field at a point of a ground, with what it says of all of it. */
export interface GroundRecord extends FieldRecord {
  readonly area:
    | (Pick<FieldRecord, 'status' | 'source' | 'source_url' | 'dataset_vintage'> & {
        readonly statistics: Statistics | null;
      })
    | null;
}

/** Values of a ground that are told one by one. */
const MOST_SHARES = 4;
/** Shares that are told. */
const LEAST_SHARE = 0.001;

const part = (share: number, acres: number) =>
  `${valueWords(share, 'fraction')} (${valueWords(acres, 'acres', 'acreage')})`;

/** What a field says of a ground in words; empty where it says nothing that a report tells. */
export function groundWords(statistics: Statistics, unit: string | null, name: string): string {
  switch (statistics.kind) {
    case 'shares': {
      const told = statistics.shares.filter(({ share }) => share >= LEAST_SHARE);
      const more = told.length - MOST_SHARES;
      const words = told
        .slice(0, MOST_SHARES)
        .map(({ value, share, acres }) => `${valueText(value, unit)}: ${part(share, acres)}`);
      return [...words, ...(more > 0 ? [`${more} more`] : [])].join('; ');
    }
    case 'covered':
      return statistics.share === 0 ? 'none of it' : part(statistics.share, statistics.acres);
    case 'range': {
      const [min, mean, max] = [statistics.min, statistics.mean, statistics.max].map(one =>
        valueWords(one, unit, name),
      );
      return `${min} to ${max}, ${mean} on average`;
    }
    case 'count':
      return statistics.count === 0 ? 'none' : statistics.count.toLocaleString('en-US');
    case 'sum':
    case 'max':
      return valueWords(statistics.value, unit, name);
    case 'distance':
      return statistics.metres === 0 ? 'on it' : `${valueWords(statistics.metres, 'm', 'distance')} away`;
  }
}
