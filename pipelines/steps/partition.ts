import { latLngToCell } from 'h3-js';
import type { Partitioning } from '../../datasets/dataset.ts';
import type { Box } from '../../datasets/geometry.ts';
import type { Place } from '../../datasets/place/place.ts';

/**
 * The key of the partition that a row belongs to: `US`, `ME`, `ME/23019`, or `ME/<H3 cell>` by the centre of its box.
 * A national file belongs to no county, whatever the layer's partitioning, and is always `US`.
 * @param box lng,lat box of the feature in degrees; null for rows without geometry, which h3 layers do not have.
 * @throws Error for a row without geometry in an H3 partition.
 */
export function partitionKey(
  partitioning: Partitioning,
  place: Pick<Place, 'state' | 'county'>,
  national: boolean,
  box: Box | null,
): string {
  if (national || partitioning === 'national') return 'US';
  if (partitioning === 'state') return place.state;
  if (partitioning === 'county') return `${place.state}/${place.county}`;
  if (!box) throw new Error('An H3 partition needs a geometry');
  return `${place.state}/${latLngToCell((box[1] + box[3]) / 2, (box[0] + box[2]) / 2, partitioning.h3)}`;
}
