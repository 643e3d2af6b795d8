import { stat } from 'node:fs/promises';
import { type Box, boxOf } from '../../../datasets/geometry.ts';
import type { FormatOptions } from '../../../datasets/place/place.ts';
import { openBytes } from '../../../ingest/byte-cursor.ts';
import { openSource, readerFor } from '../../../ingest/format.ts';
import { ReadError, type Row } from '../../../ingest/reader.ts';
import { OSM_LAYERS } from '../../../ingest/readers/osmpbf.ts';
import { openArchive } from '../../../ingest/zip.ts';
import { extractDate, isOsmExtract } from './hints/osm-extract.ts';
import { type Profile, Profiler } from './profile.ts';
import { tableOptions } from './table-shape.ts';

/** Most rows of one file, or of one layer of it, that are read for the profiles of columns. */
const READ = 250_000;
/** Rows that are kept, spread evenly over the rows that are read. */
const KEPT = 4000;

/** A sample of a published file, or of one layer, sheet or member of it. */
export interface Sample {
  readonly path: string;
  /** Path below the sources folder, with `/` between its parts. */
  readonly file: string;
  /** Reader to name in the place file; null if the file's name tells it. */
  readonly format: string | null;
  readonly options: FormatOptions;
  readonly kind: 'vector' | 'table' | 'raster';
  /** Kind of most of its geometries; null for tables and rasters. */
  readonly geometry: 'point' | 'line' | 'polygon' | null;
  /** CRS that the file states; null if it states none. */
  readonly crs: string | null;
  /** Number of rows read; all rows of the file if `whole`. */
  readonly rows: number;
  readonly whole: boolean;
  readonly columns: readonly Profile[];
  readonly kept: readonly Row[];
  /** Date of the content that the file states, YYYY-MM-DD; null if it states none. */
  readonly date: string | null;
  /** In the source's own coordinates. */
  readonly box: Box | null;
}

/** A file that could not be read, with the reason. */
export interface Unread {
  readonly file: string;
  readonly reason: string;
}

const KINDS = { Point: 'point', MultiPoint: 'point', LineString: 'line', MultiLineString: 'line' } as const;
const kindOf = (type: string) => KINDS[type as keyof typeof KINDS] ?? 'polygon';

/** Returns the reader for a zip by its first member of a known kind; a shapefile comes before its .dbf. */
async function zipFormat(path: string): Promise<string | null> {
  const archive = await openArchive(path);
  try {
    const has = (pattern: RegExp) => archive.names.some(name => pattern.test(name));
    if (has(/\.shp$/i)) return null;
    if (has(/\.gdbtable$/i)) return 'filegdb';
    if (has(/\.(csv|tsv|txt|dat)$/i)) return 'zipped_csv';
    return has(/\.asc$/i) ? 'asciigrid' : null;
  } finally {
    archive.close();
  }
}

