import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Column } from '../datasets/dataset.ts';
import type { Box } from '../datasets/geometry.ts';
import type { Coverage } from '../datasets/place.ts';
import type { Partition } from '../datasets/release.ts';
import { projector, statedCrs } from '../ingest/crs.ts';
import { openSource } from '../ingest/format.ts';
import { createFlatGeobuf } from '../ingest/writers/flatgeobuf.ts';
import { loadGeos } from './geos.ts';
import { LayerError, type LayerJob } from './layer-job.ts';
import type { StagedFile } from './store.ts';
import { judge } from './validity.ts';

/** Where a layer is known to be mapped, as stored with its partitions. */
export interface StagedCoverage {
  readonly kind: Partition['coverage'];
  /** lng,lat degrees; null when it is everywhere or not known before the raster is read. */
  readonly box: Box | null;
  readonly files: readonly StagedFile[];
}

/** The coverage that holds for a layer: its own, everywhere for a national file, else the place's. */
export function coverageOf(job: Pick<LayerJob, 'layer' | 'place'>): Coverage {
  return job.layer.coverage ?? (job.layer.national ? { everywhere: true } : job.place.coverage);
}

const COLUMNS: Readonly<Record<string, Column>> = {};

/**
 * Writes the coverage polygons of a layer as a small FlatGeobuf (WGS84).
 * @throws LayerError when a polygon of the coverage is invalid: what is mapped must not be guessed.
 */
export async function stageCoverage(job: LayerJob): Promise<StagedCoverage> {
  const coverage = coverageOf(job);
  if ('everywhere' in coverage) return { kind: 'everywhere', box: null, files: [] };
  if ('extent' in coverage) return { kind: 'extent', box: null, files: [] };
  const geos = await loadGeos();
  const source = await openSource(join(job.sources, coverage.file), { options: coverage.options ?? {} });
  mkdirSync(job.folder, { recursive: true });
  const path = join(job.folder, 'coverage.fgb');
  const writer = await createFlatGeobuf(path, { name: 'coverage', columns: COLUMNS });
  try {
    const project = projector(statedCrs(source.crs, coverage.options ?? {}), coverage.file);
    for await (const batch of source.rows())
      for (const row of batch) {
        const verdict = judge(row.geometry && project(row.geometry), 'polygon', geos);
        if (verdict.kind === 'rejected')
          throw new LayerError(`${coverage.file}, row ${row.number}: as a coverage polygon: ${verdict.reason}`);
        await writer.write({ properties: {}, geometry: verdict.geometry });
      }
    const { rows, box } = await writer.finish();
    if (rows === 0) throw new LayerError(`${coverage.file}: the coverage has no polygon`);
    return { kind: 'polygon', box, files: [{ role: 'coverage', path, rows }] };
  } catch (error) {
    await writer.abort();
    throw error;
  } finally {
    await source.close();
  }
}
