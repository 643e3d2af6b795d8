import { type Static, Type } from 'typebox';
import type { ErrorCode } from '../errors/registry.ts';

/** Error codes of endpoints that resolve an address, without the code for overload. */
export const ADDRESS_CODES = [
  'address_form_unsupported',
  'address_not_found',
  'address_too_coarse',
  'geocode_busy',
  'geocode_upstream_error',
  'geocode_timeout',
  'geocode_forbidden',
  'geocode_budget_exhausted',
  'geocode_unconfigured',
] as const satisfies readonly ErrorCode[];

/** The address in a body that has no other locator: 1 to 256 characters, not only spaces. */
const ADDRESS = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: '\\S',
  description: 'Street address in the United States.',
});

export const GeocodeBody = Type.Object(
  { address: ADDRESS },
  { additionalProperties: false, examples: [{ address: '73 Harlow St, Bangor, ME 04401' }] },
);
export type GeocodeBody = Static<typeof GeocodeBody>;
