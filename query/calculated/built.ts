import type { Catalog } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import { layersRead } from '../version.ts';

/** Overlay that holds the area keys of each parcel instead of values of tables. */
export const AREA_OVERLAY = 'area_keys';

/** Column of that overlay that tells which places' coverage of tables holds the parcel. */
export const COVER = 'cover';

/** The keys of operators.md in the order of the overlay's columns. */
export const AREA_KEY_NAMES = [
  'county_fips',
  'tract_geoid',
  'block_geoid',
  'huc12',
  'zcta_utility',
  'utility_eia_id',
  'egrid_subregion',
] as const;

/** Whether a field's value is looked up in a table by the area that holds the point: only the key is stored. */
export const isAreaField = (field: Field): boolean => field.expression.op === 'area_key_attr';

/** The area key by which a field of a table is looked up. */
export const keyNameOf = (field: Field): string => String(field.expression.options.key);

/**
 * Fields that can be computed in a release: every layer that they read is installed. Of the others a calculation would
 * say no more than that, for every parcel.
 * @param installed whether the release has a layer.
 */
export function computable(catalog: Catalog, installed: (dataset: string, layer: string) => boolean): Field[] {
  return [...catalog.fields.values()].filter(field =>
    layersRead(catalog, field.name).every(id => {
      const [dataset, layer] = id.split(':') as [string, string];
      return installed(dataset, layer);
    }),
  );
}
