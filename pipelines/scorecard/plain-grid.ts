import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromArrayBuffer, type GeoTIFFImage } from 'geotiff';
import proj4 from 'proj4';
import type { Partition } from '../../datasets/release.ts';
import type { LngLat } from './plain-geometry.ts';
import { filesOf, NotChecked, requireSmall } from './plain-layer.ts';

/** Share of a cell beside its edge where either cell may hold a place: projections differ in the last digits. */
const TIE = 1e-6;
/** Name of a CRS that needs no projection. */
const LNGLAT = 'OGC:CRS84';

/** A stored grid, by the reader of GeoTIFF that browsers use. */
interface PlainGrid {
  readonly image: GeoTIFFImage;
  readonly size: readonly [columns: number, rows: number];
  readonly nodata: number | null;
  /** Column and row of a place, with what lies beyond whole cells. */
  readonly toGrid: (place: LngLat) => readonly [number, number];
}

/** The reading of a grid at a place: a number, nothing, or that its cell cannot be decided. */
export type CellAt = number | 'none' | 'undecidable';

/** The grids of some partitions. @throws NotChecked where they are too large, or lie on a grid that is turned. */
export async function plainGrids(releases: string, partitions: readonly Partition[]): Promise<readonly PlainGrid[]> {
  const files = filesOf(partitions, 'raster');
  requireSmall(files.reduce((sum, { bytes }) => sum + bytes, 0));
  return Promise.all(files.map(({ path }) => plainGrid(join(releases, path))));
}

async function plainGrid(path: string): Promise<PlainGrid> {
  const bytes = await readFile(path);
  const tiff = await fromArrayBuffer(new Uint8Array(bytes).buffer);
  const image = await tiff.getImage();
  const { PLAT_CRS: crs } = ((await image.getGDALMetadata(null)) ?? {}) as { readonly PLAT_CRS?: string };
  const transform = image.fileDirectory.getValue('ModelTransformation') as ArrayLike<number> | undefined;
  if (!crs || !transform || transform[1] !== 0 || transform[4] !== 0)
    throw new NotChecked('a grid that is turned, or says no coordinate system, is not read a second time');
  const [cellX, west, cellY, north] = [transform[0]!, transform[3]!, transform[5]!, transform[7]!];
  const project = crs === LNGLAT ? null : proj4('+proj=longlat +datum=WGS84 +no_defs', crs);
  return {
    image,
    size: [image.getWidth(), image.getHeight()],
    nodata: image.getGDALNoData(),
    toGrid: ([lng, lat]) => {
      const [x, y] = project ? project.forward([lng, lat]) : [lng, lat];
      return [(x! - west) / cellX, (y! - north) / cellY];
    },
  };
}

/** The value of a cell; null for no data and beyond the edge. */
async function cellOf({ image, size, nodata }: PlainGrid, band: number, column: number, row: number) {
  if (column < 0 || row < 0 || column >= size[0] || row >= size[1]) return null;
  const [cells] = (await image.readRasters({
    window: [column, row, column + 1, row + 1],
    samples: [band - 1],
  })) as unknown as readonly ArrayLike<number>[];
  const value = Number(cells![0]);
  return Number.isNaN(value) || value === nodata ? null : value;
}

/** Reads the grids of a layer at a place. @param sampling how the catalog has the layer read. */
export async function cellAt(
  grids: readonly PlainGrid[],
  band: number,
  place: LngLat,
  sampling: 'nearest' | 'bilinear',
): Promise<CellAt> {
  const holding = grids.flatMap(grid => {
    const [x, y] = grid.toGrid(place);
    return x >= 0 && y >= 0 && x < grid.size[0] && y < grid.size[1] ? [{ grid, x, y }] : [];
  });
  if (holding.length > 1) return 'undecidable';
  const [one] = holding;
  if (!one) return 'none';
  const { grid, x, y } = one;
  if ([x, y].some(at => Math.abs(at - Math.round(at)) < TIE)) return 'undecidable';
  const own = await cellOf(grid, band, Math.floor(x), Math.floor(y));
  if (own === null || sampling === 'nearest') return own ?? 'none';
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  let [sum, weights] = [0, 0];
  for (const [column, row] of [
    [left, top],
    [left + 1, top],
    [left, top + 1],
    [left + 1, top + 1],
  ] as const) {
    const value = await cellOf(grid, band, column, row);
    // Neighbors without data are left out, and the others weigh more.
    const weight = (1 - Math.abs(x - 0.5 - column)) * (1 - Math.abs(y - 0.5 - row));
    if (value === null) continue;
    sum += value * weight;
    weights += weight;
  }
  return sum / weights;
}
