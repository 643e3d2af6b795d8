import { CENSUS } from './attributes/census.ts';
import { IDENTITY } from './attributes/identity.ts';
import { LEGAL } from './attributes/legal.ts';
import { MAILING } from './attributes/mailing.ts';
import { OVERLAY } from './attributes/overlay.ts';
import { OWNER } from './attributes/owner.ts';
import { RECORD } from './attributes/record.ts';
import { SALE } from './attributes/sale.ts';
import { SITUS } from './attributes/situs.ts';
import { STRUCTURE } from './attributes/structure.ts';
import { USE } from './attributes/use.ts';
import { VALUATION } from './attributes/valuation.ts';
import { ZONING } from './attributes/zoning.ts';

/** The stored columns of every parcel in every state's programme, in the order of the catalog. */
export const PARCEL_ATTRIBUTES = {
  ...IDENTITY,
  ...SITUS,
  ...USE,
  ...ZONING,
  ...STRUCTURE,
  ...VALUATION,
  ...SALE,
  ...OWNER,
  ...MAILING,
  ...LEGAL,
  ...CENSUS,
  ...OVERLAY,
  ...RECORD,
} as const;

export type ParcelAttributeName = keyof typeof PARCEL_ATTRIBUTES;
