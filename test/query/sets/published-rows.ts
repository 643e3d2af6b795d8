import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { currentId, openReleaseById } from '../../../query/release/open-release.ts';

/** A parcel as the GeoParquet files of a release have it, read without Plat: columns by name, and the key of its county. */
export type PublishedRow = Readonly<Record<string, unknown>> & { readonly fips: string; readonly outline: string };

/** Calculations that stand beside the parcels' own columns. */
export const CALCULATED = [
  'nearest_road_distance_m',
  'land_cover_class',
  'building_count_within_1km',
  'nearest_sfha_distance_m',
] as const;

/** Every parcel of a home's current release in stored order, with calculations beside the attributes. */
export async function publishedRows(home: string): Promise<PublishedRow[]> {
  const release = openReleaseById(home, currentId(home)!);
  const instance = await DuckDBInstance.create();
  const db = await instance.connect();
  const out: PublishedRow[] = [];
  for (const { key, files } of release.layer('parcel_store', 'main')!.partitions) {
    const pathOf = (list: typeof files, role: string) =>
      join(home, 'releases', list.find(file => file.role === role)!.path);
    const { sha256 } = files.find(file => file.role === 'features')!;
    const overlays = Object.values(release.manifest.overlays?.[sha256] ?? {});
    const joins = CALCULATED.map((name, i) => {
      const overlay = overlays.find(({ fields }) => fields.includes(name))!;
      return `JOIN (SELECT ord, "${name}" FROM read_parquet('${pathOf(overlay.files, 'columns')}')) c${i} USING (ord)`;
    });
    const read = await db.runAndReadAll(
      `SELECT * EXCLUDE (geometry), geometry::VARCHAR AS outline FROM read_parquet('${pathOf(files, 'rows')}') ${joins.join(' ')} ORDER BY ord`,
    );
    const fips = key.split('/')[1]!;
    for (const row of read.getRowObjectsJS()) {
      const plain = Object.entries(row).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? Number(value) : value,
      ]);
      out.push({ ...Object.fromEntries(plain), fips, outline: String(row.outline) });
    }
  }
  db.closeSync();
  instance.closeSync();
  return out;
}
