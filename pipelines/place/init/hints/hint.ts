/** What the values of a column look like, whatever it is called; pipelines/place/init/looks.ts says how each is told. */
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
 * Column of a dataset's layer → what its values look like, and the names under which publishers of other products carry
 * it, apart from its own: words between blanks, more usual ones first, `_` between the parts of a name.
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
