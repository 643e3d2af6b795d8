import { stat } from 'node:fs/promises';
import type { FormatOptions } from '../datasets/place/place.ts';
import { fileSize, readFailure } from './byte-cursor.ts';
import { archiveReader } from './format/archive.ts';
import { headOf, type Signature, signatureOf } from './format/signature.ts';
import { ReadError, type Reader, type Source } from './reader.ts';
import { NOT_READ } from './readers/gdal-formats.ts';
import { READERS } from './readers.ts';
import { openArchive } from './zip.ts';

const named = (name: string): Reader => READERS.find(r => r.name === name)!;

const archive: Reader = archiveReader(
  {
    shapefile: named('shapefile'),
    filegdb: named('filegdb'),
    csv: named('zipped_csv'),
    asciigrid: named('asciigrid'),
  },
  (path, options) => openSource(path, { options }),
);
const ALL: readonly Reader[] = [...READERS, archive];

/** Returns names and endings of all formats as one text, for error messages and help. */
function formats(): string {
  return ALL.map(r => `${r.name} (${r.endings.join(', ')})`).join('; ');
}

/** Returns the reader with the longest ending that matches the file name; null when none does. */
function byName(path: string): Reader | null {
  const name = path.toLowerCase();
  let best: Reader | null = null;
  let length = 0;
  for (const reader of ALL)
    for (const ending of reader.endings)
      if (name.endsWith(ending) && ending.length > length) {
        best = reader;
        length = ending.length;
      }
  return best;
}

/**
 * Returns the reader of a file by its name alone: the one named `format`, else the one with the longest ending that matches.
 * @throws ReadError format_unknown listing the known formats.
 */
export function readerFor(path: string, format?: string): Reader {
  const reader = format === undefined ? byName(path) : ALL.find(r => r.name === format);
  if (reader) return reader;
  const refused = NOT_READ.find(({ endings }) => endings.some(ending => path.toLowerCase().endsWith(ending)));
  if (refused && format === undefined)
    throw new ReadError('format_unsupported', path, null, `this is ${refused.title}; ${refused.cure}`);
  const why = format === undefined ? 'the name tells no known format' : `no format "${format}"`;
  throw new ReadError('format_unknown', path, null, `${why}; known: ${formats()}`);
}

/**
 * Returns the name of the reader of a raster: of a zip, that of the raster in it.
 * @throws ReadError as readerFor, and when the zip cannot be opened.
 */
export async function rasterFormatOf(path: string, format?: string, member?: string): Promise<string> {
  const { name } = readerFor(path, format);
  if (name !== 'archive' || !/\.zip$/i.test(path)) return name;
  const zip = await openArchive(path);
  zip.close();
  const held = zip.names.filter(one => member === undefined || one.toLowerCase().endsWith(member.toLowerCase()));
  if (held.some(one => /\.tiff?$/i.test(one))) return 'geotiff';
  return held.some(one => /\.asc$/i.test(one)) ? 'asciigrid' : name;
}

/** Readers that seek in their files, which nothing packed allows. */
const SEEKING: ReadonlySet<string> = new Set(['geopackage', 'shapefile', 'geoparquet', 'geotiff', 'xlsx', 'filegdb']);

/** Endings that files of several formats have: what they begin with decides. */
const SHARED_ENDING = /\.(json|geojson|txt|dat|tab|db|map|000|xml|gml)(\.gz)?$/i;

/** Returns the reader of a file whose beginning shows a format. @throws ReadError when that format is not read. */
function byContent(path: string, seen: Signature, expected: Reader | null): Reader {
  if (seen.reader === null)
    throw new ReadError(
      expected ? 'file_corrupt' : 'format_unsupported',
      path,
      null,
      `this is ${seen.title}; ${seen.cure}`,
    );
  // Some publishers send a workbook from an address that ends in .csv.
  const isPacked = expected?.name === 'csv' && ['xlsx', 'archive'].includes(seen.reader);
  return expected && !isPacked && !SHARED_ENDING.test(path) ? expected : readerFor(path, seen.reader);
}

/**
 * Returns the reader of a file by what it begins with and by its name.
 * @throws ReadError file_missing; format_unsupported naming the format that it is; format_unknown listing the known formats.
 */
async function readerOf(path: string): Promise<{ reader: Reader; seen: Signature | null }> {
  const info = await stat(path).catch(error => {
    throw readFailure(error, path, null);
  });
  if (info.isDirectory()) {
    if (/\.gdb\/?$/i.test(path)) return { reader: named('filegdb'), seen: null };
    throw new ReadError('file_missing', path, null, 'is a folder; a file or a file geodatabase (.gdb) was expected');
  }
  await fileSize(path);
  const expected = byName(path);
  const head = await headOf(path).catch(error => {
    throw readFailure(error, path, null);
  });
  const seen = signatureOf(head);
  if (seen) return { reader: byContent(path, seen, expected), seen };
  // A tab-separated table may have the ending of MapInfo's.
  if (expected?.name === 'mapinfo' && /\.tab$/i.test(path) && head.includes('\t'))
    return { reader: named('csv'), seen };
  return { reader: expected ?? readerFor(path), seen };
}

/**
 * Opens a published file for reading.
 * @param how `format` names a reader if neither the beginning of the file nor its name tells the format; `options` tell what the
 * file does not say.
 * @throws ReadError naming the file and what to do.
 */
export async function openSource(
  path: string,
  how: { readonly format?: string; readonly options?: FormatOptions } = {},
): Promise<Source> {
  const options = how.options ?? {};
  if (how.format !== undefined) return readerFor(path, how.format).open(path, options);
  const { reader, seen } = await readerOf(path);
  if (/\.gz$/i.test(path) && SEEKING.has(reader.name))
    throw new ReadError(
      'format_unsupported',
      path,
      null,
      `this is ${seen?.title ?? reader.name}, compressed with gzip; unpack it with "gunzip FILE" and take that file`,
    );
  try {
    return await reader.open(path, options);
  } catch (error) {
    const { code, why, row, choice } = error as ReadError;
    if (code !== 'file_corrupt' || !seen || seen.reader === reader.name) throw error;
    throw new ReadError(
      code,
      path,
      row,
      `${why}; this is ${seen.title}: rename it, or set format to ${seen.reader}`,
      choice,
    );
  }
}
