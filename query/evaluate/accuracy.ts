import type { Catalog } from '../../datasets/catalog.ts';
import { layerOf } from '../../datasets/catalog.ts';
import type { Partition } from '../../datasets/release.ts';

/**
 * Stated horizontal accuracy of a partition's geometry in metres: its own source's, else that of the layer in the catalog.
 * @returns null where none is stated.
 */
export function accuracyOf(
  catalog: Catalog,
  source: { readonly dataset: string; readonly layer: string },
  partition: Partition,
): number | null {
  if (partition.accuracyM !== undefined) return partition.accuracyM;
  const layer = layerOf(catalog.datasets, source.dataset, source.layer);
  return (layer.kind === 'vector' && layer.accuracyM) || null;
}
