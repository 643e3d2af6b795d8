import type { Catalog } from '../../../datasets/catalog.ts';
import type { ScalarType } from '../../../datasets/dataset.ts';
import { EXCLUDED_FROM_ENRICH } from '../../../datasets/enrich/enrich.ts';
import { ENRICH_ONLY } from '../../../datasets/enrich/enrich-only.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';

/** How a name is compared: the catalog's type, or one of the places whose text is normalised. */
export type NameKind = ScalarType | 'state' | 'county' | 'city' | 'area';

/** Outputs that render the parcel's boundary. */
export const BOUNDARY_OUTPUTS = ['geometry', 'parcel_boundary_geojson', 'parcel_geometry_wkt'] as const;

/** Square metres of the parcel: its acreage in the unit the fetch field has, so it needs no column of its own. */
export const PARCEL_AREA = 'parcel_area_m2';

const PLACES: Readonly<Record<string, NameKind>> = { state: 'state', state2: 'state', county: 'county', city: 'city' };

type NameVerdict =
  | { readonly status: 'usable'; readonly kind: NameKind }
  /** In the catalog, but this release has no column of it. */
  | { readonly status: 'not_built' }
  | { readonly status: 'enrich_only' }
  /** Another form of the boundary: an output, but no filter. */
  | { readonly status: 'output_only' }
  | { readonly status: 'unknown' };

/**
 * What a search may do with a name.
 * @param columns of the parcel layer and of calculations in the open release.
 * @param role `filter` takes `geometry` as an area; `output` takes all three forms of the boundary.
 */
export function judgeName(
  catalog: Catalog,
  columns: ReadonlySet<string>,
  name: string,
  role: 'filter' | 'output',
): NameVerdict {
  if (Object.hasOwn(ENRICH_ONLY, name)) return { status: 'enrich_only' };
  if ((BOUNDARY_OUTPUTS as readonly string[]).includes(name))
    return name === 'geometry' || role === 'output' ? { status: 'usable', kind: 'area' } : { status: 'output_only' };
  if (Object.hasOwn(PLACES, name)) return { status: 'usable', kind: PLACES[name]! };
  if (Object.hasOwn(PARCEL_ATTRIBUTES, name)) {
    const { type } = PARCEL_ATTRIBUTES[name as keyof typeof PARCEL_ATTRIBUTES];
    return columns.has(name) ? { status: 'usable', kind: type } : { status: 'not_built' };
  }
  const field = catalog.fields.get(name);
  // What enrichment leaves out, search does not have either.
  if (!field || EXCLUDED_FROM_ENRICH.has(name)) return { status: 'unknown' };
  if (name === PARCEL_AREA || columns.has(name)) return { status: 'usable', kind: field.type };
  return { status: 'not_built' };
}
