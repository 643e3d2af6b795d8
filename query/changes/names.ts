import type { Catalog } from '../../datasets/catalog.ts';
import { ENRICH_ONLY } from '../../datasets/enrich/enrich-only.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';

/** Whether old and new values of a name can be told: an attribute of parcels, or what is calculated of them. */
export const isComparable = (catalog: Catalog, name: string): boolean =>
  catalog.fields.has(name) || Object.hasOwn(PARCEL_ATTRIBUTES, name) || Object.hasOwn(ENRICH_ONLY, name);
