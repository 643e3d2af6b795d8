import type { PlaceLayer } from '../../../datasets/place/place.ts';
import type { IngestCount } from '../../../datasets/release.ts';
import type { Examples } from './measure.ts';

/** One file of a place as it was built, and what was measured of it. */
export interface Built {
  readonly layer: PlaceLayer;
  readonly count: IngestCount;
  readonly examples: Examples;
}
