import { MAILING } from './attributes/mailing.ts';
import { OWNER } from './attributes/owner.ts';

/** Columns that say who owns or sold a parcel, lives there or gets its mail: what an operator withholds is withheld in all of them. */
export const OWNER_COLUMNS: ReadonlySet<string> = new Set([
  ...Object.keys(OWNER),
  ...Object.keys(MAILING),
  'seller_name',
]);

/** The field of the catalog that tells an owner, and the calculation of enrichment that is made of owners. */
export const OWNER_FIELD = 'parcel_owner';
export const OWNER_CALCULATION = 'owner_assemblage';
