import type { Manifest, Partition, ReleaseFile } from '../../datasets/release.ts';
import { PARCELS } from '../evaluate/parcel-at-point.ts';

/** What stands under one name in two releases. Of a layer of a place there can be several partitions of one area. */
export interface PartitionPair {
  /** `ME/23019` and, but for parcels, the place. */
  readonly id: string;
  readonly before: readonly Partition[];
  readonly after: readonly Partition[];
}

/** A layer, and its pairs whose rows are not the same files in both releases. */
export interface LayerPairs {
  /** `dataset:layer`. */
  readonly name: string;
  readonly pairs: readonly PartitionPair[];
}

export const PARCEL_LAYER = `${PARCELS.dataset}:${PARCELS.layer}`;

/** The file that holds a partition's rows; of a raster or a road graph itself. */
export const contentOf = ({ files }: Partition): ReleaseFile | undefined =>
  (['features', 'rows', 'raster', 'graph'] as const).flatMap(role => files.find(file => file.role === role) ?? [])[0];

const isOf = ({ key }: Partition, state: string | null) =>
  state === null || key === 'US' || key.split('/')[0] === state;

/** County by county the parcels of two releases, by key. @param state two letters; null for all. */
export const parcelPairs = (before: Manifest, after: Manifest, state: string | null): readonly PartitionPair[] =>
  pairsOf(before, after, PARCEL_LAYER, state);

/** Every layer of either release by name. */
export const layerNames = (before: Manifest, after: Manifest): string[] =>
  [
    ...new Set(
      [before, after].flatMap(({ datasets }) =>
        Object.entries(datasets).flatMap(([dataset, layers]) =>
          Object.keys(layers).map(layer => `${dataset}:${layer}`),
        ),
      ),
    ),
  ].sort();

function pairsOf(before: Manifest, after: Manifest, name: string, state: string | null): PartitionPair[] {
  const [dataset, layer] = name.split(':') as [string, string];
  // Parcels of a county stand together, whichever places they are of.
  const idOf = ({ key, place }: Partition) => (name === PARCEL_LAYER ? key : `${key} ${place}`);
  const byId = ({ datasets }: Manifest) =>
    Map.groupBy(
      (datasets[dataset]?.[layer]?.partitions ?? []).filter(partition => isOf(partition, state)),
      idOf,
    );
  const [was, now] = [byId(before), byId(after)];
  return [...new Set([...was.keys(), ...now.keys()])]
    .sort()
    .map(id => ({ id, before: was.get(id) ?? [], after: now.get(id) ?? [] }));
}

/** The pairs of a layer that are not the same: of each the partitions whose content the other release does not have. */
export function differingPairs(before: Manifest, after: Manifest, name: string, state: string | null): LayerPairs {
  const shaOf = (partition: Partition) => contentOf(partition)?.sha256;
  const pairs = pairsOf(before, after, name, state).flatMap(({ id, before: was, after: now }) => {
    const lacking = (list: readonly Partition[], other: readonly Partition[]) => {
      const left = other.map(shaOf);
      return list.filter(partition => {
        const at = left.indexOf(shaOf(partition));
        if (at >= 0) left.splice(at, 1);
        return at < 0;
      });
    };
    const pair = { id, before: lacking(was, now), after: lacking(now, was) };
    return pair.before.length + pair.after.length > 0 ? [pair] : [];
  });
  return { name, pairs };
}
