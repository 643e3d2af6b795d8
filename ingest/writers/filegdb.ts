import { createWriteStream, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Column } from '../../datasets/dataset.ts';
import { type Box, type Geometry, union } from '../../datasets/geometry.ts';
import { GdalThread } from '../gdal-thread.ts';
import type { OutputRow, Writer, WrittenFile } from '../writer.ts';
import { createFlatGeobuf } from './flatgeobuf.ts';
import { RowRefused, type WriterGeometry } from './row.ts';

/** A feature class, or a table when it has no geometry. */
export interface GeodatabaseLayer {
  readonly columns: Readonly<Record<string, Column>>;
  readonly geometry: WriterGeometry | null;
}

export interface GeodatabaseOptions {
  /** Folder of the geodatabase in the zip, for example `WBD_National_GDB.gdb`; it may lie below other folders. */
  readonly folder: string;
  /** Layers by name, in the order in which they are written. */
  readonly layers: Readonly<Record<string, GeodatabaseLayer>>;
  /** CRS of the feature classes, `EPSG:n`, in degrees: coordinates are lng,lat in it. */
  readonly crs: string;
  /** A thread that the writers of several geodatabases share, one after the other. Without it each writer loads GDAL. */
  readonly gdal?: GdalThread;
  /** false: finish() does not wait for the disk. */
  readonly durable?: boolean;
}

/** Writes one geodatabase, like Writer, but to layers by name. */
interface GeodatabaseWriter {
  /** Adds a row. @throws RowRefused when it does not fit the layer, which then stays unchanged. */
  write(layer: string, row: OutputRow): void;
  finish(): Promise<WrittenFile>;
  abort(): Promise<void>;
}

const TYPES = { point: 'wkbPoint', line: 'wkbMultiLineString', polygon: 'wkbMultiPolygon' } as const;
/** Columns that GDAL adds to feature classes; it adds the first one to tables too. */
const RESERVED = ['objectid', 'shape', 'shape_length', 'shape_area'];
/** Geometry of rows of tables while they wait: that file needs one for each row. The geodatabase does not get it. */
const NOWHERE: Geometry = {
  type: 'Point',
  xy: new Float64Array(2),
  ends: Uint32Array.of(1),
  parts: new Uint32Array(0),
};
const INT32 = 2 ** 31;
/** A local time, because zip times are local: so the bytes are the same in every time zone. */
const STAMP = { mtime: new Date(2026, 0, 1), mode: 0o100644, forceDosTimestamp: true };

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

interface Stage {
  readonly name: string;
  readonly layer: GeodatabaseLayer;
  /** Names of the integer columns. */
  readonly integers: readonly string[];
  readonly file: Writer;
}

class FileGdbWriter implements GeodatabaseWriter {
  readonly #path: string;
  readonly #options: GeodatabaseOptions;
  readonly #scratch: string;
  readonly #stages: ReadonlyMap<string, Stage>;
  #open = true;

  constructor(path: string, options: GeodatabaseOptions, scratch: string, stages: ReadonlyMap<string, Stage>) {
    this.#path = path;
    this.#options = options;
    this.#scratch = scratch;
    this.#stages = stages;
  }

  write(layer: string, row: OutputRow): void {
    if (!this.#open) throw new Error(`${this.#path} is finished or aborted; no row can be added`);
    const stage = this.#stages.get(layer);
    if (!stage) throw new Error(`${this.#path} has no layer "${layer}"; it has ${[...this.#stages.keys()].join(', ')}`);
    for (const name of stage.integers) {
      const value = row.properties[name];
      if (typeof value === 'number' && (value < -INT32 || value >= INT32))
        throw new RowRefused(`Column "${name}" is ${value}; a geodatabase holds whole numbers within 32 bits`);
    }
    if (stage.layer.geometry) {
      if (row.geometry?.type === 'MultiPoint')
        throw new RowRefused('The geometry is a MultiPoint; the layer holds single points');
      stage.file.write(row);
    } else {
      if (row.geometry) throw new RowRefused(`The row has a geometry; ${layer} is a table`);
      stage.file.write({ ...row, geometry: NOWHERE });
    }
  }

  async finish(): Promise<WrittenFile> {
    if (!this.#open) throw new Error(`${this.#path} is finished or aborted already`);
    const part = `${this.#path}.part`;
    try {
      const files: WrittenFile[] = [];
      for (const { file } of this.#stages.values()) files.push(await file.finish());
      this.#open = false;
      await this.#convert();
      await this.#zip(part);
      renameSync(part, this.#path);
      const box = [...this.#stages.values()].reduce<Box | null>(
        (all, { layer }, i) => (layer.geometry ? union(all, files[i]!.box) : all),
        null,
      );
      const rows = files.reduce((sum, file) => sum + file.rows, 0);
      return { path: this.#path, bytes: statSync(this.#path).size, rows, box };
    } finally {
      rmSync(part, { force: true });
      await this.abort();
    }
  }

  async abort(): Promise<void> {
    if (this.#open) for (const { file } of this.#stages.values()) await file.abort();
    this.#open = false;
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  /** Returns an OGR virtual dataset (gdal.org/drivers/vector/vrt.html) of all layers, over the files in which rows wait. */
  #virtual(): string {
    const layers = [...this.#stages].map(([name, stage]) => {
      const { geometry } = stage.layer;
      const kind = geometry
        ? `<GeometryType>${TYPES[geometry]}</GeometryType><LayerSRS>${escaped(this.#options.crs)}</LayerSRS>`
        : '<GeometryType>wkbNone</GeometryType>';
      const source = `<SrcDataSource relativeToVRT="1">${stage.name}.fgb</SrcDataSource><SrcLayer>${stage.name}</SrcLayer>`;
      return `<OGRVRTLayer name="${escaped(name)}">${source}${kind}</OGRVRTLayer>`;
    });
    return `<OGRVRTDataSource>${layers.join('')}</OGRVRTDataSource>`;
  }

  async #convert(): Promise<void> {
    const layers = 'layers.vrt';
    writeFileSync(join(this.#scratch, layers), this.#virtual());
    const gdal = this.#options.gdal ?? new GdalThread(0);
    try {
      const answer = await gdal.run({ folder: this.#scratch, layers, name: 'out' });
      if ('error' in answer) throw new Error(`${this.#path}: GDAL cannot write it (${answer.error})`);
    } finally {
      if (!this.#options.gdal) await gdal.close();
    }
  }

  async #zip(path: string): Promise<void> {
    const folder = join(this.#scratch, 'out.gdb');
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
export async function createFileGdb(path: string, options: GeodatabaseOptions): Promise<GeodatabaseWriter> {
  const entries = Object.entries(options.layers);
  if (entries.length === 0) throw new Error(`${path} has no layers; expected at least one`);
  for (const [name, { columns }] of entries)
    for (const column of Object.keys(columns))
      if (RESERVED.includes(column.toLowerCase()))
        throw new Error(`Column "${column}" of ${name}: every geodatabase has its own; rename it`);
  const scratch = mkdtempSync(join(dirname(path), '.geodatabase-'));
  const stages = new Map<string, Stage>();
  for (const [i, [layerName, layer]] of entries.entries()) {
    const name = `layer${i}`;
    const file = await createFlatGeobuf(join(scratch, `${name}.fgb`), {
      name,
      columns: layer.columns,
      order: 'input',
      geometryType: layer.geometry ?? 'point',
      durable: false,
    });
    const integers = Object.keys(layer.columns).filter(column => layer.columns[column]!.type === 'integer');
    stages.set(layerName, { name, layer, integers, file });
  }
  return new FileGdbWriter(path, options, scratch, stages);
}
