import type { Catalog } from '../../../datasets/catalog.ts';
import { EXCLUDED_FROM_ENRICH } from '../../../datasets/enrich/enrich.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import { BOUNDARY_OUTPUTS } from './name.ts';

/**
 * Names that a filter may name: the calculations that are made for every parcel, the stored attributes, and the state and
 * boundary of the parcel.
 */
export function filterNames(catalog: Catalog): ReadonlySet<string> {
  const calculated = [...catalog.fields.keys()].filter(name => !EXCLUDED_FROM_ENRICH.has(name));
  return new Set([...calculated, ...Object.keys(PARCEL_ATTRIBUTES), 'state', 'geometry']);
}

/** Names that a search may be asked to answer: those of filters, and every form of the boundary. */
export function outputNames(catalog: Catalog): ReadonlySet<string> {
  return new Set([...filterNames(catalog), ...BOUNDARY_OUTPUTS]);
}
