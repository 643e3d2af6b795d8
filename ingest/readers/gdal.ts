import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { fileSize, openBytes, readFailure } from '../byte-cursor.ts';
import { layerCrs } from '../crs/layer-crs.ts';
import { statedCrs } from '../crs.ts';
import { answerMembers, cappedOf } from '../format/capped-answer.ts';
import { convertWithGdal } from '../gdal.ts';
import { chosenLayer, type GdalConversion, type GdalLayer } from '../gdal-job.ts';
import { limitBytes, limitPassed, requireUnpacked } from '../read-limits.ts';
import { type Findings, ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { openArchive, verifyMembers } from '../zip.ts';
import { reader as flatgeobuf } from './flatgeobuf.ts';
import { GDAL_FORMATS, type GdalFormat } from './gdal-formats.ts';

/** Returns an error of the converted copy as an error of the file itself. */
function renamed(error: unknown, path: string): ReadError {
  if (!(error instanceof ReadError)) return readFailure(error, path, null);
  if (error.file === path) return error;
  return new ReadError(error.code, path, error.row, error.message.slice(error.message.indexOf(': ') + 2), error.choice);
}

class GdalSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[];
  readonly count: number | null;
  readonly #path: string;
  readonly #folder: string;
  readonly #copy: Source;
  /** What a server wrote beside the rows, where the file is its answer. */
  readonly #members: Readonly<Record<string, unknown>>;
  #read = 0;

  constructor(
    path: string,
    folder: string,
    copy: Source,
    layer: GdalLayer,
    crs: string | null,
    options: FormatOptions,
    members: Readonly<Record<string, unknown>>,
  ) {
    this.#members = members;
    this.#path = path;
    this.#folder = folder;
    this.#copy = copy;
    this.crs = layer.geometry ? statedCrs(crs, options) : null;
    this.columns = copy.columns;
    this.count = layer.count < 0 ? null : layer.count;
  }

  get findings(): Findings {
    // A WFS counts its rows.
    const isAnswer = this.#members.numberReturned !== undefined;
    return { notes: [], capped: cappedOf(this.#members, this.#read), isAnswer };
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
    this.#read = read;
    // GDAL leaves out rows that it cannot read.
    if (this.count !== null && read !== this.count)
      throw new ReadError('file_truncated', this.#path, read + 1, `${read} of ${this.count} rows could be read`);
  }

  async close(): Promise<void> {
    await this.#copy.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** A file for GDAL, and its uncompressed size in bytes. */
export type GdalFile = Omit<GdalConversion, 'folder' | 'take'> & { readonly bytes: number };

/**
 * Opens a file of any format of GDAL: one layer (`options.layer` if several have rows) becomes a temporary FlatGeobuf, which is
 * removed on close. Curves become lines. Z and M are dropped.
 * @throws ReadError part_missing with the layers to choose from, and those of convertWithGdal.
 */
export async function openWithGdal({ bytes, ...file }: GdalFile, options: FormatOptions): Promise<Source> {
  const { path } = file;
  const wanted = options.layer ?? null;
  let folder: string | null = null;
  try {
    folder = await mkdtemp(join(tmpdir(), 'plat-gdal-'));
    const layers = await convertWithGdal({ ...file, folder, take: { layer: wanted } }, bytes);
    const layer = chosenLayer(layers, wanted);
    if (!layer) throw layerMissing(path, layers, wanted);
    const copy = join(folder, 'layer.fgb');
    requireUnpacked(bytes, (await stat(copy)).size, path, 'the file');
    const members = file.driver === 'GML' && file.member === null ? await answerMembers(path) : {};
    const source = await flatgeobuf.open(copy, {});
    const crs = await layerCrs(layer, source.crs);
    return new GdalSource(path, folder, source, layer, crs, options, members);
  } catch (error) {
    if (folder) await rm(folder, { recursive: true, force: true });
    throw renamed(error, path);
  }
}

function layerMissing(path: string, layers: readonly GdalLayer[], wanted: string | null): ReadError {
  const names = layers.filter(({ isRaster }) => !isRaster).map(l => l.name);
  const raster = layers.find(({ isRaster, name }) => isRaster && (names.length === 0 || name === wanted))?.name;
  const why = raster
    ? `its "${raster}" is a raster, which is not read from a geodatabase; take it out: gdal_translate OpenFileGDB:"FILE":${raster} raster.tif`
    : layers.length === 0
      ? 'GDAL finds no layer in it; the file is empty or damaged: fetch it again'
      : wanted === null
        ? `holds ${names.length} layers (${names.join(', ')}); set options.layer to one of them`
        : `has no layer "${wanted}"; it holds ${names.join(', ')}`;
  return new ReadError('part_missing', path, null, why, { option: 'layer', names });
}

/** Returns the files in the folder of `path` that have its stem and one of the endings. */
export async function filesBeside(path: string, endings: readonly string[] = []): Promise<string[]> {
  if (endings.length === 0) return [];
  const stem = basename(path)
    .replace(/\.[^.]*$/, '')
    .toLowerCase();
  const wanted = new Set(endings.map(ending => stem + ending));
  return (await readdir(dirname(path))).filter(name => wanted.has(name.toLowerCase()));
}

/** Returns the unpacked size of a file. @throws ReadError limit_passed for a spreadsheet that is too large for memory. */
async function unpackedSize(path: string, reader: string): Promise<number> {
  const size = await fileSize(path);
  if (reader === 'ods') {
    const archive = await openArchive(path);
    try {
      for (const name of archive.names)
        if (/\.xml$/i.test(name) && archive.size(name) > limitBytes('valueMb'))
          throw limitPassed(
            'valueMb',
            path,
            null,
            `${name} of ${archive.size(name)} bytes (it may be exported as CSV)`,
          );
      await verifyMembers(archive, archive.names);
      return archive.names.reduce((sum, name) => sum + archive.size(name), 0);
    } finally {
      archive.close();
    }
  }
  if (!path.toLowerCase().endsWith('.gz')) return size;
  let bytes = 0;
  const stream = openBytes(path);
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await finished(stream);
  return bytes;
}

/** Lines of a text file, blank ones left out. */
async function linesIn(path: string): Promise<number> {
  let lines = 0;
  for await (const line of createInterface({ input: openBytes(path), crlfDelay: Infinity })) if (line.trim()) lines++;
  return lines;
}

/**
 * Compares a MIF with the MID beside it, which has the attributes of each object on a line: GDAL reads a MIF without it as objects
 * without attributes, and passes over lines beyond the last object. @throws ReadError part_missing, file_corrupt.
 */
async function compareMid(path: string, [mid]: readonly string[], count: number | null): Promise<void> {
  if (mid === undefined)
    throw new ReadError('part_missing', path, null, 'needs the .mid of its name beside it, which has the attributes');
  const lines = await linesIn(join(dirname(path), mid));
  if (count !== null && lines !== count)
    throw new ReadError(
      'file_corrupt',
      path,
      null,
      `has ${count} objects, and its .mid ${lines} rows; fetch both again`,
    );
}

/** Bits of a block of DXF that say that it is another drawing: a reference, and one that is laid over. */
const EXTERNAL = 4 | 8;

/**
 * Looks for blocks of a DXF that stand for another drawing: GDAL leaves them out without an error.
 * @throws ReadError part_missing, which names those drawings.
 */
async function requireNoReferences(path: string): Promise<void> {
  const lines = createInterface({ input: openBytes(path), crlfDelay: Infinity });
  const missing: string[] = [];
  let code: number | null = null;
  let block: { name: string; isExternal: boolean } | null = null;
  for await (const line of lines) {
    const text = line.trim();
    if (code === null) {
      code = Number(text);
      continue;
    }
    if (code === 0) {
      if (block?.isExternal) missing.push(block.name);
      block = text === 'BLOCK' ? { name: '', isExternal: false } : null;
    } else if (!block && code === 2 && text === 'ENTITIES') break;
    else if (block && code === 70) block.isExternal = (Number(text) & EXTERNAL) !== 0;
    // The path of the drawing, where there is one, comes after the name of the block.
    else if (block && (code === 2 || code === 1) && text !== '') block.name = text;
    code = null;
  }
  lines.close();
  if (missing.length > 0)
    throw new ReadError(
      'part_missing',
      path,
      null,
      `refers to other drawings that it does not hold (${missing.join(', ')}); bind them into it (XREF, Bind) and save it again`,
    );
}

const readerOf = ({ reader: name, driver, endings, beside, open }: GdalFormat): Reader => ({
  name,
  endings,
  async open(path, options) {
    try {
      const bytes = await unpackedSize(path, name);
      const parts = await filesBeside(path, beside);
      if (name === 'dxf') await requireNoReferences(path);
      const file = { path, member: null, driver, beside: parts, bytes, ...(open && { open }) };
      const source = await openWithGdal(file, options);
      try {
        const mids = parts.filter(part => /\.mid$/i.test(part));
        if (/\.mif$/i.test(path)) await compareMid(path, mids, source.count);
        return source;
      } catch (error) {
        await source.close();
        throw error;
      }
    } catch (error) {
      throw readFailure(error, path, null);
    }
  },
});

/** Readers of the formats that GDAL reads here: one driver each, which sees the files of the dataset and no others. */
export const gdalReaders: readonly Reader[] = GDAL_FORMATS.map(readerOf);
