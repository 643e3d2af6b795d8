import { useEffect, useRef, useState } from 'preact/hooks';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { useCatalog } from '../api/catalog.ts';
import { wordsOf } from '../api/titles.ts';
import { beginScene, showOnMap } from '../map/scene.ts';
import { usePlaceParcel } from '../parcel/place-parcel.ts';
import { FailedPlace } from '../place/candidates.tsx';
import { LocatorForm, locatorOf, typedPlace } from '../place/locator.tsx';
import { change, type Place, placeText, useAddress } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Empty, Failed, Waiting } from '../shell/states.tsx';
import type { FieldRecord } from '../values/field-record.ts';
import { lackWords } from '../values/page-words.ts';
import { RecordRow } from '../values/record-list.tsx';
import { FLOOD_SHARE } from '../verdict/flood.ts';
import { MARKED, VerdictCard } from '../verdict/verdict-card.tsx';
import { answerPieces, inOrder } from './answer-pieces.ts';
import { useStreamedAnswer } from './streamed-answer.ts';

interface Asked {
  readonly answer: string;
  readonly confidence: 'high' | 'medium' | 'low';
  readonly fields_used: readonly string[];
  readonly data_gaps: readonly { readonly field: string; readonly status: string; readonly reason: string }[];
  readonly resolved_location: Place;
  readonly trace?: { readonly sentences: readonly { readonly text: string; readonly fields: readonly string[] }[] };
}

const EXAMPLES = [
  'Does it flood here, and why?',
  'Is it in a flood zone, and how far is the nearest hospital?',
  'How steep is it, and what soil is there?',
  'Which school district is this in?',
];

/** Opens a record and scrolls to it. */
function openRecord(name: string): void {
  const record = document.getElementById(`record-${name}`) as HTMLDetailsElement | null;
  if (!record) return;
  record.open = true;
  record.scrollIntoView({ block: 'nearest' });
  record.querySelector('summary')?.focus();
}

