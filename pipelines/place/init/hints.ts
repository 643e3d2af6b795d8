import { CENSUS } from './hints/census.ts';
import { GROUND } from './hints/ground.ts';
import type { LayerHints } from './hints/hint.ts';
import { PARCEL_PLACE } from './hints/parcel-place.ts';
import { PARCEL_ROLL } from './hints/parcel-roll.ts';
import { PARCEL_STRUCTURE } from './hints/parcel-structure.ts';

/** Names that publishers use for the layers of the catalog and their columns. To add a name, add one line. */
export const HINTS: LayerHints = {
  'parcel_store:main': {
    files: `parcels parcel tax_parcels taxparcels tax_lots lots cadastral cadastre parcel_polygons land_parcels parcel_lots
      property_boundaries parcels_public assessor_parcels`,
    size: [20, 200_000],
    columns: { ...PARCEL_PLACE, ...PARCEL_ROLL, ...PARCEL_STRUCTURE },
  },
  ...CENSUS,
  ...GROUND,
};
