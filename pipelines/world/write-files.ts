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

/** What was written: rows (cells of a raster, lines of a text or a workbook's sheets) and bytes of a file. */
export interface WrittenFile {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
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
 * Writes files of a synthetic area below `out`, in their order.
 * @param onProgress is called before each file with its path and how many are done of how many.
 * @throws whatever the file system throws.
 */
export async function writeFiles(
  files: readonly WorldFile[],
  out: string,
  onProgress?: (path: string, done: number, total: number) => void,
): Promise<WrittenFile[]> {
  const written: WrittenFile[] = [];
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
  return written;
}
