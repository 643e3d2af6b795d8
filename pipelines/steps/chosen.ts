import type { Place } from '../../datasets/place/place.ts';
import type { IngestCount, Manifest } from '../../datasets/release.ts';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import { countsOfPlace } from '../../query/release/lists/layer-lists.ts';
import type { Contribution } from '../release/manifest.ts';
import type { CountyJob, LayerJob } from './layer-job.ts';

/** What a run takes of a place. */
export interface Choice {
  /** Null: all. */
  readonly datasets: readonly string[] | null;
  /** Layers that stay as they are, `dataset:layer`. */
  readonly without: ReadonlyMap<string, unknown>;
}

/** The choice of all layers. */
export const EVERYTHING: Choice = { datasets: null, without: new Map() };

/** Whether a run takes a layer. */
export const takes = ({ datasets, without }: Choice, dataset: string, layer: string): boolean =>
  (datasets?.includes(dataset) ?? true) && !without.has(`${dataset}:${layer}`);

/** Returns a place with only the layers of a choice. */
export const chosenLayers = (place: Place, choice: Choice): Place => ({
  ...place,
  layers: place.layers.filter(({ dataset, layer }) => takes(choice, dataset, layer)),
});

/** Whether a job belongs to a choice. */
export function isChosen(job: LayerJob | CountyJob, choice: Choice): boolean {
  const { dataset, layer } = 'layers' in job ? PARCELS : job.layer;
  return takes(choice, dataset, layer);
}

/** Returns the partitions of layers that were not chosen; they are contributed again unchanged. */
export function keptOf(
  previous: Manifest | null,
  { name }: Place,
  choice: Choice,
): { contributions: Contribution[]; counts: IngestCount[] } {
  if (previous === null) return { contributions: [], counts: [] };
  const contributions = Object.entries(previous.datasets)
    .flatMap(([dataset, layers]) =>
      Object.entries(layers).flatMap(([layer, { columns, partitions }]) =>
        takes(choice, dataset, layer)
          ? []
          : [{ dataset, layer, columns, partitions: partitions.filter(({ place }) => place === name) }],
      ),
    )
    .filter(({ partitions }) => partitions.length > 0);
  return {
    contributions,
    counts: countsOfPlace(previous, name).filter(({ dataset, layer }) => !takes(choice, dataset, layer)),
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
