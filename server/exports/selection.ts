import type { Catalog } from '../../datasets/catalog.ts';
import { judgeName } from '../../query/search/request/name.ts';
import { outputNames } from '../../query/search/request/surface.ts';
import { ServiceError } from '../errors/registry.ts';
import { fieldsUnknown, namesIn } from '../fetch/selection.ts';
import { MOST_EXPORT_FIELDS } from './limits.ts';
import type { ExportBody } from './schema.ts';

/** The fields of an export, by where their values come from. */
export interface ExportFields {
  /** All, in their order. */
  readonly names: readonly string[];
  /** Columns that the release has of every parcel: free. */
  readonly columns: readonly string[];
  /** Computed at the point of a row, and charged as POST /v1/fetch charges them. */
  readonly computed: readonly string[];
}

/**
 * The fields that a body asks for: the preset, then `fields`, each once. Parcels of a search have the columns of the release, and
 * what else fetch knows; rows of an upload have what fetch knows.
 * @param columns of the release.
 * @throws ServiceError no_fields_requested, fields_unknown, fields_too_many.
 */
export function exportFields(catalog: Catalog, columns: ReadonlySet<string>, body: ExportBody): ExportFields {
  const ofParcels = body.search !== undefined;
  const names = namesIn(catalog, body);
  if (names.length === 0 && !ofParcels) throw new ServiceError('no_fields_requested');
  const isColumn = (name: string) => ofParcels && judgeName(catalog, columns, name, 'output').status === 'usable';
  const stored = names.filter(isColumn);
  const computed = names.filter(name => !isColumn(name));
  const unknown = computed.filter(name => !catalog.fields.has(name));
  if (unknown.length > 0) {
    const accepted = ofParcels ? [...catalog.fields.keys(), ...outputNames(catalog)] : catalog.fields.keys();
    throw fieldsUnknown(catalog, unknown, accepted);
  }
  if (names.length > MOST_EXPORT_FIELDS) {
    const counts = { requested: names.length, max: MOST_EXPORT_FIELDS };
    throw new ServiceError('fields_too_many', counts, counts);
  }
  return { names, columns: stored, computed };
}
