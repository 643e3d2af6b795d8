import type { Box } from '../../datasets/geometry.ts';
import type { Crs } from '../crs.ts';
import { askRaster } from '../gdal.ts';
import type { StoredCrs } from '../raster/raster-info.ts';
import { rasterDefinition } from './raster-definition.ts';

/**
 * Returns how a CRS is stored with a raster: the one place that decides it.
 * @param box of the raster in its own CRS. @param file named in errors.
 * @throws ReadError as rasterDefinition, or file_corrupt when GDAL has no keys for it.
 */
export async function storedRasterCrs(crs: Crs, box: Box, file: string): Promise<StoredCrs> {
  const text = await rasterDefinition(crs, box, file);
  const answer = await askRaster({ raster: null, ask: { crs: crs.stated } }, file);
  if (!('keys' in answer)) throw new Error('GDAL answered something else');
  return { text, keys: answer.keys };
}
