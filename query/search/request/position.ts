import { hash } from 'node:crypto';
import { latLngToCell } from 'h3-js';
import { memo } from '../../../datasets/memo.ts';
import { DamagedFile } from '../../format/damaged-file.ts';
import type { FeatureFile } from '../../format/flatgeobuf.ts';
import { hilbertOf } from '../../geometry/hilbert.ts';

/** H3 resolution of the cells that parcels are ordered by before their Hilbert rank. */
const ORDER_RESOLUTION = 5;

/** The last parcel that a page has judged, by the key of the stored order, so that it holds in a later release too. */
export interface Position {
  readonly state: string;
  /** Five digits. */
  readonly fips: string;
  /** Row in the county's file, and that file: valid while the file is the same. -1 before the first row. */
  readonly ord: number;
  readonly file: string;
  /** Order key: H3 cell, Hilbert rank, and a digest of the parcel's key; null before the first row and where it cannot be read. */
  readonly key: readonly [cell: string, rank: number, digest: string] | null;
}

/** A county's file of parcels in stored order. */
export interface CountyFile {
  readonly state: string;
  readonly fips: string;
  /** SHA-256 of the file that `ord` counts in. */
  readonly file: string;
}

const keyColumns = memo((parcels: FeatureFile) => parcels.columnPick(['centroid_lat', 'centroid_lon', 'parcel_key']));

function keyOf(parcels: FeatureFile, ord: number): readonly [string, number, string] {
  const properties = parcels.pick(ord, keyColumns(parcels));
  // The index holds exactly the box of the geometry.
  const [minX, minY, maxX, maxY] = parcels.box(ord);
  return [
    latLngToCell(Number(properties.centroid_lat), Number(properties.centroid_lon), ORDER_RESOLUTION),
    hilbertOf((minX + maxX) / 2, (minY + maxY) / 2),
    hash('sha256', String(properties.parcel_key), 'base64url').slice(0, 16),
  ];
}

/**
 * The position of a row. Where its order key cannot be read, it is good for as long as the file is the same.
 * @param ord -1 for the place before the first row.
 */
export function positionOf(county: CountyFile, parcels: FeatureFile | null, ord: number): Position {
  const { state, fips, file } = county;
  const at = { state, fips, ord, file };
  if (ord < 0 || !parcels) return { ...at, key: null };
  try {
    return { ...at, key: keyOf(parcels, ord) };
  } catch (error) {
    if (error instanceof DamagedFile) return { ...at, key: null };
    throw error;
  }
}

/** Negative when county `a` comes before `b` in stored order. */
export function compareCounties(a: Pick<CountyFile, 'state' | 'fips'>, b: Pick<CountyFile, 'state' | 'fips'>): number {
  for (const key of ['state', 'fips'] as const) if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
  return 0;
}

/**
 * The last row of a county's file that a position has behind it: found by the order key where the file is another one
 * than the position was taken in. Of several parcels with one key whose own was removed, none is skipped.
 * @returns -1 when no row is behind it.
 * @throws DamagedFile when a row cannot be read.
 */
export function ordAfter(position: Position, county: CountyFile, parcels: FeatureFile): number {
  if (position.file === county.file || position.key === null) return Math.min(position.ord, parcels.count - 1);
  const [cell, rank, digest] = position.key;
  const before = (ord: number) => {
    const [c, r] = keyOf(parcels, ord);
    return c < cell || (c === cell && r < rank);
  };
  let low = 0;
  let high = parcels.count;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (before(mid)) low = mid + 1;
    else high = mid;
  }
  for (let ord = low; ord < parcels.count; ord++) {
    const [c, r, d] = keyOf(parcels, ord);
    if (c !== cell || r !== rank) break;
    if (d === digest) return ord;
  }
  return low - 1;
}
