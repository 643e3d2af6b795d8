import type { Context } from '../evaluate/context.ts';
import { type ParcelMatch, parcelMatch } from '../evaluate/parcel-at-point.ts';
import type { Hit } from '../evaluate/vector/vector-search.ts';
import { distanceTo } from '../geometry/feature-distance.ts';
import { parcelsAtAddress } from './situs-search.ts';

/** Whether the candidates merely lie near the point: then an address can still tell them apart. */
const isNear = (match: ParcelMatch): boolean =>
  match.status === 'matched'
    ? match.type !== 'contains'
    : match.status === 'no_match' || (match.status === 'ambiguous' && match.candidates.every(c => 'metres' in c));

/**
 * Matches a point to a parcel; where none contains it, the situs address decides before nearness does.
 * @param address of the point when it was geocoded to a rooftop, as `12 MAIN ST, BANGOR, ME 04401`.
 * @throws Fault or DamagedFile when the parcel store is not installed or unreadable.
 */
export async function matchAt(ctx: Context, address: string | null): Promise<ParcelMatch> {
  const match = await parcelMatch(ctx);
  if (address === null || !isNear(match)) return match;
  const hits = await parcelsAtAddress(ctx, address);
  if (hits.length !== 1) return match;
  const { lng, lat } = ctx.point;
  const [hit] = hits as [Hit];
  return { status: 'matched', type: 'address', metres: distanceTo(hit.feature.geometry, lng, lat), hit };
}
