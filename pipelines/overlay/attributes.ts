import { catalog as builtIn, type Catalog } from '../../datasets/catalog.ts';

/** The catalog with the attributes of parcels that are computed: they are stored as fields of parcel_store. */
export function overlayCatalog(catalog: Catalog = builtIn): Catalog {
  return catalog;
}
