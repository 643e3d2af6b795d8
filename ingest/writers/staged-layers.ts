import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Column } from '../../datasets/dataset.ts';
import { type Box, type Geometry, union } from '../../datasets/geometry.ts';
import type { GdalThread } from '../gdal-thread.ts';
import type { OutputRow, Writer, WrittenFile } from '../writer.ts';
import { createFlatGeobuf } from './flatgeobuf.ts';
import { RowRefused, type WriterGeometry } from './row.ts';

/** Layer of features, or a table when it has no geometry. */
export interface StagedLayer {
  readonly columns: Readonly<Record<string, Column>>;
  readonly geometry: WriterGeometry | null;
  /** Widths and decimals of columns, for formats that have them. */
  readonly widths?: Readonly<Record<string, readonly [width: number, decimals: number]>>;
}

const TYPES = { point: 'wkbPoint', line: 'wkbMultiLineString', polygon: 'wkbMultiPolygon' } as const;
/** Geometry of rows of tables while they wait: their file needs one for each row. What GDAL writes does not get it. */
const NOWHERE: Geometry = {
  type: 'Point',
  xy: new Float64Array(2),
  ends: Uint32Array.of(1),
  parts: new Uint32Array(0),
};
const VIRTUAL = 'layers.vrt';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

interface Stage {
  /** Name of the file in which rows wait, without its ending. */
  readonly name: string;
  readonly layer: StagedLayer;
  readonly file: Writer;
}

/** Layers whose rows wait in FlatGeobuf files until GDAL in WASM writes all of them as one dataset. */
export class StagedLayers {
  /** Folder beside the final file, for the waiting rows and what GDAL writes. */
  readonly folder: string;
  readonly #path: string;
  readonly #crs: string;
  readonly #stages = new Map<string, Stage>();
  #open = true;

  private constructor(path: string, crs: string) {
    this.#path = path;
    this.#crs = crs;
    this.folder = mkdtempSync(join(dirname(path), '.layers-'));
  }

  /** @param path of the final file. @param crs of the features, `EPSG:n`. */
  static async open(path: string, crs: string, layers: Readonly<Record<string, StagedLayer>>): Promise<StagedLayers> {
    const staged = new StagedLayers(path, crs);
    for (const [i, [layerName, layer]] of Object.entries(layers).entries()) {
      const name = `layer${i}`;
      const file = await createFlatGeobuf(join(staged.folder, `${name}.fgb`), {
        name,
        columns: layer.columns,
        order: 'input',
        geometryType: layer.geometry ?? 'point',
        durable: false,
      });
      staged.#stages.set(layerName, { name, layer, file });
    }
    return staged;
  }

  /** Adds a row. @throws RowRefused when it does not fit the layer, which then stays unchanged. */
  write(layer: string, row: OutputRow): void {
    if (!this.#open) throw new Error(`${this.#path} is finished or aborted; no row can be added`);
    const stage = this.#stages.get(layer);
    if (!stage) throw new Error(`${this.#path} has no layer "${layer}"; it has ${[...this.#stages.keys()].join(', ')}`);
    if (stage.layer.geometry) {
      if (row.geometry?.type === 'MultiPoint')
        throw new RowRefused('The geometry is a MultiPoint; the layer holds single points');
      stage.file.write(row);
    } else {
      if (row.geometry) throw new RowRefused(`The row has a geometry; ${layer} is a table`);
      stage.file.write({ ...row, geometry: NOWHERE });
    }
  }

  /**
   * Lets GDAL write all rows.
   * @param name of what it writes into the folder, without the format's ending. @param args of ogr2ogr, with the format.
   * @returns rows and box of all layers.
   * @throws Error with the message of GDAL.
   */
  async convert(name: string, args: readonly string[], gdal: GdalThread): Promise<Pick<WrittenFile, 'rows' | 'box'>> {
    if (!this.#open) throw new Error(`${this.#path} is finished or aborted already`);
    let rows = 0;
    let box: Box | null = null;
    for (const { layer, file } of this.#stages.values()) {
      const written = await file.finish();
      rows += written.rows;
      if (layer.geometry) box = union(box, written.box);
    }
    this.#open = false;
    writeFileSync(join(this.folder, VIRTUAL), this.#virtual());
    const answer = await gdal.run({ folder: this.folder, virtual: VIRTUAL, name, args });
    if ('error' in answer) throw new Error(`${this.#path}: GDAL cannot write it (${answer.error})`);
    return { rows, box };
  }

  /** Removes the folder with all that waits and was written there. */
  async discard(): Promise<void> {
    if (this.#open) for (const { file } of this.#stages.values()) await file.abort();
    this.#open = false;
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Returns an OGR virtual dataset (gdal.org/drivers/vector/vrt.html) of all layers, over the files in which rows wait. */
  #virtual(): string {
    const layers = [...this.#stages].map(
      ([
        layerName,
        {
          name,
          layer: { geometry, widths },
        },
      ]) => {
        const kind = geometry
          ? `<GeometryType>${TYPES[geometry]}</GeometryType><LayerSRS>${escaped(this.#crs)}</LayerSRS>`
          : '<GeometryType>wkbNone</GeometryType>';
        const source = `<SrcDataSource relativeToVRT="1">${name}.fgb</SrcDataSource><SrcLayer>${name}</SrcLayer>`;
        const fields = Object.entries(widths ?? {}).map(
          ([column, [width, decimals]]) =>
            `<Field name="${escaped(column)}" type="${this.#typeOf(layerName, column)}" width="${width}" precision="${decimals}"/>`,
        );
        return `<OGRVRTLayer name="${escaped(layerName)}">${source}${kind}${fields.join('')}</OGRVRTLayer>`;
      },
    );
    return `<OGRVRTDataSource>${layers.join('')}</OGRVRTDataSource>`;
  }

  #typeOf(layer: string, column: string): 'String' | 'Real' {
    return this.#stages.get(layer)!.layer.columns[column]!.type === 'string' ? 'String' : 'Real';
  }
}