/** A question about a place. Each sentence of the answer links to the records that it cites. */
export function AskView() {
  const { state } = useAddress();
  const question = useRef<HTMLTextAreaElement>(null);
  const typed = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState<string | null>(null);
  const locator = locatorOf(state);
  const catalog = useCatalog(locator !== null);
  const request: ApiRequest | null =
    locator && state.q
      ? {
          method: 'POST',
          path: '/v1/ask/stream',
          body: { question: state.q, ...locator, include_trace: true },
          isStream: true,
        }
      : null;
  const [answer, again] = useStreamedAnswer<Asked>(request);
  const asked = answer.is === 'here' ? answer.value : null;
  const point = asked?.resolved_location ?? (locator && 'lat' in locator ? locator : null);
  const at = point && placeText(point);
  const pieces = asked ? answerPieces(asked.answer, asked.trace?.sentences) : [];
  const used = asked ? inOrder(asked.fields_used, pieces) : [];
  const [records] = useAnswer<{ readonly fields: Readonly<Record<string, FieldRecord>> }>(
    point && wanted !== null && used.length > 0
      ? { method: 'POST', path: '/v1/fetch', body: { lat: point.lat, lng: point.lng, fields: used } }
      : null,
  );
  // One matter alone is judged: fetching the records of all would be charged again.
  const [lead] = used.flatMap(name => catalog?.fields.get(name)?.verdict?.matter ?? []);
  const deciding = used.filter(name => lead !== undefined && catalog?.fields.get(name)?.verdict?.matter === lead);
  const [judged] = useAnswer<{ readonly fields: Readonly<Record<string, FieldRecord>> }>(
    point && deciding.length > 0
      ? { method: 'POST', path: '/v1/fetch', body: { lat: point.lat, lng: point.lng, fields: deciding } }
      : null,
  );
  useEffect(() => beginScene({ onClick: place => change({ at: placeText(place), address: '', apn: '' }) }), []);
  useEffect(() => showOnMap({ marker: point }), [at]);
  const { parcel, fields: ofParcel, boundary } = usePlaceParcel(point, state.apn);
  useEffect(() => showOnMap({ parcel: boundary, apn: parcel?.apn ?? null }), [boundary, parcel?.apn]);
  useEffect(() => {
    if (question.current) question.current.value = state.q ?? '';
    setWanted(null);
  }, [state.q]);
  useEffect(() => {
    if (records.is === 'here' && wanted) openRecord(wanted);
  }, [records.is, wanted]);
  const look = (name: string) => {
    setWanted(name);
    openRecord(name);
  };
  /** Asks about the place that was typed, whether or not Go was pressed for it. */
  const pose = (q: string) => change({ q, ...typedPlace(typed.current!.value, state) });
  const submit = (event: Event) => {
    event.preventDefault();
    pose(question.current!.value.trim());
  };
  return (
    <>
      <h1>Ask about a place</h1>
      <LocatorForm state={state} input={typed} />
      <form class="question" onSubmit={submit}>
        <label class="field">
          Question
          <textarea
            ref={question}
            rows={3}
            maxLength={2000}
            required
            placeholder={EXAMPLES[0]}
            onKeyDown={event => {
              if (event.key === 'Enter' && !event.shiftKey) submit(event);
            }}
          />
        </label>
        <div class="row end">
          <button type="submit" class="primary">
            Ask
          </button>
        </div>
      </form>
      {!state.q && (
        <Empty title="For example">
          <ul class="examples">
            {EXAMPLES.map(example => (
              <li key={example}>
                <button type="button" class="link" onClick={() => pose(example)}>
                  {example}
                </button>
              </li>
            ))}
          </ul>
        </Empty>
      )}
      {state.q && !locator && <Empty title="Which place? Click the map, or type an address." />}
      {answer.is === 'failed' && <FailedPlace error={answer.error} address={state.address ?? ''} again={again} />}
      {answer.is === 'waiting' && <Waiting what="The answer is being written" />}
      {answer.is === 'writing' && (
        <article class="answer" aria-label="Answer" aria-busy="true">
          <p>{answer.text}</p>
          <p class="note">Being written…</p>
        </article>
      )}
      {asked && (
        <>
          {judged.is === 'here' && (
            <VerdictCard
              fields={judged.value.fields}
              catalog={catalog}
              from={MARKED}
              floodShare={ofParcel[FLOOD_SHARE]}
            />
          )}
          <article class="answer" aria-label="Answer">
            {parcel && (
              <p class="note">
                About {[parcel.address, parcel.apn && `parcel ${parcel.apn}`].filter(Boolean).join(', ')}
              </p>
            )}
            <p>
              {pieces.map(({ text, fields }, i) => (
                <span key={i} class="sentence">
                  {text}
                  {fields
                    .filter(name => used.includes(name))
                    .map(name => (
                      <button
                        key={name}
                        type="button"
                        class="cite"
                        title={catalog?.fields.get(name)?.title ?? wordsOf(name)}
                        aria-label={`${used.indexOf(name) + 1}: ${catalog?.fields.get(name)?.title ?? wordsOf(name)}`}
                        onClick={() => look(name)}
                      >
                        {used.indexOf(name) + 1}
                      </button>
                    ))}{' '}
                </span>
              ))}
            </p>
            <p class="note">Confidence: {asked.confidence}</p>
          </article>
          {used.length > 0 && (
            <section class="group" aria-label="Records">
              <h2>
                Records <span class="count">{used.length}</span>
              </h2>
              {wanted === null ? (
                <ol class="used">
                  {used.map(name => (
                    <li key={name}>
                      <button type="button" class="link" onClick={() => look(name)}>
                        {catalog?.fields.get(name)?.title ?? wordsOf(name)}
                      </button>
                    </li>
                  ))}
                </ol>
              ) : records.is === 'here' ? (
                <div class="records">
                  {used.map(name => (
                    <RecordRow
                      key={name}
                      name={name}
                      record={records.value.fields[name]!}
                      meta={catalog?.fields.get(name)}
                    />
                  ))}
                </div>
              ) : records.is === 'failed' ? (
                <Failed error={records.error} />
              ) : (
                <Waiting what="Records are being fetched" />
              )}
            </section>
          )}
          {asked.data_gaps.length > 0 && (
            <section class="group" aria-label="What is missing">
              <h2>What is missing</h2>
              <ul class="gaps">
                {asked.data_gaps.map(({ field, reason }) => (
                  <li key={field}>
                    <strong>{catalog?.fields.get(field)?.title ?? wordsOf(field)}</strong>: {lackWords(reason)}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      )}
      <RequestPanel request={request} />
    </>
  );
}
