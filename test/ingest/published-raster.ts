import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll } from 'vitest';
import type { RasterLayer } from '../../datasets/dataset.ts';
import { boxOf } from '../../datasets/geometry.ts';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { storedRasterCrs } from '../../ingest/crs/stored-crs.ts';
import { resolveCrs, statedCrs } from '../../ingest/crs.ts';
import { openSource } from '../../ingest/format.ts';
import { footprint, type RasterSource, wholeOf } from '../../ingest/raster/raster-source.ts';
import { storeRaster } from '../../ingest/raster/stored-raster.ts';

type Wanted = Pick<RasterLayer, 'unit' | 'nodata'>;

/** A function that stores a published raster as ingest does, in a folder that goes away after the test file: the path. */
export function rasterStore(): (
  path: string,
  layer?: Wanted,
  options?: FormatOptions,
  each?: () => void,
  signal?: AbortSignal,
) => Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'plat-stored-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let count = 0;
  return async (path, layer = {}, options = {}, each = () => {}, signal) => {
    const source = (await openSource(path, { options })) as RasterSource;
    try {
      const box = boxOf(footprint(source.info, wholeOf(source.info)));
      const crs = await storedRasterCrs(await resolveCrs(statedCrs(source.crs, options), path), box, path);
      const to = join(folder, `${count++}.cog`);
      await storeRaster(basename(path), source, { ...layer, bands: 1 }, options, crs, to, each, signal);
      return to;
    } finally {
      await source.close();
    }
  };
}
