import { join } from 'node:path';
import type { RasterLayer } from '../../../datasets/dataset.ts';
import { type Box, boxOf, type Geometry, union } from '../../../datasets/geometry.ts';
import { expectationOf } from '../../../datasets/place/expectation.ts';
import { storedRasterCrs } from '../../../ingest/crs/stored-crs.ts';
import { boxIn, projectGeometries, resolveCrs, statedCrs } from '../../../ingest/crs.ts';
import { openSource, rasterFormatOf } from '../../../ingest/format.ts';
import { footprint, type RasterBlock, type RasterSource, wholeOf } from '../../../ingest/raster/raster-source.ts';
import { windowed } from '../../../ingest/raster/raster-window.ts';
import { storeRaster } from '../../../ingest/raster/stored-raster.ts';
import { NATIONAL } from '../../release/manifest.ts';
import { stageCoverage } from '../ground/coverage.ts';
import { cutBox, cutWords } from '../ground/cut.ts';
import { LayerError, type LayerJob, type LayerResult } from '../layer-job.ts';
import { partitionKey } from '../partition.ts';
import { placedBox } from '../quality/location.ts';

/** Pieces of each edge of a block: projected edges are curves, and the box must hold their bulge too. */
const PIECES = 64;

/** The same footprint with every edge cut into equal pieces, in the raster's own CRS. */
function densify({ xy }: Geometry): Geometry {
  const points: number[] = [];
  for (let i = 0; i + 3 < xy.length; i += 2)
    for (let k = 0; k <= PIECES; k++)
      for (const axis of [0, 1]) points.push(xy[i + axis]! + ((xy[i + 2 + axis]! - xy[i + axis]!) * k) / PIECES);
  const out = Float64Array.from(points);
  return { type: 'LineString', xy: out, ends: Uint32Array.of(out.length / 2), parts: new Uint32Array() };
}

/**
 * Builds one raster layer: every block is read once and stored in the one form that queries read. A block counts as a row.
 * @throws ReadError when a block cannot be read or not be stored so.
 */
export async function stageRaster(
  job: LayerJob,
  layer: RasterLayer,
  report: (rows: number) => void,
  signal?: AbortSignal,
): Promise<LayerResult> {
  const { file, format, options } = job.layer;
  const published = join(job.sources, file);
  const reader = await rasterFormatOf(published, format, options?.member);
  if (reader !== 'geotiff' && reader !== 'asciigrid')
    throw new LayerError(`${file}: ${reader} holds no raster; a GeoTIFF or an ASCII grid was expected`);
  let source = (await openSource(published, { format: reader, options: options ?? {} })) as RasterSource;
  const path = join(job.folder, 'raster.cog');
  let read = 0;
  let box: Box | null = null;
  try {
    const crs = await resolveCrs(statedCrs(source.crs, options ?? {}), file);
    const ground = cutBox(job);
    if (ground) source = windowed(source, await boxIn(crs, ground, file), file);
    const stored = await storedRasterCrs(crs, boxOf(footprint(source.info, wholeOf(source.info))), file);
    const each = async (block: RasterBlock) => {
      const [outline] = await projectGeometries(crs, [densify(footprint(source.info, block))]);
      box = union(box, boxOf(outline!));
      report(++read);
    };
    await storeRaster(file, source, layer, options ?? {}, stored, path, each, signal);
  } finally {
    await source.close();
  }
  const coverage = await stageCoverage(job);
  const bounds = layer.partition === 'national' ? null : (coverage.ground?.box ?? null);
  const local = layer.partition !== 'national' && !job.layer.national;
  const { outsideMetres } = expectationOf(layer.expect, job.layer.expect);
  return {
    columns: [],
    samples: [],
    examples: [{}],
    partitions: [
      {
        key: partitionKey(layer.partition, job.place, job.layer.national ?? false, box),
        place: job.layer.national ? NATIONAL : job.place.name,
        rows: read,
        box,
        files: [{ role: 'raster', path, rows: read }, ...coverage.files],
        coverage: coverage.kind,
      },
    ],
    counts: [
      {
        place: job.place.name,
        dataset: job.layer.dataset,
        layer: job.layer.layer,
        file,
        read,
        written: read,
        skipped: 0,
        rejected: 0,
        repaired: 0,
        dissolvedTo: null,
        ...(job.layer.cut ? { notes: [`cells beyond ${cutWords(job.layer.cut)} were left out`] } : {}),
        quality: {
          vintage: job.layer.provenance.vintage,
          rows: read,
          nulls: {},
          hits: {},
          blanks: {},
          unlisted: {},
          placed: box && {
            ...placedBox(box, bounds, outsideMetres),
            ...(local && { within: coverage.ground?.of ?? 'country' }),
          },
        },
      },
    ],
  };
}
