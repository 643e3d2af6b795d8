import type { Context } from '../evaluate/context.ts';
import { type ParcelMatch, parcelMatch } from '../evaluate/parcel-at-point.ts';
import type { Hit } from '../evaluate/vector/vector-search.ts';
import { whereOf } from '../geocode/index/address-partition.ts';
import { distanceTo } from '../geometry/feature-distance.ts';
import { ofUnit, readSitus, type Situs } from './situs.ts';
import { parcelsAtAddress, situsOf } from './situs-search.ts';

const ANYWHERE = { state: null, county: null };

/** The parcels that contain the point; none where they merely lie near it. */
const holding = (match: ParcelMatch): readonly Hit[] =>
  match.status === 'matched'
    ? match.type === 'contains'
      ? [match.hit]
      : []
    : match.status === 'ambiguous' && !match.candidates.some(c => 'metres' in c)
      ? match.candidates
      : [];

/**
 * The parcels of those that contain a point whose situs is the address; null where each is another address, so that the point lies on
 * another's lot. A situs that names no house contradicts nothing.
 */
function ofAddress(hits: readonly Hit[], wanted: Situs): readonly Hit[] | null {
  const same = hits.flatMap(hit => {
    const situs = situsOf(hit, wanted);
    return situs ? [{ hit, unit: situs.unit }] : [];
  });
  const own = ofUnit(same, wanted.unit).map(({ hit }) => hit);
  if (own.length > 0) return own;
  // A house whose units alone have rows is all of them.
  if (same.length > 0 && wanted.unit === null) return hits;
  const says = ({ feature, partition }: Hit) =>
    readSitus(String(feature.properties.address ?? ''), whereOf(partition.key)) !== null;
  return hits.some(says) ? null : hits;
}

/**
 * Matches a point to a parcel. The situs address decides before nearness does, among parcels that contain the point, and where those are
 * of other addresses.
 * @param address of the point when it was geocoded to a rooftop, as `12 MAIN ST UNIT 3, BANGOR, ME 04401`.
 * @throws Fault or DamagedFile when the parcel store is not installed or unreadable.
 */
export async function matchAt(ctx: Context, address: string | null): Promise<ParcelMatch> {
  const match = await parcelMatch(ctx);
  const wanted = address === null ? null : readSitus(address, ANYWHERE);
  if (wanted === null || match.status === 'unavailable') return match;
  const around = holding(match);
  const own = around.length > 0 ? ofAddress(around, wanted) : null;
  if (own?.length === 1) return { status: 'matched', type: 'contains', metres: 0, hit: own[0]! };
  if (own !== null) return match;
  const hits = await parcelsAtAddress(ctx, address!);
  if (hits.length !== 1) return match;
  const { lng, lat } = ctx.point;
  const [hit] = hits as [Hit];
  return { status: 'matched', type: 'address', metres: distanceTo(hit.feature.geometry, lng, lat), hit };
}
