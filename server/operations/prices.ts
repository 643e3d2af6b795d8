import { ENDPOINT_PRICES, type Price } from '../plans.ts';
import { OPERATIONS } from './registry.ts';

/** The price of a call of every endpoint that has one. */
export const PRICES: readonly Price[] = [
  ...ENDPOINT_PRICES,
  ...OPERATIONS.map(({ route, price }) => ({ endpoint: route, ...price })),
];
