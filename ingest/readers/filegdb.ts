import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { readFailure } from '../byte-cursor.ts';
import { ReadError, type Reader, type Source } from '../reader.ts';
import { openArchive, verifyMembers } from '../zip.ts';
import { openWithGdal } from './gdal.ts';

/** The first table of every geodatabase: the list of its tables. */
const CATALOG = 'a00000001.gdbtable';

/** Where a geodatabase is: a folder, or a folder inside a zip. */
interface Location {
  readonly member: string | null;
  /** Uncompressed. */
  readonly bytes: number;
}

async function inFolder(path: string): Promise<Location> {
  const names = await readdir(path);
  if (!names.includes(CATALOG))
    throw new ReadError('part_missing', path, null, `is a folder without ${CATALOG}; a file geodatabase was expected`);
  const sizes = await Promise.all(names.map(async name => (await stat(join(path, name))).size));
  return { member: null, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

async function inZip(path: string, options: FormatOptions): Promise<Location> {
  const archive = await openArchive(path);
  try {
    const roots = archive.names.filter(n => n.endsWith(CATALOG)).map(n => n.slice(0, -CATALOG.length));
    const wanted = options.member?.toLowerCase();
    const fits = wanted === undefined ? roots : roots.filter(r => `/${r.toLowerCase()}`.endsWith(`/${wanted}/`));
    if (fits.length !== 1)
      throw new ReadError(
        'part_missing',
        path,
        null,
        roots.length === 0
          ? `the zip holds no file geodatabase (no ${CATALOG})`
          : `the zip holds ${roots.length} geodatabases (${roots.join(', ')}); set options.member to one of them`,
        { option: 'member', names: roots.map(root => root.replace(/\/$/, '')) },
      );
    const root = fits[0]!;
    const parts = archive.names.filter(n => n.startsWith(root));
    await verifyMembers(archive, parts);
    return { member: root.replace(/\/$/, ''), bytes: parts.reduce((sum, n) => sum + archive.size(n), 0) };
  } finally {
    archive.close();
  }
}

async function open(path: string, options: FormatOptions): Promise<Source> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    const location = isFolder ? await inFolder(path) : await inZip(path, options);
    return await openWithGdal({ path, ...location, driver: 'OpenFileGDB' }, options);
  } catch (error) {
    throw readFailure(error, path, null);
  }
}

/**
 * Reads an Esri file geodatabase, a .gdb folder or zipped. GDAL converts one layer (`options.layer` if there are several) into a
 * temporary FlatGeobuf, which is removed on close. Curves become lines. Z and M are dropped. Times before 1970 are a second
 * late, because GDAL 3.8 rounds them so.
 */
export const reader: Reader = { name: 'filegdb', endings: ['.gdb.zip', '.gdb'], open };
