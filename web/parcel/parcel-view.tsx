import { useEffect, useRef, useState } from 'preact/hooks';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { useCatalog } from '../api/catalog.ts';
import { useParcelStates } from '../api/coverage.ts';
import { beginScene, showOnMap } from '../map/scene.ts';
import { FailedPlace } from '../place/candidates.tsx';
import { LocatorForm, locatorOf } from '../place/locator.tsx';
import { toldPlace } from '../place/told-place.ts';
import { TopicSelect } from '../place/topic-select.tsx';
import { change, type Place, placeText, useAddress } from '../shell/address.ts';
import { later } from '../shell/later.tsx';
import { RequestPanel } from '../shell/request-panel.tsx';
import { useToken } from '../shell/session.ts';
import { Empty, Waiting } from '../shell/states.tsx';
import type { FieldRecord } from '../values/field-record.ts';
import { pageWords } from '../values/page-words.ts';
import { RecordGroups } from '../values/record-list.tsx';
import { FLOOD_FIELDS, FLOOD_SHARE } from '../verdict/flood.ts';
import { MARKED, VerdictCard } from '../verdict/verdict-card.tsx';
import { BESIDE_TOOL, withBeside } from './beside-places.ts';
import { HEADER_FIELDS, type NamedParcel, ParcelHeader } from './parcel-header.tsx';
import { type FoundParcel, parcelSearch } from './parcel-search.ts';

const ParcelTools = later(async () => (await import('./parcel-tools.tsx')).ParcelTools, 'More is on its way');
const Report = later(async () => (await import('../report/report.tsx')).Report, 'The report is being written');

interface Match {
  readonly status: 'matched' | 'ambiguous' | 'no_match' | 'unavailable';
  readonly parcel: (NamedParcel & { readonly parcel_id?: string }) | null;
  readonly candidates: readonly (NamedParcel & { readonly parcel_id: string })[];
  readonly reason: string | null;
}

interface Enriched {
  readonly resolved_location: Place;
  readonly analysis_point: { readonly method: string } | null;
  readonly parcel_match: Match;
  readonly fields: Readonly<Record<string, FieldRecord>>;
}

interface Found {
  readonly matches: readonly FoundParcel[];
}

const EVERYTHING = 'everything';
/** Where its boundary is searched; asked for beside the preset. */
const STATE = 'state2';
const BESIDE: readonly string[] = [STATE, ...HEADER_FIELDS];

/** Topics about the parcel as a whole: what is judged first of it is what is judged of a place. */
const OF_THE_PARCEL: readonly string[] = ['parcel', EVERYTHING];

/** The point that a parcel is judged by. */
const MIDDLE = 'the middle of the parcel';

const TITLES = {
  ambiguous: 'Several parcels share this point.',
  no_match: 'No parcel lies here.',
  unavailable: 'The parcel here cannot be told.',
} as const;

