import { type Catalog, layerOf } from '../../../datasets/catalog.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { memo } from '../../../datasets/memo.ts';
import type { Partition } from '../../../datasets/release.ts';
import { accuracyOf, doubtOfEdge } from '../accuracy.ts';
import type { Context } from '../context.ts';
import type { Finding } from '../finding.ts';
import { withCertainty } from './certainty.ts';

/** Stated accuracy of parcels in metres: that of the point which distances are taken from. */
const parcelAccuracy = memo((catalog: Catalog): number => {
  if (!catalog.datasets.has('parcel_store')) return 0;
  const layer = layerOf(catalog.datasets, 'parcel_store', 'main');
  return (layer.kind === 'vector' && layer.accuracyM) || 0;
});

const DECIMETRES = 10;

/**
 * A distance with no more confidence than the accuracy of both of its ends allows: within what they are off together (the root of
 * the sum of squares) it is low, within twice that medium at most, and a note says so. Nothing is said of what is met, which edges
 * decide elsewhere.
 * @param partition of the feature at the far end.
 * @param metres the distance.
 */
export function withBothEnds(
  { catalog }: Pick<Context, 'catalog'>,
  source: SourceRef,
  partition: Partition,
  metres: number,
  finding: Finding,
): Finding {
  if (metres === 0) return finding;
  const far = accuracyOf(catalog, source, partition);
  const near = parcelAccuracy(catalog);
  const both = far === null ? null : Math.round(Math.hypot(far, near) * DECIMETRES) / DECIMETRES;
  if (metres > doubtOfEdge(both)) return finding;
  const isLow = both !== null && metres <= both;
  const note =
    both === null
      ? 'the distance is short, while nobody states how accurate the source is'
      : `the distance is accurate to ${both} m: the source to ${far} m and parcels to ${near} m`;
  const level = isLow ? 'low' : 'medium';
  return withCertainty(finding, { confidence: level, note, atEdge: level });
}
