import { createWriteStream, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { GdalThread } from '../gdal-thread.ts';
import type { OutputRow, WrittenFile } from '../writer.ts';
import { RowRefused } from './row.ts';
import { type StagedLayer, StagedLayers } from './staged-layers.ts';

export interface GeodatabaseOptions {
  /** Folder of the geodatabase in the zip, for example `WBD_National_GDB.gdb`; it may lie below other folders. */
  readonly folder: string;
  /** Layers by name, in the order in which they are written. */
  readonly layers: Readonly<Record<string, StagedLayer>>;
  /** CRS of the feature classes, `EPSG:n`, in degrees: coordinates are lng,lat in it. */
  readonly crs: string;
  /** A thread that the writers of several geodatabases share, one after the other. Without it each writer loads GDAL. */
  readonly gdal?: GdalThread;
  /** false: finish() does not wait for the disk. */
  readonly durable?: boolean;
}

/**
 * Arguments of ogr2ogr that write a file geodatabase: vertices on a grid of a billionth of a degree from -400 (what ArcGIS
 * itself takes for degrees), whole numbers in 32 bits, which is what geodatabases had before ArcGIS Pro 3.2.
 */
const ARGS: readonly string[] = [
  '-f',
  'OpenFileGDB',
  '-mapFieldType',
  'Integer64=Integer',
  ...[
    'XYSCALE=1000000000',
    'XORIGIN=-400',
    'YORIGIN=-400',
    // ArcGIS keeps these columns for every feature class of lines or polygons, so published ones have them.
    'CREATE_SHAPE_AREA_AND_LENGTH_FIELDS=YES',
  ].flatMap(option => ['-lco', option]),
];
/** Columns that GDAL adds to feature classes; it adds the first one to tables too. */
const RESERVED = ['objectid', 'shape', 'shape_length', 'shape_area'];
const INT32 = 2 ** 31;
/** A local time, because zip times are local: so the bytes are the same in every time zone. */
export const STAMP = { mtime: new Date(2026, 0, 1), mode: 0o100644, forceDosTimestamp: true };

/** Writes one geodatabase, like Writer, but to layers by name. */
class FileGdbWriter {
  readonly #path: string;
  readonly #options: GeodatabaseOptions;
  readonly #staged: StagedLayers;

  constructor(path: string, options: GeodatabaseOptions, staged: StagedLayers) {
    this.#path = path;
    this.#options = options;
    this.#staged = staged;
  }

  /** Adds a row. @throws RowRefused when it does not fit the layer, which then stays unchanged. */
  write(layer: string, row: OutputRow): void {
    for (const [name, { type }] of Object.entries(this.#options.layers[layer]?.columns ?? {})) {
      const value = row.properties[name];
      if (type === 'integer' && typeof value === 'number' && (value < -INT32 || value >= INT32))
        throw new RowRefused(`Column "${name}" is ${value}; a geodatabase holds whole numbers within 32 bits`);
    }
    this.#staged.write(layer, row);
  }

  async finish(): Promise<WrittenFile> {
    const part = `${this.#path}.part`;
    const gdal = this.#options.gdal ?? new GdalThread(0);
    try {
      const written = await this.#staged.convert('out', ARGS, gdal);
      await this.#zip(part);
      renameSync(part, this.#path);
      return { ...written, path: this.#path, bytes: statSync(this.#path).size };
    } finally {
      if (!this.#options.gdal) await gdal.close();
      rmSync(part, { force: true });
      await this.abort();
    }
  }

  abort(): Promise<void> {
    return this.#staged.discard();
  }

  async #zip(path: string): Promise<void> {
    const folder = join(this.#staged.folder, 'out.gdb');
    const zip = new ZipFile();
    for (const name of readdirSync(folder).sort())
      zip.addFile(join(folder, name), `${this.#options.folder}/${name}`, STAMP);
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(path, { flush: this.#options.durable ?? true }));
  }
}

/**
 * Opens a writer of a zipped Esri file geodatabase with any number of feature classes and tables. Rows wait in FlatGeobuf
 * files beside it. At the end GDAL in WASM makes the geodatabase from them. Memory grows as in the FlatGeobuf writer.
 *
 * Columns: string → String, number → Double, integer → Integer (32 bits; longer identifiers are Doubles in published
 * geodatabases too), boolean → Integer 0 or 1, date and timestamp → Date, which has a time of day: a date is midnight.
 * Vertices lie on a grid of a billionth of a degree. GDAL adds the columns OBJECTID, SHAPE, Shape_Length and
 * Shape_Area.
 *
 * The same rows in the same order give the same bytes. On a shared thread this also needs the same geodatabases before, because
 * the count of identifiers goes on from one geodatabase to the next.
 *
 * @param path of the zip, which is there once finish() resolves.
 * @returns a writer. Its write() throws RowRefused for values that do not fit their columns, for a geometry of another kind than
 *   the layer's, and for a geometry in a table. Its finish() throws Error with the message of GDAL, for example about a column
 *   name that geodatabases reserve.
 * @throws Error when there is no layer, or a column has the name of one that GDAL adds.
 */
export async function createFileGdb(path: string, options: GeodatabaseOptions): Promise<FileGdbWriter> {
  const entries = Object.entries(options.layers);
  if (entries.length === 0) throw new Error(`${path} has no layers; expected at least one`);
  for (const [name, { columns }] of entries)
    for (const column of Object.keys(columns))
      if (RESERVED.includes(column.toLowerCase()))
        throw new Error(`Column "${column}" of ${name}: every geodatabase has its own; rename it`);
  return new FileGdbWriter(path, options, await StagedLayers.open(path, options.crs, options.layers));
}
