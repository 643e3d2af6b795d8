import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { useParcelStates } from '../api/coverage.ts';
import type { AreaGeometry } from '../map/scene.ts';
import type { Place } from '../shell/address.ts';
import { useToken } from '../shell/session.ts';
import type { FieldRecord } from '../values/field-record.ts';
import { FLOOD_SHARE } from '../verdict/flood.ts';
import type { NamedParcel } from './parcel-header.tsx';
import { type FoundParcel, parcelSearch } from './parcel-search.ts';

/** What names a parcel, how much of it floods, and the county whose parcels its numbers are compared with. Guests may ask for these. */
const FIELDS: readonly string[] = ['owner', 'acreage', 'landval', 'county_fips', FLOOD_SHARE];

interface Enriched {
  readonly parcel_match: {
    readonly status: string;
    readonly parcel: NamedParcel | null;
    readonly reason: string | null;
  };
  readonly fields: Readonly<Record<string, FieldRecord>>;
}

/** The parcel that holds a place. */
interface PlaceParcel {
  /** Null while it is not known, and where there is none or several. */
  readonly parcel: NamedParcel | null;
  readonly fields: Readonly<Record<string, FieldRecord>>;
  /** Null where it is not had: guests may not search for it. */
  readonly boundary: AreaGeometry | null;
  /** Why there is no one parcel; null where there is one. */
  readonly reason: string | null;
  /** Five digits; null where they are not known. */
  readonly county: string | null;
}

/** The parcel of a place, or the one of a number there. @param apn of the one that is meant, since several may share the place. */
export function usePlaceParcel(point: Place | null, apn: string | undefined): PlaceParcel {
  const isGuest = useToken() === null;
  const request: ApiRequest | null = point && {
    method: 'POST',
    path: '/v1/enrich',
    body: { lat: point.lat, lng: point.lng, fields: FIELDS },
  };
  const [answer] = useAnswer<Enriched>(request);
  const enriched = answer.is === 'here' ? answer.value : null;
  const matched = enriched?.parcel_match.parcel ?? null;
  const number = apn ?? matched?.apn ?? null;
  const wanted = point !== null && !isGuest && (apn !== undefined || matched !== null);
  const isOther = enriched !== null && apn !== undefined && matched?.apn !== apn;
  const states = useParcelStates(wanted);
  const [found] = useAnswer<{ readonly matches: readonly FoundParcel[] }>(
    wanted && states ? parcelSearch(point, states, number, isOther) : null,
  );
  const named = found.is === 'here' ? (found.value.matches[0] ?? null) : null;
  const county = enriched?.fields.county_fips?.value;
  return {
    parcel: isOther ? named : matched,
    fields: isOther ? (named?.enrichment?.fields ?? {}) : (enriched?.fields ?? {}),
    reason: apn === undefined && enriched ? enriched.parcel_match.reason : null,
    boundary: named?.fields.geometry ?? null,
    county: typeof county === 'string' ? county : null,
  };
}
