import type { Value } from '../../datasets/dataset.ts';
import { WorkerStopped } from '../../query/engine/engine-interface.ts';
import { MATCH_RADIUS_M } from '../../query/evaluate/parcel-at-point.ts';
import { toWkt } from '../../query/geometry/wkt.ts';
import type { MatchedParcel } from '../../query/parcel/parcel-match.ts';
import { toGeoJson } from '../../query/search/page/geojson.ts';
import { type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import type { Place } from '../geocode/resolver.ts';
import { COLUMNS } from './names.ts';

/** A parcel with the keys of the interface. */
interface LookupParcel {
  readonly parcel_id: string;
  readonly apn: string | null;
  readonly address: string | null;
  readonly area_m2: number;
  readonly geometry: unknown;
  readonly geometry_wkt: string | null;
  readonly owner: Value;
  readonly zoning: Value;
  readonly land_use: Value;
  readonly assessed_value_usd: Value;
  readonly last_sale_date: Value;
  readonly last_sale_price_usd: Value;
  readonly transaction_count: Value;
  readonly match_type: string;
  readonly match_distance_m: number;
  readonly match_radius_m: number;
  readonly source: string;
}

/** The parcel part of an answer: a parcel, or why there is none. */
export interface ParcelPart {
  readonly parcel?: LookupParcel;
  /** True when the parcels could not be read. It does not mean that there is no parcel. */
  readonly parcel_unavailable: boolean;
  readonly parcel_unavailable_reason: string | null;
}

function named(parcel: MatchedParcel): LookupParcel {
  const { properties, geometry } = parcel;
  const stored = (key: keyof typeof COLUMNS) => properties[COLUMNS[key]] ?? null;
  return {
    parcel_id: parcel.parcelId,
    apn: parcel.apn,
    address: parcel.address,
    area_m2: parcel.areaM2,
    geometry: geometry && toGeoJson(geometry),
    geometry_wkt: geometry && toWkt(geometry),
    owner: stored('owner'),
    zoning: stored('zoning'),
    land_use: stored('land_use'),
    assessed_value_usd: stored('assessed_value_usd'),
    last_sale_date: stored('last_sale_date'),
    last_sale_price_usd: stored('last_sale_price_usd'),
    transaction_count: stored('transaction_count'),
    match_type: parcel.matchType,
    match_distance_m: parcel.metres,
    match_radius_m: MATCH_RADIUS_M,
    source: parcel.source,
  };
}

const without = (reason: string | null): ParcelPart => ({
  parcel_unavailable: false,
  parcel_unavailable_reason: reason,
});
const unavailable = (reason: string): ParcelPart => ({ parcel_unavailable: true, parcel_unavailable_reason: reason });

/** The answer when the caller asked for no parcel. */
export const NO_PARCEL = without(null);
/** The answer when the coordinate lies on the street and not on the parcel. */
export const BELOW_PARCEL_GRADE = without('the address is known only to the street, so no parcel was looked for');

/**
 * Finds the parcel of a place: never one of several, never a neighbour's. Any other failure makes it `unavailable`.
 * @throws ServiceError worker_stopped; AbortError when the client has gone.
 */
export async function parcelAt(ctx: Ctx, { point, rooftopAddress, otherLot }: Place): Promise<ParcelPart> {
  try {
    const verdict = await ctx.engine.matchParcel(point, rooftopAddress, { ...termsOf(ctx), geometry: true });
    if (otherLot && !(verdict.status === 'matched' && otherLot.isSitus(verdict.parcel.address)))
      return verdict.status === 'unavailable' ? unavailable(verdict.reason) : without(otherLot.reason);
    if (verdict.status === 'matched') return { ...NO_PARCEL, parcel: named(verdict.parcel) };
    return verdict.status === 'unavailable' ? unavailable(verdict.reason) : without(verdict.reason);
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    if (error instanceof WorkerStopped) throw engineRefusal(error, () => new ServiceError('resolve_busy'));
    ctx.log.error({ err: error }, 'the parcel of a lookup could not be matched');
    return unavailable('parcels could not be asked now');
  }
}
