/** The look of a column's values, whatever its name is; pipelines/place/init/looks.ts tests each look. */
export type Look =
  | 'acres'
  | 'address'
  | 'area_m2'
  | 'block'
  | 'boolean'
  | 'building_sqft'
  | 'city'
  | 'code'
  | 'count'
  | 'cowardin'
  | 'date'
  | 'description'
  | 'digits'
  | 'direction'
  | 'district'
  | 'feet'
  | 'fips2'
  | 'fips3'
  | 'fips5'
  | 'flood_zone'
  | 'geoid7'
  | 'geoid10'
  | 'geoid11'
  | 'geoid12'
  | 'geoid15'
  | 'height'
  | 'house_number'
  | 'id'
  | 'legal'
  | 'lot'
  | 'lot_sqft'
  | 'money'
  | 'name'
  | 'number'
  | 'owner_type'
  | 'parcel_id'
  | 'plss'
  | 'road_class'
  | 'road_name'
  | 'sfha'
  | 'small_number'
  | 'state'
  | 'street'
  | 'street_name'
  | 'street_type'
  | 'text'
  | 'unit'
  | 'url'
  | 'use_code'
  | 'use_text'
  | 'year'
  | 'zip'
  | 'zone'
  | 'zone_text';

/**
 * Column of a dataset's layer → the look of its values, and the names that publishers of other products use for it. Blanks
 * separate names, `_` the parts of a name; usual names come first. The column's own name is not in the list.
 */
export type ColumnHints = Readonly<Record<string, readonly [Look, string]>>;

/** `dataset:layer` → how files of it are named, how large its polygons are (median, m²), and its columns. */
export type LayerHints = Readonly<
  Record<
    string,
    {
      readonly files: string;
      readonly size?: readonly [number, number];
      readonly columns: ColumnHints;
    }
  >
>;
