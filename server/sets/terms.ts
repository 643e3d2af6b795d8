import { parseSearchBody } from '../search/body.ts';
import { SEARCH_LIMIT_MS } from '../search/operation.ts';
import { SET_CODES } from './codes.ts';

/** What free operations over all parcels that pass filters declare alike. */
export const SET_TERMS = {
  tag: 'Sets of parcels',
  judge: 'operation',
  errors: SET_CODES,
  parse: parseSearchBody,
  scopes: ['read'],
  price: { credits: 0, unit: 'per call' },
  rate: 'plan',
  withoutState: true,
  limitMs: SEARCH_LIMIT_MS,
  page: 'docs/sets.md',
} as const;
