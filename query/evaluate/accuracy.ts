import type { Catalog } from '../../datasets/catalog.ts';
import { layerOf } from '../../datasets/catalog.ts';
import type { Partition } from '../../datasets/release.ts';

/**
 * Metres about an edge within which nothing is sure of a layer whose accuracy nobody states: four times that of maps of 1:24,000.
 */
const UNASSESSED_M = 50;

/** Metres within which an edge of a layer may change an answer: twice its accuracy. @param accuracy metres, null where none is stated. */
export const doubtOfEdge = (accuracy: number | null): number => (accuracy === null ? UNASSESSED_M : 2 * accuracy);

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
