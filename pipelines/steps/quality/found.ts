import type { LayerQuality, Placed } from '../../../datasets/release.ts';
import type { Breach } from './breach.ts';

/** A measure that is not met, and what was found. */
export type Found = Pick<Breach, 'what'> & Partial<Pick<Breach, 'column' | 'rows'>>;
export type Unmet = readonly [measure: string, found: Found];

/** The content of a file, or of all files of a layer, in this run or in the release before. */
export interface Contents {
  readonly stored: number;
  /** Null in releases that did not measure. */
  readonly quality: LayerQuality | null;
}

/** Returns a share as text: `0.22 %`, `12.5 %`, `99.95 %`. */
export const percent = (share: number) =>
  `${Number((100 * share).toFixed(share < 0.1 || (share > 0.9 && share < 1) ? 2 : 1))} %`;

const GROUNDS: Readonly<Record<NonNullable<Placed['within']>, string>> = {
  coverage: 'the coverage',
  county: 'the county',
  place: "the place's coverage",
  state: 'the state',
  country: 'the United States',
};
/** Returns in words the ground with which features were compared. */
export const groundName = ({ within }: Pick<Placed, 'within'>): string => GROUNDS[within ?? 'coverage'];

/** Returns a number of rows as text: `1 row`, `12 rows`. */
export const rowsOf = (n: number) => `${n} ${n === 1 ? 'row' : 'rows'}`;

/** Whether a share exceeds its bound by more than the rounding of doubles. */
export const exceeds = (share: number, bound: number) => share > bound + 1e-9;
