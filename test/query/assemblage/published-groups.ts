import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Partition } from '../../../datasets/release.ts';
import { OVERLAPS, readNeighbours } from '../../../query/assemblage/neighbour-file.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { currentId, openReleaseById } from '../../../query/release/open-release.ts';
import { everyGroup } from './every-group.ts';

/** Parcels that every set of is tried, at most. */
const MOST = 18;

/** A parcel of a county as its GeoParquet file has it, read without Plat. */
interface PlainParcel {
  readonly id: string;
  readonly acres: number;
  readonly outline: string;
}

async function parcelsOf(path: string): Promise<PlainParcel[]> {
  const instance = await DuckDBInstance.create();
  const db = await instance.connect();
  const read = await db.runAndReadAll(
    `SELECT parcel_key, acreage, md5(geometry::VARCHAR) AS outline FROM read_parquet('${path}') ORDER BY ord`,
  );
  const rows = read.getRowObjectsJS() as { parcel_key: string; acreage: number; outline: string }[];
  db.closeSync();
  instance.closeSync();
  return rows.map(row => ({ id: parcelId(row.parcel_key), acres: Number(row.acreage), outline: row.outline }));
}

/** Files of a county by their roles. */
export const filesOf =
  (home: string, { files }: Partition) =>
  (role: string): string =>
    join(home, 'releases', files.find(file => file.role === role)!.path);

/** The acres of the smallest of so many largest parcels of a home's current release, outlines of several parcels among them. */
export async function acresOfLargest(home: string, count: number): Promise<number> {
  const { partitions } = openReleaseById(home, currentId(home)!).layer('parcel_store', 'main')!;
  const all: number[] = [];
  for (const partition of partitions)
    all.push(...(await parcelsOf(filesOf(home, partition)('rows'))).map(({ acres }) => acres));
  return all.sort((a, b) => b - a)[count - 1]!;
}

/** The groups of a home's current release by trying every set of the parcels with so many acres at least. */
export async function publishedGroups(home: string, least: number, acresMin: number, roadM: number) {
  const all: { ids: string[]; acres: number }[] = [];
  for (const partition of openReleaseById(home, currentId(home)!).layer('parcel_store', 'main')!.partitions) {
    const path = filesOf(home, partition);
    const parcels = await parcelsOf(path('rows'));
    const { starts, rows: others, widths } = readNeighbours(path('neighbours'));
    const stacked = Map.groupBy(parcels, ({ outline }) => outline);
    const used = [...parcels.keys()].filter(row => {
      const { acres, outline } = parcels[row]!;
      return acres >= least && stacked.get(outline)!.length === 1;
    });
    if (used.length > MOST) throw new Error(`${used.length} parcels are too many to try every set of`);
    const pairsOf = (isMeant: (width: number) => boolean) =>
      used.flatMap((row, a) =>
        used.flatMap((other, b) => {
          const at = [...others.subarray(starts[row], starts[row + 1])].indexOf(other);
          return b > a && at >= 0 && isMeant(widths[starts[row]! + at]!) ? [[a, b] as const] : [];
        }),
      );
    const land = {
      sizes: used.map(row => Math.round(parcels[row]!.acres * 1e5)),
      parcels: used.map(() => 1),
      owners: used.map(() => []),
      beside: pairsOf(width => width <= roadM * 100),
      clashes: pairsOf(width => width === OVERLAPS),
    };
    const size = Math.ceil(acresMin * 1e5);
    for (const group of everyGroup(land, { size, owners: null, parcels: 12, fixed: null }))
      all.push({ ids: group.pieces.map(piece => parcels[used[piece]!]!.id), acres: group.size / 1e5 });
  }
  return all.sort((a, b) => a.acres - b.acres);
}
