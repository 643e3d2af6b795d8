import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { readFailure } from '../byte-cursor.ts';
import { statedCrs } from '../crs.ts';
import { convertWithGdal } from '../gdal.ts';
import { chosenLayer, type GdalLayer } from '../gdal-job.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { openArchive, verifyMembers } from '../zip.ts';
import { reader as flatgeobuf } from './flatgeobuf.ts';

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
      );
    const root = fits[0]!;
    const parts = archive.names.filter(n => n.startsWith(root));
    await verifyMembers(archive, parts);
    return { member: root.replace(/\/$/, ''), bytes: parts.reduce((sum, n) => sum + archive.size(n), 0) };
  } finally {
    archive.close();
  }
}

/** Returns an error of the converted copy as an error of the geodatabase. */
function renamed(error: unknown, path: string): ReadError {
  if (!(error instanceof ReadError)) return readFailure(error, path, null);
  if (error.file === path) return error;
  return new ReadError(error.code, path, error.row, error.message.slice(error.message.indexOf(': ') + 2), error.choice);
}

class GeodatabaseSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count: number;
  readonly #path: string;
  readonly #folder: string;
  readonly #copy: Source;

  constructor(path: string, folder: string, copy: Source, layer: GdalLayer, options: FormatOptions) {
    this.#path = path;
    this.#folder = folder;
    this.#copy = copy;
    this.crs = layer.geometry ? statedCrs(copy.crs, options) : null;
    this.columns = copy.columns;
    this.count = layer.count;
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    let read = 0;
    try {
      for await (const batch of this.#copy.rows(signal)) {
        read += batch.length;
        yield batch;
      }
    } catch (error) {
      throw renamed(error, this.#path);
    }
    // GDAL leaves out rows that it cannot read.
    if (read !== this.count)
      throw new ReadError('file_truncated', this.#path, read + 1, `${read} of ${this.count} rows could be read`);
  }

  async close(): Promise<void> {
    await this.#copy.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function open(path: string, options: FormatOptions): Promise<Source> {
  let folder: string | null = null;
  try {
    const found = await stat(path);
    const { member, bytes } = found.isDirectory() ? await inFolder(path) : await inZip(path, options);
    folder = await mkdtemp(join(tmpdir(), 'plat-gdal-'));
    const wanted = options.layer ?? null;
    const layers = await convertWithGdal({ path, member, folder, take: { layer: wanted } }, bytes);
    const layer = chosenLayer(layers, wanted);
    if (!layer)
      throw new ReadError(
        'part_missing',
        path,
        null,
        wanted === null
          ? `holds ${layers.length} layers (${layers.map(l => l.name).join(', ')}); set options.layer to one of them`
          : `has no layer "${wanted}"; it holds ${layers.map(l => l.name).join(', ')}`,
        { option: 'layer', names: layers.map(l => l.name) },
      );
    const copy = await flatgeobuf.open(join(folder, 'layer.fgb'), {});
    return new GeodatabaseSource(path, folder, copy, layer, options);
  } catch (error) {
    if (folder) await rm(folder, { recursive: true, force: true });
    throw renamed(error, path);
  }
}

/**
 * Reads an Esri file geodatabase, a .gdb folder or zipped. GDAL converts one layer (`options.layer` if there are several) into a
 * temporary FlatGeobuf, which is removed on close. Curves become lines. Z and M are dropped. Times before 1970 are a second
 * late, because GDAL 3.8 rounds them so.
 */
export const reader: Reader = { name: 'filegdb', endings: ['.gdb.zip', '.gdb'], open };
