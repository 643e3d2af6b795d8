import { useEffect, useRef } from 'preact/hooks';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { useCatalog } from '../api/catalog.ts';
import { beginScene, showOnMap } from '../map/scene.ts';
import { ParcelFacts } from '../parcel/parcel-header.tsx';
import { usePlaceParcel } from '../parcel/place-parcel.ts';
import { change, hrefOf, type Place, placeText, useAddress } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Empty, Waiting } from '../shell/states.tsx';
import type { FieldRecord } from '../values/field-record.ts';
import { pageWords } from '../values/page-words.ts';
import { RecordGroups } from '../values/record-list.tsx';
import { FLOOD_SHARE } from '../verdict/flood.ts';
import { MARKED, VerdictCard } from '../verdict/verdict-card.tsx';
import { FailedPlace } from './candidates.tsx';
import { LocatorForm, locatorOf } from './locator.tsx';
import { toldPlace } from './told-place.ts';
import { TopicSelect } from './topic-select.tsx';
import { firstTopic } from './topics.ts';

const DEFAULT_PRESET = 'flood_risk';
/** What most people want to know first. */
const QUESTION = 'Does it flood here, and why?';

interface Fetched {
  readonly resolved_location: Place;
  readonly geocode?: { readonly normalized_address: string | null; readonly precision_note?: string };
  readonly fields: Readonly<Record<string, FieldRecord>>;
}

/** A place: its values by layer, each with status and citation. */
export function PlaceView() {
  const { state } = useAddress();
  const locator = locatorOf(state);
  const catalog = useCatalog(locator !== null);
  const preset = state.preset ?? (catalog && firstTopic(catalog, DEFAULT_PRESET));
  const typed = useRef<HTMLInputElement>(null);
  const request: ApiRequest | null =
    locator && preset ? { method: 'POST', path: '/v1/fetch', body: { ...locator, preset } } : null;
  const [answer, again] = useAnswer<Fetched>(request);
  const fetched = toldPlace(answer, request);
  const point = fetched?.resolved_location ?? (locator && 'lat' in locator ? locator : null);
  const at = point && placeText(point);
  useEffect(() => beginScene({ onClick: place => change({ at: placeText(place), address: '', apn: '' }) }), []);
  useEffect(() => showOnMap({ marker: point }), [at]);
  const { parcel, fields: ofParcel, boundary, county, reason } = usePlaceParcel(point, state.apn);
  useEffect(() => showOnMap({ parcel: boundary, apn: parcel?.apn ?? null }), [boundary, parcel?.apn]);
  const linked = { at: at ?? '', apn: state.apn ?? '', map: state.map ?? '' };
  const topic = <TopicSelect topics={catalog?.presets} preset={preset ?? DEFAULT_PRESET} catalog={catalog} />;
  return (
    <>
      <h1>What is known of a place</h1>
      <LocatorForm state={state} input={typed} />
      {!fetched && topic}
      {!locator && (
        <Empty title="Click the map, or type an address above.">
          <p>
            You learn whether it floods there, and why; choose another topic to learn other things. Zoom in to see
            parcels on the map, with flood zones in blue. To find parcels by what they are, go to{' '}
            <a href="/search" data-view="search">
              Search
            </a>
            .
          </p>
          <p>Each value names its source, its date and how sure it is. Where a value is missing, Plat says why.</p>
        </Empty>
      )}
      {answer.is === 'failed' && <FailedPlace error={answer.error} address={state.address ?? ''} again={again} />}
      {!fetched && (answer.is === 'waiting' || (locator && !preset)) && <Waiting what="Values are being looked up" />}
      {fetched && (
        <>
          <div class="subject">
            <h2>{parcel?.address ?? fetched.geocode?.normalized_address ?? at?.replace(',', ', ')}</h2>
            {parcel && <ParcelFacts parcel={parcel} fields={ofParcel} />}
            {reason && (
              <p class="note">No one parcel: {pageWords(reason).replace(/^./, letter => letter.toLowerCase())}.</p>
            )}
            {fetched.geocode?.precision_note && <p class="note">{pageWords(fetched.geocode.precision_note)}</p>}
            <p class="links">
              <a href={hrefOf({ view: 'parcel', state: linked })} data-view="parcel">
                The parcel here
              </a>
              <a href={hrefOf({ view: 'ask', state: { ...linked, q: QUESTION } })} data-view="ask">
                {QUESTION}
              </a>
            </p>
          </div>
          {answer.is === 'here' && (
            <VerdictCard fields={fetched.fields} catalog={catalog} from={MARKED} floodShare={ofParcel[FLOOD_SHARE]} />
          )}
          {topic}
          {answer.is === 'here' ? (
            <RecordGroups fields={fetched.fields} catalog={catalog} county={county} at={at} />
          ) : (
            <Waiting what="Values are being looked up" />
          )}
        </>
      )}
      <RequestPanel request={request} />
    </>
  );
}
