import type { Catalog } from '../../datasets/catalog.ts';
import { ENRICH_ONLY } from '../../datasets/enrich/enrich-only.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';

/** The names whose old and new values can be told: attributes of parcels, and what is calculated of them. */
export const comparableNames = (catalog: Catalog): ReadonlySet<string> =>
  new Set([...catalog.fields.keys(), ...Object.keys(PARCEL_ATTRIBUTES), ...Object.keys(ENRICH_ONLY)]);