/** Returns the reader for a .json by its beginning: features, a topology, or a list of lists. */
async function jsonFormat(path: string): Promise<string | null> {
  let text = '';
  for await (const chunk of openBytes(path)) {
    text += (chunk as Buffer).toString('latin1');
    if (text.length > 65_536) break;
  }
  if (/"type"\s*:\s*"Topology"/.test(text)) return 'topojson';
  return /^\s*\[\s*\[/.test(text) ? 'jsontable' : null;
}

/** Returns the format of a file whose name does not tell it; null if the name does. */
async function formatOf(path: string): Promise<string | null> {
  const name = path.toLowerCase();
  if (/(?<!\.(topo|table))\.json(\.gz)?$/.test(name)) return jsonFormat(path);
  if (/\.(shp|gdb|csv|tsv|txt|dat|asc)\.zip$/.test(name) || (await stat(path)).isDirectory()) return null;
  if (name.endsWith('.zip')) return zipFormat(path);
  return null;
}

/** Keeps every n-th row. If there are too many, n doubles, so that the kept rows are spread evenly. */
class Spread {
  rows: Row[] = [];
  #seen = 0;
  #step = 1;

  add(row: Row): void {
    if (this.#seen++ % this.#step === 0) this.rows.push(row);
    if (this.rows.length <= KEPT) return;
    this.rows = this.rows.filter((_, i) => i % 2 === 0);
    this.#step *= 2;
  }
}

/** Share of rows at either end that do not count for the extent, because some rows lie at 0, 0. */
const ASTRAY = 0.005;

/** Returns the box of rows. If there are many rows, the few that lie far from the others do not count. */
function boxOfRows(rows: readonly Row[]): Box | null {
  const boxes = rows.flatMap(({ geometry }) => (geometry && geometry.xy.length > 0 ? [boxOf(geometry)] : []));
  if (boxes.length === 0) return null;
  const cut = Math.ceil(boxes.length * ASTRAY) - 1;
  const edge = (axis: 0 | 1 | 2 | 3, low: boolean) => {
    const values = boxes
      .map(box => box[axis])
      .filter(Number.isFinite)
      .sort((x, y) => (low ? x - y : y - x));
    return values[Math.min(cut, values.length - 1)] ?? Number.NaN;
  };
  return [edge(0, true), edge(1, true), edge(2, false), edge(3, false)];
}

async function readOne(path: string, file: string, format: string | null, options: FormatOptions): Promise<Sample> {
  const source = await openSource(path, { options, ...(format === null ? {} : { format }) });
  try {
    const raster = ['geotiff', 'asciigrid'].includes(readerFor(path, format ?? undefined).name);
    const profiler = new Profiler(source.columns);
    const spread = new Spread();
    const kinds = { point: 0, line: 0, polygon: 0 };
    let rows = 0;
    let whole = true;
    reading: for await (const batch of raster ? [] : source.rows())
      for (const row of batch) {
        if (rows === READ) {
          whole = false;
          break reading;
        }
        rows++;
        profiler.add(row);
        spread.add(row);
        if (row.geometry) kinds[kindOf(row.geometry.type)]++;
      }
    const most = (Object.entries(kinds) as ['point' | 'line' | 'polygon', number][]).reduce((a, b) =>
      b[1] > a[1] ? b : a,
    );
    return {
      path,
      file,
      format,
      options,
      kind: raster ? 'raster' : most[1] > 0 ? 'vector' : 'table',
      geometry: raster || most[1] === 0 ? null : most[0],
      crs: source.crs,
      rows,
      whole,
      columns: profiler.finish(),
      kept: spread.rows,
      date: isOsmExtract(path) ? await extractDate(path) : null,
      box: boxOfRows(spread.rows),
    };
  } finally {
    await source.close();
  }
}

/** Returns the options for opening a file: the given ones, or one for each layer, sheet or member if it holds several. */
async function partsOf(path: string, format: string | null, options: FormatOptions): Promise<FormatOptions[]> {
  // An extract holds everything; a layer is one kind of its features.
  if (isOsmExtract(path)) return OSM_LAYERS.map(layer => ({ ...options, layer }));
  try {
    const source = await openSource(path, { options, ...(format === null ? {} : { format }) });
    await source.close();
    return [options];
  } catch (error) {
    const choice = error instanceof ReadError ? error.choice : null;
    if (choice && choice.names.length > 1) return choice.names.map(name => ({ ...options, [choice.option]: name }));
    // If the attributes are missing, read the geometry alone.
    if (error instanceof ReadError && error.code === 'part_missing' && /\.dbf/.test(error.message))
      return [{ ...options, withoutAttributes: true }];
    throw error;
  }
}

/**
 * Reads samples of a published file, one for each layer, sheet or member: columns, rows and geometries.
 * @param file its path below the sources folder.
 * @returns the samples, and the parts that could not be read, with reasons. It does not throw for a bad file.
 */
export async function readSamples(path: string, file: string): Promise<{ samples: Sample[]; unread: Unread[] }> {
  const samples: Sample[] = [];
  const unread: Unread[] = [];
  const reasonOf = (error: unknown) => (error as Error).message.replaceAll(path, file);
  try {
    const format = await formatOf(path);
    for (const part of await partsOf(path, format, {})) {
      const what = part.layer ?? part.sheet ?? part.member;
      try {
        const options = await tableOptions(path, format, part);
        if (options) samples.push(await readOne(path, file, format, options));
      } catch (error) {
        unread.push({ file: what === undefined ? file : `${file} (${what})`, reason: reasonOf(error) });
      }
    }
  } catch (error) {
    unread.push({ file, reason: reasonOf(error) });
  }
  return { samples, unread };
}
