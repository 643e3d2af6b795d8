import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GdalThread } from '../../ingest/gdal-thread.ts';
import { writeArchive } from './format/archive.ts';
import type { WorldFile } from './format/file.ts';
import { writeGeodatabase } from './format/geodatabase.ts';
import { writeGeopackage } from './format/geopackage.ts';
import { writeGeotiff } from './format/geotiff.ts';
import { writeShapefile } from './format/shapefile.ts';
import { gathered, writeCsv, writeGeojson, writeText } from './format/table.ts';
import { writeWorkbook } from './format/workbook.ts';
import { worldFiles } from './layer.ts';
import { makeWorld } from './world.ts';

interface GenerateOptions {
  /** Rows of the parcel roll. */
  readonly parcels: number;
  readonly seed: number;
  /** Folder to write to; made when missing, files of the same names are replaced. */
  readonly out: string;
  /** Writes these paths alone; by default every file of the area. */
  readonly only?: ReadonlySet<string>;
  /** Called before each file with its path and how many are done of how many. */
  readonly onProgress?: (path: string, done: number, total: number) => void;
}

/** What was written. */
export interface WorldSummary {
  readonly out: string;
  readonly parcels: number;
  readonly seed: number;
  /** Rows (cells of a raster, lines of a text or a workbook's sheets) and bytes of every file. */
  readonly files: readonly { readonly path: string; readonly rows: number; readonly bytes: number }[];
}

async function write(path: string, file: WorldFile, gdal: GdalThread): Promise<number> {
  if (file.kind === 'shapefile') return writeShapefile(path, file.rows(), file.options);
  if (file.kind === 'geojson') return writeGeojson(path, file.path.split('/').at(-1)!.split('.')[0]!, file.rows());
  if (file.kind === 'csv') return writeCsv(path, file.columns, file.rows());
  if (file.kind === 'xlsx') return writeWorkbook(path, file.sheets());
  if (file.kind === 'geotiff') return writeGeotiff(path, file.grid);
  if (file.kind === 'geodatabase') return writeGeodatabase(path, file.database, gdal);
  if (file.kind === 'geopackage') return writeGeopackage(path, file.layers);
  let lines = 0;
  const counted = (texts: () => Iterable<string>) =>
    function* () {
      for (const line of texts()) {
        lines++;
        yield line;
      }
    };
  if (file.kind === 'text') await writeText(path, gathered(counted(file.lines)()));
  else
    await writeArchive(
      path,
      Object.fromEntries(Object.entries(file.members).map(([name, texts]) => [name, () => gathered(counted(texts)())])),
    );
  return lines;
}

/**
 * Writes the synthetic area as published files below `out`, in the formats and under the column names of the real
 * sources. The same parcels, seed and choice of files give the same bytes.
 * @throws RangeError when parcels or seed are out of range; whatever the file system throws.
 */
export async function generateWorld(options: GenerateOptions): Promise<WorldSummary> {
  const { parcels, seed, out, only, onProgress } = options;
  const files = worldFiles(await makeWorld({ parcels, seed })).filter(file => only?.has(file.path) ?? true);
  const written: { path: string; rows: number; bytes: number }[] = [];
  // One for all geodatabases of this area and for no other: what it numbers begins anew with every area.
  const gdal = new GdalThread(Number.POSITIVE_INFINITY);
  try {
    for (const [done, file] of files.entries()) {
      onProgress?.(file.path, done, files.length);
      const path = join(out, file.path);
      await mkdir(dirname(path), { recursive: true });
      const rows = await write(path, file, gdal);
      written.push({ path: file.path, rows, bytes: (await stat(path)).size });
    }
  } finally {
    await gdal.close();
  }
  return { out, parcels, seed, files: written };
}
