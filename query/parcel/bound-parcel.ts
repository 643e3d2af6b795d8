import type { Box, Geometry } from '../../datasets/geometry.ts';
import { boxOf } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import type { Point } from '../evaluate/answer.ts';
import { PARCELS, type ParcelMatch } from '../evaluate/parcel-at-point.ts';
import { straightArea } from '../geometry/polygon-overlap.ts';
import { Fault } from '../release/fault.ts';
import type { Feature } from '../release/features.ts';
import type { Layers } from '../release/layers.ts';
import { partOf } from '../release/part.ts';
import { analysisPointOf, type NamedParcel, type ParcelRef, partitionOf } from './parcel-match.ts';

/** A stored parcel that questions are asked about, whatever else lies at its point. */
export interface BoundParcel {
  /** The county's parcels, which `ord` counts in. */
  readonly county: Partition;
  /** The part of them that it belongs to, which it is cited from. */
  readonly partition: Partition;
  readonly ord: number;
  readonly feature: Feature;
  /** lng,lat. */
  readonly geometry: Geometry;
  readonly box: Box;
  /** Square metres of the polygon with edges straight in lng,lat, as overlaps are measured against. */
  readonly area: number;
  readonly match: Extract<ParcelMatch, { status: 'matched' }>;
  /** Where point values are taken: the stored interior point, or what was given where the row has none. */
  readonly point: Point;
  readonly stored: boolean;
}

/** How a parcel came to be asked about; without it, it is its own match. */
export interface MatchedAs {
  readonly type: NamedParcel['matchType'];
  /** Geodesic metres. */
  readonly metres: number;
  /** Stands in where the row has no interior point. */
  readonly input: Point;
}

/**
 * Opens a stored parcel.
 * @throws Fault when the release has no such parcel, or the row has no interior point and no input is known; DamagedFile
 *   when it cannot be read.
 */
export async function bindParcel(layers: Layers, ref: ParcelRef, as: MatchedAs | null = null): Promise<BoundParcel> {
  const county = partitionOf(layers.version(PARCELS.dataset, PARCELS.layer), ref);
  if (!county) throw new Fault('this release has no such parcel');
  const features = await layers.features(county);
  if (!(ref.ord >= 0 && ref.ord < features.file.count)) throw new Fault('this release has no such parcel');
  const feature = features.feature(ref.ord);
  const point = analysisPointOf(feature.properties) ?? as?.input;
  if (!point) throw new Fault('the parcel has no interior point');
  const { geometry } = feature;
  const partition = partOf(county, feature.properties);
  return {
    county,
    partition,
    ord: ref.ord,
    feature,
    geometry,
    box: boxOf(geometry),
    area: straightArea(geometry),
    match: {
      status: 'matched',
      type: as?.type ?? 'contains',
      metres: as?.metres ?? 0,
      hit: { feature, partition },
    },
    point,
    stored: analysisPointOf(feature.properties) !== null,
  };
}
