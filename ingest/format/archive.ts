import { createWriteStream, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { stampOf, statOf } from '../../query/format/file-stamp.ts';
import { type Findings, ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { openArchive } from '../zip.ts';
import { unpackTar } from './tar.ts';
import { isPattern, membersLike, UnitedSource } from './united.ts';

/** Endings of files in an archive that are layers, then of those that are tables: a README.txt is chosen last. */
const LAYERS =
  /\.(shp|gpkg|geojson|geojsonl|geojsons|ndjson|topojson|json|fgb|(geo)?parquet|kml|kmz|gml|gpx|tab|mif|dxf|dgn|sqlite|sqlite3|osm|osm\.pbf|e00|asc)$/i;
const TABLES = /\.(csv|tsv|txt|dat|dbf|xlsx|ods)$/i;
const GEODATABASE = /^(.*\.gdb)\/a00000001\.gdbtable$/i;
/** First table of a geodatabase whose folder was packed without its name, and what stands before it. */
const BARE_GEODATABASE = /^((?:.*\/)?)a00000001\.gdbtable$/i;
const RASTER = /\.tiff?$/i;
const TAR = /\.(tar|tgz|tar\.gz)$/i;
const ARCHIVE = /\.(zip|tar|tgz|tar\.gz|7z|rar)$/i;

/** Readers that read their members straight from a zip. */
export interface ZipReaders {
  readonly shapefile: Reader;
  readonly filegdb: Reader;
  readonly csv: Reader;
  readonly asciigrid: Reader;
}

const stemOf = (name: string) => name.replace(/\.[^./]*$/, '').toLowerCase();

/** Returns the layers of an archive, else its tables: files, and geodatabases by their folder. */
function partsOf(names: readonly string[]): string[] {
  const folders = names.flatMap(name => GEODATABASE.exec(name)?.[1] ?? []);
  const files = names.filter(name => !/\.gdb\//i.test(name));
  // The attributes of a MapInfo table may be in a .dat file, and those of a shapefile in a .dbf.
  const wholes = new Set(files.filter(name => /\.(shp|tab)$/i.test(name)).map(stemOf));
  // A file of another format that is called like a shapefile beside it is the same layer once more.
  const shapefiles = new Set(files.filter(name => /\.shp$/i.test(name)).map(stemOf));
  const isCopy = (name: string) => !/\.shp$/i.test(name) && shapefiles.has(stemOf(name));
  const layers = [
    ...folders,
    ...files.filter(name => LAYERS.test(name) && !/\.shp\.\w+$/i.test(name) && !isCopy(name)),
  ];
  if (layers.length > 0) return layers;
  return files.filter(name => TABLES.test(name) && !wholes.has(stemOf(name)));
}

/** Returns the part to read: the named one (with or without its folders, case ignored), else the only one. */
function chosenPart(path: string, names: readonly string[], member: string | undefined): string {
  const parts = partsOf(names);
  const wanted = member?.toLowerCase();
  const candidates = wanted === undefined ? parts : [...new Set([...parts, ...names])];
  const fits = candidates.filter(name => {
    const lower = name.toLowerCase();
    return wanted === undefined || lower === wanted || lower.endsWith(`/${wanted}`);
  });
  if (fits.length === 1) return fits[0]!;
  const listed = (list: readonly string[]) => list.slice(0, 40).join(', ') + (list.length > 40 ? ', …' : '');
  const why =
    wanted !== undefined
      ? `holds ${fits.length === 0 ? 'no' : `${fits.length} files called`} "${member}"; it holds ${listed(parts.length > 0 ? parts : names)}`
      : parts.length > 1
        ? `holds ${parts.length} layers or tables (${listed(parts)}); set options.member to one of them`
        : names.length === 0
          ? 'the archive is empty; fetch it again'
          : names.some(name => ARCHIVE.test(name))
            ? `holds archives, which are not opened within another (${listed(names)}); unpack it and take one of them`
            : names.some(name => RASTER.test(name))
              ? `holds a raster and no layer of rows (${listed(names)}); it fills a layer of rasters`
              : `holds no layer and no table that is read; it holds ${listed(names)}`;
  throw new ReadError('part_missing', path, null, why, { option: 'member', names: wanted === undefined ? parts : [] });
}

/** Returns an error of an unpacked file as an error of the archive. */
function ofArchive(error: unknown, path: string, part: string): unknown {
  if (!(error instanceof ReadError) || error.file === path) return error;
  return new ReadError(error.code, path, error.row, part ? `${part}: ${error.why}` : error.why, error.choice);
}

/** A file that was unpacked. */
class UnpackedSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count: number | null;
  readonly #source: Source;
  readonly #release: () => Promise<void>;
  readonly #path: string;
  readonly #part: string;

  /** @param release is called on close. */
  constructor(source: Source, release: () => Promise<void>, path: string, part: string) {
    this.crs = source.crs;
    this.columns = source.columns;
    this.count = source.count;
    this.#source = source;
    this.#release = release;
    this.#path = path;
    this.#part = part;
  }

  get findings(): Findings | undefined {
    return this.#source.findings;
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    try {
      yield* this.#source.rows(signal);
    } catch (error) {
      throw ofArchive(error, this.#path, this.#part);
    }
  }

  async close(): Promise<void> {
    await this.#source.close();
    await this.#release();
  }
}

/** A tar archive as it was unpacked. */
interface Unpacked {
  readonly key: string | null;
  readonly folder: string;
  readonly names: readonly string[];
  users: number;
}

/**
 * The tar archive that this thread unpacked last: such a file is unpacked as a whole, and its members are read one after another.
 * It stays until another one is unpacked or the thread ends.
 */
let lastTar: Unpacked | null = null;
process.once('exit', () => {
  if (lastTar) rmSync(lastTar.folder, { recursive: true, force: true });
});

const removed = (folder: string) => rm(folder, { recursive: true, force: true });

/** Unpacks a tar archive, or finds it unpacked; it is in use until `release`. */
async function unpackedTar(path: string): Promise<Unpacked> {
  const stat = statOf(path);
  const key = stat ? `${path}:${stampOf(stat)}` : null;
  if (key === null || lastTar?.key !== key) {
    const folder = await mkdtemp(join(tmpdir(), 'plat-archive-'));
    try {
      const names = await unpackTar(path, folder);
      const before = lastTar;
      lastTar = { key, folder, names, users: 0 };
      if (before?.users === 0) await removed(before.folder);
    } catch (error) {
      await removed(folder);
      throw error;
    }
  }
  lastTar.users++;
  return lastTar;
}

async function release(tar: Unpacked): Promise<void> {
  tar.users--;
  if (tar.users === 0 && tar !== lastTar) await removed(tar.folder);
}

/** Unpacks a member of a zip with the files of its stem. @returns the path of the member. */
async function unpackMember(path: string, member: string, folder: string): Promise<string> {
  const archive = await openArchive(path);
  try {
    for (const name of archive.names.filter(n => stemOf(n) === stemOf(member)))
      await pipeline(await archive.open(name), createWriteStream(join(folder, basename(name))));
  } finally {
    archive.close();
  }
  return join(folder, basename(member));
}

/** Unpacks a geodatabase into a folder that is called as GDAL wants it. @param before what stands before the names of its files. */
async function unpackGeodatabase(path: string, before: string, folder: string): Promise<string> {
  const unpacked = join(folder, 'unpacked.gdb');
  await mkdir(unpacked);
  const archive = await openArchive(path);
  try {
    for (const name of archive.names.filter(n => n.startsWith(before) && !n.slice(before.length).includes('/')))
      await pipeline(await archive.open(name), createWriteStream(join(unpacked, basename(name))));
  } finally {
    archive.close();
  }
  return unpacked;
}

/** Returns the names of the files of a zip. Of a KMZ whose main file only links to the others, the main file is left out. */
async function zipNames(path: string): Promise<readonly string[]> {
  const archive = await openArchive(path);
  try {
    const { names } = archive;
    const files = names.filter(name => /\.kml$/i.test(name));
    const main = files.find(name => !name.includes('/'));
    if (!/\.kmz$/i.test(path) || files.length < 2 || main === undefined) return names;
    let rest = '';
    for await (const chunk of await archive.open(main)) {
      const text = rest + (chunk as Buffer).toString('latin1');
      if (text.includes('Placemark')) return names;
      rest = text.slice(-'Placemark'.length);
    }
    return names.filter(name => name !== main);
  } finally {
    archive.close();
  }
}

/**
 * Makes the reader of archives (.zip, .kmz, .tar, .tar.gz): one layer or table, named by `options.member` when there are several.
 * A pattern such as `*.csv` names several, which are one table. A member is unpacked into a temporary folder unless its reader
 * reads zips.
 * @param zipReaders those readers. @param openPlain opens an unpacked file.
 */
export function archiveReader(
  zipReaders: ZipReaders,
  openPlain: (path: string, options: FormatOptions) => Promise<Source>,
): Reader {
  async function open(path: string, options: FormatOptions): Promise<Source> {
    const { member, ...rest } = options;
    if (TAR.test(path)) return openTar(path, member, rest);
    if (isPattern(member))
      return UnitedSource.open(path, membersLike(await zipNames(path), member), name =>
        open(path, { ...rest, member: name }),
      );
    const folder = await mkdtemp(join(tmpdir(), 'plat-archive-'));
    let part = '';
    try {
      const names = await zipNames(path);
      const bare = names.map(name => BARE_GEODATABASE.exec(name)?.[1]).filter(before => before !== undefined);
      if (member === undefined && bare.length === 1 && !/\.gdb\/$/i.test(bare[0]!)) {
        const unpacked = await unpackGeodatabase(path, bare[0]!, folder);
        return new UnpackedSource(await zipReaders.filegdb.open(unpacked, rest), () => removed(folder), path, bare[0]!);
      }
      part = chosenPart(path, names, member);
      const streamed = /\.shp$/i.test(part)
        ? zipReaders.shapefile
        : /\.gdb$/i.test(part)
          ? zipReaders.filegdb
          : /\.(csv|tsv|txt|dat)$/i.test(part)
            ? zipReaders.csv
            : /\.asc$/i.test(part)
              ? zipReaders.asciigrid
              : null;
      if (streamed) {
        await removed(folder);
        return await streamed.open(path, { ...rest, member: part });
      }
      const file = await unpackMember(path, part, folder);
      return new UnpackedSource(await openPlain(file, rest), () => removed(folder), path, part);
    } catch (error) {
      await removed(folder);
      throw ofArchive(error, path, part);
    }
  }

  async function openTar(path: string, member: string | undefined, options: FormatOptions): Promise<Source> {
    let tar: Unpacked | null = null;
    let part = '';
    try {
      tar = await unpackedTar(path);
      const { folder, names } = tar;
      const used = tar;
      if (isPattern(member)) {
        const sourceOf = async (name: string) => {
          const none = async () => {};
          try {
            return new UnpackedSource(await openPlain(join(folder, name), options), none, path, name);
          } catch (error) {
            throw ofArchive(error, path, name);
          }
        };
        return await UnitedSource.open(path, membersLike(names, member), sourceOf, () => release(used));
      }
      part = chosenPart(path, names, member);
      return new UnpackedSource(await openPlain(join(folder, part), options), () => release(used), path, part);
    } catch (error) {
      if (tar) await release(tar);
      throw ofArchive(error, path, part);
    }
  }
  return { name: 'archive', endings: ['.zip', '.kmz', '.tar.gz', '.tgz', '.tar'], open };
}
