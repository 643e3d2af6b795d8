import { createWriteStream, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sharedThread } from '../../../ingest/gdal.ts';

/** A grid of the area: north-up, its upper left corner and cell size in the units of its CRS. */
export interface Grid {
  readonly epsg: 4269 | 4326 | 26919;
  readonly left: number;
  readonly top: number;
  readonly cellX: number;
  readonly cellY: number;
  readonly columns: number;
  readonly rows: number;
  readonly sample: 'uint8' | 'int16' | 'uint16' | 'float32';
  readonly nodata: number | null;
  /** Value of the cell, column from the west, row from the north. */
  readonly value: (column: number, row: number) => number;
}

/** Cells as they lie in memory (little endian), and GDAL's name of their type. */
const SAMPLES = {
  uint8: { cells: Uint8Array, type: 'Byte' },
  uint16: { cells: Uint16Array, type: 'UInt16' },
  int16: { cells: Int16Array, type: 'Int16' },
  float32: { cells: Float32Array, type: 'Float32' },
} as const;

/** A virtual raster over a file of bare cells (gdal.org/drivers/raster/vrt.html). */
const virtual = ({ epsg, left, top, cellX, cellY, columns, rows, sample, nodata }: Grid) =>
  `<VRTDataset rasterXSize="${columns}" rasterYSize="${rows}"><SRS>EPSG:${epsg}</SRS>
<GeoTransform>${[left, cellX, 0, top, 0, -cellY].join(', ')}</GeoTransform>
<VRTRasterBand dataType="${SAMPLES[sample].type}" band="1" subClass="VRTRawRasterBand">
${nodata === null ? '' : `<NoDataValue>${nodata}</NoDataValue>`}
<SourceFilename relativeToVRT="1">cells</SourceFilename><ByteOrder>LSB</ByteOrder></VRTRasterBand></VRTDataset>`;

/**
 * Writes a tiled, deflated GeoTIFF of one band with GDAL, from bare cells beside it; no more than one row is in memory.
 * @returns the number of cells.
 * @throws Error when GDAL refuses.
 */
export async function writeGeotiff(path: string, grid: Grid): Promise<number> {
  const folder = mkdtempSync(join(dirname(path), '.raster-'));
  function* cells() {
    for (let row = 0; row < grid.rows; row++) {
      const line = new SAMPLES[grid.sample].cells(grid.columns);
      for (let column = 0; column < grid.columns; column++) line[column] = grid.value(column, row);
      yield Buffer.from(line.buffer);
    }
  }
  try {
    await pipeline(Readable.from(cells()), createWriteStream(join(folder, 'cells')));
    writeFileSync(join(folder, 'raster.vrt'), virtual(grid));
    const args = ['-of', 'GTiff', '-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE'];
    const answer = await sharedThread().run({ folder, virtual: 'raster.vrt', isRaster: true, name: 'out', args });
    if ('error' in answer) throw new Error(`${path}: GDAL cannot write it (${answer.error})`);
    renameSync(join(folder, 'out.tif'), path);
    return grid.columns * grid.rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