/** Why there is no parcel to show, and which may be meant. */
function Unmatched({ status, candidates, reason }: Match & { readonly status: keyof typeof TITLES }) {
  const canChoose = candidates.some(({ apn }) => apn !== null);
  return (
    <div class="empty">
      <p class="empty-title">{TITLES[status]}</p>
      {reason && <p>{pageWords(reason)}</p>}
      {candidates.length > 0 && (
        <ul class="candidates">
          {candidates.map(({ parcel_id, apn, address }) => (
            <li key={parcel_id}>
              {apn === null ? (
                `${address ?? ''} (no number)`
              ) : (
                <button type="button" class="link" onClick={() => change({ apn })}>
                  <strong>{apn}</strong> {address}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="note">{canChoose ? 'Choose one, or click well inside a parcel.' : 'Click well inside a parcel.'}</p>
    </div>
  );
}

/** Says that no parcel of a number lies at a place, and which ones do. */
function withoutNumber({ parcel, candidates }: Match, apn: string): Match {
  const there = parcel ? [{ ...parcel, parcel_id: parcel.apn ?? '' }] : candidates;
  return { status: 'no_match', parcel: null, candidates: there, reason: `None of the number ${apn} was found here.` };
}

/**
 * The parcel at a place, or the one of a number there. The place decides where it can; where several parcels share it
 * the number does, by a search.
 */
function useParcel(request: ApiRequest | null, given: Place | null, apn: string | undefined) {
  const [answer, again] = useAnswer<Enriched>(request);
  const enriched = toldPlace(answer, request);
  const point = enriched?.resolved_location ?? given;
  const match = enriched?.parcel_match;
  const isOther = match !== undefined && apn !== undefined && match.parcel?.apn !== apn;
  const states = useParcelStates(isOther);
  const byNumber = isOther && point && states ? parcelSearch(point, states, apn, true) : null;
  const [found, findAgain] = useAnswer<Found>(byNumber);
  const state = enriched?.fields[STATE]?.value;
  const isGuest = useToken() === null;
  const [bounded] = useAnswer<Found>(
    point && match?.parcel && state && !isOther && !isGuest ? parcelSearch(point, [state], null) : null,
  );
  if (isOther) {
    const parcel = found.is === 'here' ? (found.value.matches[0] ?? null) : null;
    return {
      is: found.is === 'none' ? 'waiting' : found.is,
      error: found.is === 'failed' ? found.error : null,
      again: findAgain,
      request: byNumber ?? request,
      point,
      parcel: parcel as NamedParcel | null,
      parcelId: match.candidates.find(one => one.apn === apn)?.parcel_id ?? null,
      from: MIDDLE,
      fields: parcel?.enrichment?.fields ?? {},
      boundary: parcel?.fields.geometry ?? null,
      match: found.is === 'here' && !parcel ? withoutNumber(match, apn) : undefined,
    };
  }
  const inBounds = bounded.is === 'here' ? bounded.value.matches : [];
  return {
    is: answer.is,
    error: answer.is === 'failed' ? answer.error : null,
    again,
    request,
    point,
    parcel: match?.parcel ?? null,
    parcelId: match?.parcel?.parcel_id ?? null,
    from: enriched?.analysis_point?.method === 'input_fallback' ? MARKED : MIDDLE,
    fields: enriched?.fields ?? {},
    boundary: inBounds.find(parcel => parcel.apn === match?.parcel?.apn)?.fields.geometry ?? null,
    match,
  };
}

/** A parcel: everything known about it, by preset. */
export function ParcelView() {
  const { state } = useAddress();
  const preset = state.preset ?? 'parcel';
  const locator = locatorOf(state);
  const catalog = useCatalog(locator !== null);
  const typed = useRef<HTMLInputElement>(null);
  const asked = preset === EVERYTHING ? {} : { preset, fields: BESIDE };
  const { is, error, again, request, point, parcel, parcelId, from, fields, boundary, match } = useParcel(
    locator && catalog && { method: 'POST', path: '/v1/enrich', body: { ...locator, ...asked } },
    locator && 'lat' in locator ? locator : null,
    state.apn,
  );
  const at = point && placeText(point);
  // The map's events are said once; what a click means changes with what is asked.
  const [eventsOf] = useState({ click: (_place: Place) => {} });
  eventsOf.click = place =>
    state.tool === BESIDE_TOOL && parcel
      ? change({ with: withBeside(state.with, place) }, true)
      : change({ at: placeText(place), address: '', apn: '' });
  useEffect(() => beginScene({ onClick: place => eventsOf.click(place) }), []);
  useEffect(() => showOnMap({ marker: point }), [at]);
  useEffect(() => showOnMap({ parcel: boundary, apn: parcel?.apn ?? null }), [boundary, parcel?.apn]);
  const wanted = catalog?.enrichPresets.find(({ name }) => name === preset)?.fields;
  const shown = Object.fromEntries(
    wanted ? wanted.flatMap(name => (fields[name] ? [[name, fields[name]]] : [])) : Object.entries(fields),
  );
  const flood = Object.fromEntries(FLOOD_FIELDS.flatMap(name => (fields[name] ? [[name, fields[name]]] : [])));
  const judged = OF_THE_PARCEL.includes(preset) ? { ...flood, ...shown } : { ...shown, ...flood };
  const county = fields.county_fips?.value;
  const topic = (
    <TopicSelect topics={catalog?.enrichPresets} preset={preset} catalog={catalog}>
      <option value={EVERYTHING}>Everything</option>
    </TopicSelect>
  );
  if (state.report && parcel && point && is === 'here')
    return (
      <Report
        parcel={parcel}
        point={point}
        given={parcelId === null || request?.path === '/v1/search' ? fields : null}
        boundary={boundary}
        catalog={catalog}
        onClose={() => change({ report: '' })}
      />
    );
  return (
    <>
      <h1>Everything about a parcel</h1>
      <LocatorForm state={state} input={typed} />
      {!parcel && topic}
      {!locator && (
        <Empty title="Click a parcel, or type its address.">
          <p>All that is known about one parcel, at no credits.</p>
        </Empty>
      )}
      {error && <FailedPlace error={error} address={state.address ?? ''} again={again} />}
      {!parcel && (is === 'waiting' || (locator && !catalog)) && <Waiting what="The parcel is being looked up" />}
      {is === 'here' && match && !parcel && match.status !== 'matched' && (
        <Unmatched {...match} status={match.status} />
      )}
      {parcel && (
        <>
          <ParcelHeader
            parcel={parcel}
            fields={fields}
            state={{ at: at!, apn: parcel.apn ?? '', map: state.map ?? '' }}
          />
          {is === 'here' && (
            <VerdictCard fields={judged} catalog={catalog} from={from} floodShare={fields[FLOOD_SHARE]} />
          )}
          {is === 'here' && typeof fields[STATE]?.value === 'string' && (
            <ParcelTools
              parcelId={parcelId}
              parcelName={parcel.address ?? parcel.apn ?? 'This parcel'}
              search={point && parcelSearch(point, [fields[STATE].value], parcel.apn)}
              catalog={catalog}
              fields={fields}
              parcelState={fields[STATE].value}
              state={state}
            />
          )}
          {topic}
          {is === 'here' ? (
            <RecordGroups
              fields={shown}
              catalog={catalog}
              county={typeof county === 'string' ? county : null}
              at={at}
            />
          ) : (
            <Waiting what="Values are being looked up" />
          )}
        </>
      )}
      <RequestPanel request={request} />
    </>
  );
}
