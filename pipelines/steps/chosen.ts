import type { Place } from '../../datasets/place/place.ts';
import type { IngestCount, Manifest } from '../../datasets/release.ts';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import { countsOfPlace } from '../../query/release/lists/layer-lists.ts';
import type { Contribution } from '../release/manifest.ts';
import type { CountyJob, LayerJob } from './layer-job.ts';

/** Returns a place with only the layers of some datasets. */
export const chosenLayers = (place: Place, only: readonly string[] | undefined): Place =>
  only === undefined ? place : { ...place, layers: place.layers.filter(({ dataset }) => only.includes(dataset)) };

/** Whether a job belongs to the chosen datasets. */
export const isChosen = (job: LayerJob | CountyJob, only: readonly string[] | undefined): boolean =>
  only === undefined || only.includes('layers' in job ? PARCELS.dataset : job.layer.dataset);

/** Returns the partitions of datasets that were not chosen; they are contributed again unchanged. */
export function keptOf(
  previous: Manifest | null,
  { name }: Place,
  only: readonly string[] | undefined,
): { contributions: Contribution[]; counts: IngestCount[] } {
  if (only === undefined || previous === null) return { contributions: [], counts: [] };
  const contributions = Object.entries(previous.datasets)
    .filter(([dataset]) => !only.includes(dataset))
    .flatMap(([dataset, layers]) =>
      Object.entries(layers).map(([layer, { columns, partitions }]) => ({
        dataset,
        layer,
        columns,
        partitions: partitions.filter(({ place }) => place === name),
      })),
    )
    .filter(({ partitions }) => partitions.length > 0);
  return {
    contributions,
    counts: countsOfPlace(previous, name).filter(({ dataset }) => !only.includes(dataset)),
  };
}

/** Returns counts in the order of the place's layers, whatever was built now. */
export function inOrder(counts: readonly IngestCount[], { layers }: Place): IngestCount[] {
  const at = (count: IngestCount) =>
    layers.findIndex(
      ({ dataset, layer, file }) => dataset === count.dataset && layer === count.layer && file === count.file,
    );
  return counts
    .map(count => ({ count, i: at(count) }))
    .sort((a, b) => a.i - b.i)
    .map(({ count }) => count);
}
