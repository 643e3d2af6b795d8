import { stat } from 'node:fs/promises';
import { type Box, boxOf } from '../../../datasets/geometry.ts';
import type { FormatOptions } from '../../../datasets/place/place.ts';
import { openSource, readerFor } from '../../../ingest/format.ts';
import { ReadError, type Row, type Source } from '../../../ingest/reader.ts';
import { OSM_LAYERS } from '../../../ingest/readers/osmpbf.ts';
import { openArchive } from '../../../ingest/zip.ts';
import { extractDate, isOsmExtract } from './osm-extract.ts';
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

/** Returns `asciigrid` or `geotiff` for a zip of a grid alone, whose name does not say that it is one; null for every other file. */
async function formatOf(path: string): Promise<string | null> {
  if (!/(?<!\.(shp|gdb|csv|tsv|txt|dat|asc))\.zip$/i.test(path) || (await stat(path)).isDirectory()) return null;
  const archive = await openArchive(path).catch(() => null);
  const names = archive?.names ?? [];
  archive?.close();
  const layers = names.filter(name => /\.(shp|gdbtable|gpkg|(geo)?json|kml|csv|tsv|txt|dat|asc|tiff?)$/i.test(name));
  if (layers.length === 0) return null;
  if (layers.every(name => /\.asc$/i.test(name))) return 'asciigrid';
  return layers.every(name => /\.tiff?$/i.test(name)) ? 'geotiff' : null;
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

/** An open file, or layer of it, whose rows are read in two steps: the first batch at once, the others after the place is known. */
export class Reading {
  readonly #base: Pick<Sample, 'path' | 'file' | 'format' | 'options' | 'crs' | 'date'>;
  readonly #source: Source;
  readonly #raster: boolean;
  readonly #rows: AsyncIterator<Row[]> | null;
  readonly #profiler: Profiler;
  readonly #spread = new Spread();
  readonly #kinds = { point: 0, line: 0, polygon: 0 };
  #count = 0;
  #whole = true;

  private constructor(
    base: Pick<Sample, 'path' | 'file' | 'format' | 'options' | 'crs' | 'date'>,
    source: Source,
    raster: boolean,
  ) {
    this.#base = base;
    this.#source = source;
    this.#raster = raster;
    this.#rows = raster ? null : source.rows()[Symbol.asyncIterator]();
    this.#profiler = new Profiler(source.columns);
  }

  /** Opens a file, unless `source` is it, and reads its first rows. */
  static async begin(path: string, file: string, format: string | null, { options, source }: Part): Promise<Reading> {
    const open = source ?? (await openSource(path, { options, ...(format === null ? {} : { format }) }));
    try {
      const date = isOsmExtract(path) ? await extractDate(path) : null;
      const raster = isRaster(path, format);
      const reading = new Reading({ path, file, format, options, crs: open.crs, date }, open, raster);
      await reading.#read();
      return reading;
    } catch (error) {
      await open.close();
      throw error;
    }
  }

  /** Reads one batch. @returns false when there is none, or when enough rows were read. */
  async #read(): Promise<boolean> {
    const batch = await this.#rows?.next();
    if (!batch || batch.done) return false;
    for (const row of batch.value) {
      if (this.#count === READ) {
        this.#whole = false;
        await this.#rows?.return?.();
        return false;
      }
      this.#count++;
      this.#profiler.add(row);
      this.#spread.add(row);
      if (row.geometry) this.#kinds[kindOf(row.geometry.type)]++;
    }
    return true;
  }

  /** Reads the other rows and closes the file. @throws ReadError. */
  async finish(): Promise<Sample> {
    try {
      while (await this.#read());
      return this.sample();
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#rows?.return?.();
    await this.#source.close();
  }

  /** Returns the sample of the rows that were read until now. */
  sample(): Sample {
    const most = (Object.entries(this.#kinds) as ['point' | 'line' | 'polygon', number][]).reduce((a, b) =>
      b[1] > a[1] ? b : a,
    );
    return {
      ...this.#base,
      kind: this.#raster ? 'raster' : most[1] > 0 ? 'vector' : 'table',
      geometry: this.#raster || most[1] === 0 ? null : most[0],
      rows: this.#count,
      whole: this.#whole,
      columns: this.#profiler.finish(),
      kept: this.#spread.rows,
      box: boxOfRows(this.#spread.rows),
    };
  }
}

/** Options for opening a file or a part of it, and the open file where it is open already. */
interface Part {
  readonly options: FormatOptions;
  readonly source: Source | null;
}

function isRaster(path: string, format: string | null): boolean {
  try {
    return ['geotiff', 'asciigrid'].includes(readerFor(path, format ?? undefined).name);
  } catch {
    // The name tells no format; the content did, and it is no raster.
    return false;
  }
}

/**
 * Returns the options for opening a file: the given ones, or one for each layer, sheet or member if it holds several. A member may
 * hold several layers in turn.
 */
async function partsOf(path: string, format: string | null, options: FormatOptions): Promise<Part[]> {
  // An extract holds everything; a layer is one kind of its features.
  if (isOsmExtract(path)) return OSM_LAYERS.map(layer => ({ options: { ...options, layer }, source: null }));
  try {
    const source = await openSource(path, { options, ...(format === null ? {} : { format }) });
    return [{ options, source }];
  } catch (error) {
    const choice = error instanceof ReadError ? error.choice : null;
    if (choice && choice.names.length > 1 && options[choice.option] === undefined) {
      const parts: Part[] = [];
      for (const name of choice.names) {
        const part = { ...options, [choice.option]: name };
        // Only an archive has members that hold layers; to open each layer of a file here would read it twice.
        parts.push(
          ...(choice.option === 'member' ? await partsOf(path, format, part) : [{ options: part, source: null }]),
        );
      }
      return parts;
    }
    // If the attributes are missing, read the geometry alone.
    if (error instanceof ReadError && error.code === 'part_missing' && /\.dbf/.test(error.message))
      return [{ options: { ...options, withoutAttributes: true }, source: null }];
    throw error;
  }
}

/**
 * Opens a published file and reads its first rows, one reading for each layer, sheet or member.
 * @param file its path below the sources folder.
 * @returns the readings, and the parts that could not be read, with reasons. It does not throw for a bad file.
 */
export async function beginReading(path: string, file: string): Promise<{ readings: Reading[]; unread: Unread[] }> {
  const readings: Reading[] = [];
  const unread: Unread[] = [];
  const reasonOf = (error: unknown) => (error as Error).message.replaceAll(path, file);
  try {
    const format = await formatOf(path);
    for (const { options: part, source } of await partsOf(path, format, {})) {
      const what = part.layer ?? part.sheet ?? part.member;
      try {
        const options = await tableOptions(path, format, part);
        const same = options !== null && JSON.stringify(options) === JSON.stringify(part);
        if (!same) await source?.close();
        if (options) readings.push(await Reading.begin(path, file, format, { options, source: same ? source : null }));
      } catch (error) {
        unread.push({ file: what === undefined ? file : `${file} (${what})`, reason: reasonOf(error) });
      }
    }
  } catch (error) {
    unread.push({ file, reason: reasonOf(error) });
  }
  return { readings, unread };
}
