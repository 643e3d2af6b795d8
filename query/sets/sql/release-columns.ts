import type { Catalog } from '../../../datasets/catalog.ts';
import { PARCELS } from '../../evaluate/parcel-at-point.ts';
import { calculationTable, isAreaField } from '../../parcel/built-columns.ts';
import { storedIn } from '../../parcel/stored-columns.ts';
import type { Release } from '../../release/open-release.ts';
import type { SqlColumns } from './set-query.ts';

/** The columns of a release's parcels. @param names that its parcels have values of. */
export function sqlColumnsOf(release: Release, catalog: Catalog, names: ReadonlySet<string>): SqlColumns {
  const { overlays } = release.manifest;
  const partitions = release.layer(PARCELS.dataset, PARCELS.layer)?.partitions ?? [];
  const overlayOf = (name: string): string | null => {
    for (const { files } of partitions) {
      const parcels = files.find(({ role }) => role === 'features');
      const place = parcels && storedIn(overlays?.[parcels.sha256]).columns.get(name);
      if (place) return place.dataset;
    }
    return null;
  };
  return {
    names,
    tableOf(name) {
      const overlay = overlayOf(name);
      return overlay === null ? null : calculationTable(overlay);
    },
    isLookedUp(name) {
      const field = catalog.fields.get(name);
      return field !== undefined && isAreaField(field) && overlayOf(name) === null;
    },
  };
}
