import type { FeatureFile } from '../../format/flatgeobuf.ts';
import { parcelId } from '../../format/parcel-id.ts';
import {
  type AcceptedCorrection,
  type CorrectedValue,
  type CorrectionList,
  isNear,
  REACH_M,
} from './correction-list.ts';

/** Degrees about a place in which rows are looked for that it may concern: more than REACH_M, up to 72° north. */
const ABOUT = (REACH_M / 111_000) * 4;

/** Names of corrected values → values, by row. */
export type CorrectedRows = ReadonlyMap<number, ReadonlyMap<string, CorrectedValue>>;

/**
 * The rows of a file of parcels that corrections are about: their parcels, and those whose interior point lies at a corrected
 * place, because that is where values of parcels are read.
 * @throws DamagedFile when a row cannot be read.
 */
export function correctedRows(file: FeatureFile, { entries }: CorrectionList): CorrectedRows | null {
  if (entries.length === 0 || file.count === 0 || !file.hasColumn('parcel_key')) return null;
  const pick = file.columnPick(['parcel_key', 'centroid_lat', 'centroid_lon']);
  const rows = new Map<number, Map<string, CorrectedValue>>();
  const isAbout = (entry: AcceptedCorrection, row: number): boolean => {
    const { parcel_key: key = null, centroid_lat: lat, centroid_lon: lng } = file.pick(row, pick);
    if (entry.parcel_id !== null) return parcelId(key) === entry.parcel_id;
    return typeof lat === 'number' && typeof lng === 'number' && isNear(entry, { lat, lng });
  };
  // What is about a place says more than what is about all of a parcel, and comes last.
  for (const entry of [...entries].sort((a, b) => Number(a.parcel_id === null) - Number(b.parcel_id === null))) {
    const { lng, lat, field, also, value } = entry;
    const near: number[] = [];
    file.search([lng - ABOUT, lat - ABOUT, lng + ABOUT, lat + ABOUT], row => void near.push(row));
    for (const row of near) {
      if (!isAbout(entry, row)) continue;
      const of = rows.get(row) ?? new Map<string, CorrectedValue>();
      for (const name of [field, ...also]) of.set(name, value);
      rows.set(row, of);
    }
  }
  return rows.size > 0 ? rows : null;
}
