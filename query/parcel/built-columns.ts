import type { Catalog } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import { layersNeeded } from '../evaluate/version.ts';

const AREA_OVERLAY = 'area_key.';

/** The overlay that holds an area key of each parcel instead of values of the tables that are looked up by it. */
export const areaOverlayOf = (key: string): string => `${AREA_OVERLAY}${key}`;

/** The table of SQL that has the values of an overlay: the datasets that feed it, in letters that need no quotes. */
export const calculationTable = (overlay: string): string => overlay.replaceAll('+', '__');

/** The area key that an overlay holds; null for one of values. */
export const areaKeyOf = (overlay: string): string | null =>
  overlay.startsWith(AREA_OVERLAY) ? overlay.slice(AREA_OVERLAY.length) : null;

/** Column of such an overlay that tells which places' coverage of its tables holds the parcel. */
export const COVER = 'cover';

/** The area keys, each an overlay of its own: what feeds one need not feed another. */
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
 * Fields that can be computed in a release: every layer that they need is installed. Of the others a calculation would
 * say no more than that, for every parcel.
 * @param installed whether the release has a layer.
 */
export function computable(catalog: Catalog, installed: (dataset: string, layer: string) => boolean): Field[] {
  return [...catalog.fields.values()].filter(field =>
    layersNeeded(catalog, field.name).every(id => {
      const [dataset, layer] = id.split(':') as [string, string];
      return installed(dataset, layer);
    }),
  );
}
