import { useEffect } from 'preact/hooks';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { useCatalog } from '../api/catalog.ts';
import { type AreaGeometry, beginScene, showOnMap } from '../map/scene.ts';
import { LocatorForm, locatorOf } from '../place/locator.tsx';
import { TopicSelect } from '../place/topic-select.tsx';
import { change, hrefOf, type Place, placeText, useAddress } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Empty, Failed, Waiting } from '../shell/states.tsx';
import { type FieldRecord, RecordGroups } from '../values/record-list.tsx';

interface Parcel {
  readonly parcel_id: string;
  readonly apn: string | null;
  readonly address: string | null;
  readonly source: string;
  readonly match_type: string;
  readonly match_distance_m: number;
}

interface Enriched {
  readonly resolved_location: Place;
  readonly parcel_match: {
    readonly status: 'matched' | 'ambiguous' | 'no_match' | 'unavailable';
    readonly parcel: Parcel | null;
    readonly candidates: readonly Parcel[];
    readonly reason: string | null;
  };
  readonly fields: Readonly<Record<string, FieldRecord>>;
}

const EVERYTHING = 'everything';
/** Where its boundary is searched; asked for beside the preset. */
const STATE = 'state2';
/** Degrees about the point: a hand's breadth, since a search wants an area. */
const AROUND = 1e-6;

const TITLES = {
  ambiguous: 'Several parcels share this point.',
  no_match: 'No parcel lies here.',
  unavailable: 'The parcel here cannot be told.',
} as const;

interface Bounded {
  readonly matches: readonly {
    readonly apn: string | null;
    readonly fields: { readonly geometry?: AreaGeometry | null };
  }[];
}

/** The search that answers with the boundary of a parcel, which no field of enrichment is. */
function boundaryRequest({ lat, lng }: Place, state: unknown): ApiRequest {
  const corners = [
    [lng - AROUND, lat - AROUND],
    [lng + AROUND, lat - AROUND],
    [lng, lat + AROUND],
    [lng - AROUND, lat - AROUND],
  ];
  const filters = [
    { field: 'state', op: 'eq', value: state },
    { field: 'geometry', op: 'intersects', value: { type: 'Polygon', coordinates: [corners] } },
  ];
  return { method: 'POST', path: '/v1/search', body: { filters, fields: ['geometry'], limit: 10 } };
}

/** A parcel: everything known about it, by preset. */
export function ParcelView() {
  const { state } = useAddress();
  const catalog = useCatalog();
  const preset = state.preset ?? 'parcel';
  const locator = locatorOf(state);
  const asked = preset === EVERYTHING ? {} : { preset, fields: [STATE] };
  const request: ApiRequest | null = locator &&
    catalog && { method: 'POST', path: '/v1/enrich', body: { ...locator, ...asked } };
  const [answer, again] = useAnswer<Enriched>(request);
  const enriched = answer.is === 'here' ? answer.value : null;
  const match = enriched?.parcel_match;
  const point = enriched?.resolved_location ?? (locator && 'lat' in locator ? locator : null);
  const at = point && placeText(point);
  useEffect(() => beginScene({ onClick: place => change({ at: placeText(place), address: '' }) }), []);
  useEffect(() => showOnMap({ marker: point }), [at]);
  const where = enriched?.fields[STATE]?.value;
  const [bounded] = useAnswer<Bounded>(point && match?.parcel && where ? boundaryRequest(point, where) : null);
  const boundary =
    bounded.is === 'here'
      ? (bounded.value.matches.find(({ apn }) => apn === match?.parcel?.apn)?.fields.geometry ?? null)
      : null;
  useEffect(() => showOnMap({ parcel: boundary }), [boundary]);
  const wanted = catalog?.enrichPresets.find(({ name }) => name === preset)?.fields;
  const { [STATE]: stateRecord, ...others } = enriched?.fields ?? {};
  const shown = !stateRecord || (wanted && !wanted.includes(STATE)) ? others : (enriched?.fields ?? {});
  return (
    <>
      <h1>Everything about a parcel</h1>
      <LocatorForm state={state} />
      <TopicSelect topics={catalog?.enrichPresets} preset={preset}>
        <option value={EVERYTHING}>Everything</option>
      </TopicSelect>
      {!locator && (
        <Empty title="Click a parcel, or type its address.">
          <p>All that is known about one parcel, at no credits.</p>
        </Empty>
      )}
      {answer.is === 'failed' && <Failed error={answer.error} again={again} />}
      {(answer.is === 'waiting' || (locator && !catalog)) && <Waiting what="The parcel is being looked up" />}
      {match && match.status !== 'matched' && (
        <div class="empty">
          <p class="empty-title">{TITLES[match.status]}</p>
          {match.reason && <p>{match.reason}</p>}
          {match.candidates.length > 0 && (
            <ul class="candidates">
              {match.candidates.map(({ parcel_id, apn, address }) => (
                <li key={parcel_id}>
                  <strong>{apn ?? 'No number'}</strong> {address}
                </li>
              ))}
            </ul>
          )}
          <p class="note">Click well inside a parcel.</p>
        </div>
      )}
      {match?.parcel && (
        <>
          <div class="subject">
            <h2>{match.parcel.address ?? match.parcel.apn ?? 'A parcel without number'}</h2>
            <p class="note">
              Parcel {match.parcel.apn ?? 'without number'} · {match.parcel.source}
              {match.parcel.match_type !== 'contains' && ` · ${match.parcel.match_distance_m.toFixed(1)} m away`}
            </p>
            <p class="links">
              <a
                href={hrefOf({ view: 'place', state: { at: at!, map: state.map ?? '', preset: 'flood_risk' } })}
                data-view="place"
              >
                Flood risk here
              </a>
              <a href={hrefOf({ view: 'ask', state: { at: at!, map: state.map ?? '' } })} data-view="ask">
                Ask about it
              </a>
            </p>
          </div>
          <RecordGroups fields={shown} catalog={catalog} />
        </>
      )}
      <RequestPanel request={request} />
    </>
  );
}
