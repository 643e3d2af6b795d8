import type { Catalog } from '../../datasets/catalog.ts';
import type { Dataset, Field } from '../../datasets/dataset.ts';

/** A field that is asked for, and the dataset that stands for its source where nothing could be read. */
export interface RequestedField {
  readonly field: Field;
  readonly dataset: Dataset;
}

/** The fields of some names. @throws RangeError for a name the catalog lacks. */
export const requestedFields = (catalog: Catalog, names: readonly string[]): RequestedField[] =>
  names.map(name => {
    const field = catalog.fields.get(name);
    if (!field) throw new RangeError(`No field ${name} in the catalog`);
    return { field, dataset: catalog.datasets.get(field.dataset)! };
  });
