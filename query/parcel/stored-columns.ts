import { memo } from '../../datasets/memo.ts';
import { OWNER_CALCULATION } from '../../datasets/parcel/owner-columns.ts';
import type { Overlay, ReleaseFile } from '../../datasets/release.ts';
import { Fault } from '../release/fault.ts';
import { areaKeyOf } from './built-columns.ts';

/** What is stored for the parcels of one file. */
export interface Stored {
  /** Field → overlay that has it in a column. */
  readonly columns: ReadonlyMap<string, { readonly dataset: string; readonly overlay: Overlay }>;
  /** Area key → overlay of it. Some have the name of a field, so they stand apart. */
  readonly keys: ReadonlyMap<string, Overlay>;
}

const NOTHING: Stored = { columns: new Map(), keys: new Map() };

/** The stored names of the overlays of one parcel file, found once. */
export const storedIn = (overlays: Readonly<Record<string, Overlay>> | undefined): Stored =>
  overlays ? storedBy(overlays) : NOTHING;
const storedBy = memo((overlays: Readonly<Record<string, Overlay>>): Stored => {
  const columns = new Map<string, { dataset: string; overlay: Overlay }>();
  const keys = new Map<string, Overlay>();
  for (const [dataset, overlay] of Object.entries(overlays)) {
    const key = areaKeyOf(dataset);
    if (key !== null) keys.set(key, overlay);
    else for (const field of overlay.fields) columns.set(field, { dataset, overlay });
  }
  return { columns, keys };
});

/**
 * What is stored without what was calculated of all parcels of an owner: that names parcels whose owner is withheld since, and is
 * calculated anew without them.
 */
export const withoutOwners = memo(({ columns, keys }: Stored): Stored => {
  const left = [...columns].filter(([field]) => field !== OWNER_CALCULATION);
  return { columns: new Map(left), keys };
});

/** The file of an overlay. @throws Fault when it has none of that role. */
export function fileOf({ files }: Overlay, role: 'columns' | 'records'): ReleaseFile {
  const file = files.find(f => f.role === role);
  if (!file) throw new Fault(`an overlay of this release has no ${role} file`);
  return file;
}
