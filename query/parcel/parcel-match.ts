import type { Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { LayerVersion, Partition } from '../../datasets/release.ts';
import type { Point } from '../evaluate/answer.ts';
import { failed } from '../evaluate/finding.ts';
import { areaOfParcel, type ParcelMatch } from '../evaluate/parcel-at-point.ts';
import { roundDistance } from '../evaluate/published.ts';
import type { Hit } from '../evaluate/vector/vector-search.ts';
import { parcelId } from '../format/parcel-id.ts';
import { roundParcelArea } from '../geometry/acre.ts';
import { LayerLists } from '../release/lists/layer-lists.ts';

/** Where a parcel is stored: for use inside the engine, valid for one release. */
export interface ParcelRef {
  /** Key of the county's partition. */
  readonly partition: string;
  /** Row in its files. */
  readonly ord: number;
}

/** A parcel as an answer may name it. */
export interface NamedParcel {
  /** Public and stable from release to release; see parcelId. */
  readonly parcelId: string;
  readonly apn: string | null;
  /** Situs address. */
  readonly address: string | null;
  /** Geodesic square metres. */
  readonly areaM2: number;
  readonly source: string;
  readonly matchType: 'contains' | 'nearest' | 'address';
  /** Geodesic metres from the point, rounded to 0.1; 0 when it contains it. */
  readonly metres: number;
  readonly ref: ParcelRef;
}

/** The parcel that was matched, with its stored row. */
export interface MatchedParcel extends NamedParcel {
  /** Stored columns by name. */
  readonly properties: Readonly<Record<string, Value>>;
  readonly vintage: string;
  /** Interior point that ingest stored, null where the row has none. */
  readonly analysisPoint: Point | null;
  /** Only on request. */
  readonly geometry: Geometry | null;
}

/** Which parcel a point or an address belongs to; plain data, because it crosses threads. */
export type ParcelVerdict =
  | { readonly status: 'matched'; readonly parcel: MatchedParcel }
  /** Candidates by area, then key. */
  | { readonly status: 'ambiguous'; readonly candidates: readonly NamedParcel[]; readonly reason: string }
  | { readonly status: 'no_match' | 'unavailable'; readonly reason: string };

const textOf = (value: Value | undefined) => (value === null || value === undefined ? null : String(value));

function named(hit: Hit, matchType: NamedParcel['matchType'], metres: number): NamedParcel {
  const { feature, partition } = hit;
  const { properties } = feature;
  return {
    parcelId: parcelId(properties.parcel_key ?? null),
    apn: textOf(properties.apn),
    address: textOf(properties.address),
    areaM2: roundParcelArea(areaOfParcel(feature)),
    source: partition.provenance.source,
    matchType,
    metres: roundDistance(metres),
    ref: { partition: partition.key, ord: Number(properties.ord) },
  };
}

const numberOf = (value: Value | undefined) => (typeof value === 'number' && Number.isFinite(value) ? value : null);

/** The interior point that ingest stored with a parcel. */
export function analysisPointOf(properties: Readonly<Record<string, Value>>): Point | null {
  const [lng, lat] = [numberOf(properties.centroid_lon), numberOf(properties.centroid_lat)];
  return lng === null || lat === null ? null : { lng, lat };
}

/**
 * A match as plain data.
 * @param geometry whether the parcel's boundary is wanted, lng,lat.
 */
export function verdictOf(match: ParcelMatch, geometry: boolean): ParcelVerdict {
  if (match.status === 'ambiguous') {
    const candidates = match.candidates.map(hit =>
      'metres' in hit ? named(hit, 'nearest', Number(hit.metres)) : named(hit, 'contains', 0),
    );
    return { status: 'ambiguous', candidates, reason: match.reason };
  }
  if (match.status !== 'matched') return { status: match.status, reason: match.reason };
  const { feature, partition } = match.hit;
  const parcel: MatchedParcel = {
    ...named(match.hit, match.type, match.metres),
    properties: feature.properties,
    vintage: partition.provenance.vintage,
    analysisPoint: analysisPointOf(feature.properties),
    geometry: geometry ? feature.geometry : null,
  };
  return { status: 'matched', parcel };
}

/** The verdict where parcels cannot be read at all. @throws Interrupted as it is. */
export function unavailable(error: unknown): { status: 'unavailable'; reason: string } {
  return { status: 'unavailable', reason: `parcels cannot be read: ${failed(error).error}` };
}

/** The partition that a reference names. @returns null when the release has none such. @throws Fault when its list cannot be read. */
export function partitionOf(parcels: LayerVersion, { partition }: ParcelRef): Partition | null {
  for (const { partitions } of LayerLists.of(parcels).ofShard(partition.split('/')[0]!)) {
    const found = partitions.find(({ key }) => key === partition);
    if (found) return found;
  }
  return null;
}
