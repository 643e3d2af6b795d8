import { CENSUS } from './parcel-attributes/census.ts';
import { IDENTITY } from './parcel-attributes/identity.ts';
import { LEGAL } from './parcel-attributes/legal.ts';
import { MAILING } from './parcel-attributes/mailing.ts';
import { OVERLAY } from './parcel-attributes/overlay.ts';
import { OWNER } from './parcel-attributes/owner.ts';
import { RECORD } from './parcel-attributes/record.ts';
import { SALE } from './parcel-attributes/sale.ts';
import { SITUS } from './parcel-attributes/situs.ts';
import { STRUCTURE } from './parcel-attributes/structure.ts';
import { USE } from './parcel-attributes/use.ts';
import { VALUATION } from './parcel-attributes/valuation.ts';
import { ZONING } from './parcel-attributes/zoning.ts';

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
