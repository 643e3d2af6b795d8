import { type CellType, CogWriter, LNGLAT, TILE } from '../../query/format/cog.ts';

/** A raster by what it holds: cells by their column and row, NaN for no data. */
export interface CogSpec {
  readonly width: number;
  readonly height: number;
  readonly west: number;
  readonly north: number;
  readonly cell: number;
  readonly value: (column: number, row: number) => number;
  readonly type?: CellType;
  /** Of whole numbers the one that means no data. */
  readonly nodata?: number | null;
  /** As CogHeader.crs; by default lng,lat. */
  readonly crs?: string;
}

/** Writes a raster of one band in the stored form. */
export function writeCog(path: string, spec: CogSpec): void {
  const { width, height, west, north, cell, value, type = 'float32', crs = LNGLAT } = spec;
  const nodata = type.startsWith('float') ? Number.NaN : (spec.nodata ?? null);
  const transform = [west, cell, 0, north, 0, -cell] as const;
  // Geographic, EPSG:4326.
  const directory = crs === LNGLAT ? [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326] : [];
  const keys = { directory, doubles: [], text: '' };
  const writer = new CogWriter(path, { width, height, bands: 1, type, nodata, transform, crs }, keys, null);
  for (let y = 0; y * TILE < height; y++)
    for (let x = 0; x * TILE < width; x++) {
      const cells = writer.emptyTile();
      for (let row = 0; row < Math.min(TILE, height - y * TILE); row++)
        for (let column = 0; column < Math.min(TILE, width - x * TILE); column++) {
          const number = value(x * TILE + column, y * TILE + row);
          cells[row * TILE + column] = Number.isNaN(number) ? nodata! : number;
        }
      writer.write(1, x, y, cells);
    }
  writer.finish();
}
