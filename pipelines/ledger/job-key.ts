import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { catalog, layerOf } from '../../datasets/catalog.ts';
import type { Layer } from '../../datasets/dataset.ts';
import { joinsOf, type PlaceLayer } from '../../datasets/place/place.ts';
import { canonical } from '../release/lists.ts';
import { PARCEL_LAYER } from '../release/parcel-layer.ts';
import { hashOfRead } from '../steps/acquire.ts';
import type { CountyJob, LayerJob } from '../steps/layer-job.ts';
import { type CodedStep, codeVersion } from './code-version.ts';
import type { Ledger } from './ledger.ts';

/** The layers of a place that a job makes one thing of. */
const layersOf = (job: LayerJob | CountyJob): readonly PlaceLayer[] =>
  'layers' in job ? job.layers : [job.layer, ...(job.also ?? [])];

/** Returns the files that a layer of a place reads, as paths below the sources folder. */
function filesRead(layer: PlaceLayer, { coverage }: LayerJob['place'] | CountyJob['place']): string[] {
  const cover = layer.coverage ?? coverage;
  return [layer.file, ...joinsOf(layer).map(join => join.file), ...('file' in cover ? [cover.file] : [])];
}

/** Returns the published files that a job reads, as paths below the sources folder, sorted. */
export const filesOfJob = (job: LayerJob | CountyJob): string[] =>
  [...new Set(layersOf(job).flatMap(layer => filesRead(layer, job.place)))].sort();

/** The layer of the catalog that a job fills, as it is defined there. */
export function targetOf(job: LayerJob | CountyJob): Layer {
  const { dataset, layer } = 'layers' in job ? PARCEL_LAYER : job.layer;
  return layerOf(catalog.datasets, dataset, layer);
}

/** The step that does a job. */
function stepOf(job: LayerJob | CountyJob): CodedStep {
  if ('layers' in job) return 'county';
  const { kind } = layerOf(catalog.datasets, job.layer.dataset, job.layer.layer);
  return kind === 'raster' || kind === 'roads' ? kind : 'vector';
}

/**
 * Returns the SHA-256 over everything that decides the result of a job: the code of its step, the definition of the layer in the catalog and
 * in the place, the content of every file that it reads, the former content of a county, and the day if a condition uses it.
 */
export async function jobKey(
  job: LayerJob | CountyJob,
  ledger: Ledger,
  code: string = codeVersion(stepOf(job)),
): Promise<string> {
  const layers = layersOf(job);
  const files = filesOfJob(job);
  const hashes: [string, string][] = [];
  for (const file of files) hashes.push([file, await hashOfRead(join(job.sources, file), path => ledger.hashOf(path))]);
  // Stored files are named by their content.
  const before =
    'layers' in job
      ? job.before.map(({ path, ended, stacks, parts }) => [
          basename(path),
          ended && basename(ended),
          stacks && basename(stacks),
          parts,
        ])
      : null;
  const { files: _, unavailable: __, ...place } = job.place;
  const said = {
    code,
    target: targetOf(job),
    place,
    layers,
    hashes,
    before,
    key: 'layers' in job ? job.key : null,
    county: job.countyBox ?? null,
    mapped: files.filter(file => job.mapped?.includes(file)),
  };
  const day = canonical([layers, place]).includes('@today') ? job.asOf : null;
  return createHash('sha256')
    .update(canonical([said, day]))
    .digest('hex');
}
