import type { Catalog } from '../../../datasets/catalog.ts';
import { PARCELS } from '../../evaluate/parcel-at-point.ts';
import { calculatedNames } from '../../parcel/calculated-names.ts';
import type { Release } from '../../release/open-release.ts';

/** Names that a search can use: columns of the parcels' own files, and calculations. */
export const columnsOf = (release: Release | null, catalog: Catalog): ReadonlySet<string> =>
  new Set([
    ...(release?.layer(PARCELS.dataset, PARCELS.layer)?.columns ?? []),
    ...(release ? calculatedNames(release, catalog) : []),
  ]);
