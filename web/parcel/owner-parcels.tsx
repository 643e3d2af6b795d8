import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { ask } from '../api/request.ts';
import { hrefOf } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { valueWords } from '../values/value-words.ts';
import { fitParcels, stateOf, useParcelPoints } from './parcel-points.ts';
import type { ParcelQuestion } from './parcel-question.ts';

type Owners = AnswerOf<'owners'>;
type Page = AnswerOf<'ownerParcels'>;
type Owned = Page['matches'][number];

const PAGE = 100;
/** Letters of a name that is looked for at least. */
const LEAST_LETTERS = 3;

const count = (parcels: number) => `${parcels.toLocaleString('en-US')} ${parcels === 1 ? 'parcel' : 'parcels'}`;

/** What else the owner of a parcel has in its state. */
export function OwnerParcels({ parcelId, fields, parcelState, state }: ParcelQuestion) {
  const { owner } = fields;
  const name = owner?.status === 'ok' ? String(owner.value).trim() : '';
  const isKnown = name.length >= LEAST_LETTERS;
  const request: ApiRequest = {
    method: 'POST',
    path: '/v1/owners',
    body: { state: parcelState, name: name.slice(0, 128), match: 'exact', limit: 1 },
  };
  const [answer, again] = useAnswer<Owners>(isKnown ? request : null);
  const found = answer.is === 'here' ? (answer.value.owners[0] ?? null) : null;
  const id = found?.owner_id ?? null;
  const [pages, setPages] = useState<readonly Page[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const [waiting, setWaiting] = useState(false);
  const next = pages.at(-1)?.next_cursor;
  const fetchPage = (before: readonly Page[], signal?: AbortSignal) => {
    const cursor = before.at(-1)?.next_cursor;
    setWaiting(true);
    setError(null);
    ask<Page>(
      { method: 'POST', path: '/v1/owners/parcels', body: { owner_id: id, limit: PAGE, ...(cursor && { cursor }) } },
      signal,
    )
      .then(
        page => setPages([...before, page]),
        (problem: ApiError) => signal?.aborted || setError(problem),
      )
      .finally(() => setWaiting(false));
  };
  useEffect(() => {
    setPages([]);
    if (id === null) return;
    const gone = new AbortController();
    fetchPage([], gone.signal);
    return () => gone.abort();
  }, [id]);
  const owned: readonly Owned[] = pages.flatMap(({ matches }) => matches);
  const others = owned.filter(({ parcel_id: one }) => one !== parcelId);
  const map = state.map ?? '';
  useParcelPoints(others, map);
  if (!isKnown) return <p class="note">The parcel file names no owner of this parcel.</p>;
  if (answer.is === 'failed') return <Failed error={answer.error} again={again} />;
  if (answer.is === 'here' && !found) return <p class="note">No parcel of an owner of this name was found.</p>;
  return (
    <>
      {!found && (
        <p class="note" role="status">
          Looking the owner up…
        </p>
      )}
      {found && (
        <p role="status">
          <strong>{found.owner}</strong> has {count(found.parcels)} in {parcelState}
          {found.acres === null ? '' : `, ${valueWords(found.acres, 'acres', 'acreage')}`}
          {found.value_usd ? `, worth ${valueWords(found.value_usd, 'USD')} by the roll` : ''}.
        </p>
      )}
      {found && found.spellings.length > 1 && (
        <p class="note">Also written {found.spellings.filter(other => other !== found.owner).join('; ')}.</p>
      )}
      {found && <p class="note">Rolls do not tell two people of one name apart.</p>}
      {error && <Failed error={error} again={() => fetchPage(pages)} />}
      {pages.length > 0 && others.length === 0 && <p>This is the only one.</p>}
      {others.length > 0 && (
        <>
          <div class="row">
            <button type="button" class="small" onClick={() => fitParcels(owned)}>
              Show all on the map
            </button>
          </div>
          <ul class="pieces">
            {others.map(parcel => (
              <li key={parcel.parcel_id} class="piece">
                <a
                  href={hrefOf({ view: 'parcel', state: { ...stateOf(parcel, map), tool: 'owner' } })}
                  data-view="parcel"
                >
                  {parcel.address ?? parcel.apn ?? 'A parcel without number'}
                </a>
                <span class="note">
                  {[
                    parcel.address && parcel.apn,
                    parcel.city,
                    parcel.acreage !== null && valueWords(parcel.acreage, 'acres', 'acreage'),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {next && (
        <button type="button" class="wide-button" disabled={waiting} onClick={() => fetchPage(pages)}>
          {waiting ? 'Fetching…' : 'More of them'}
        </button>
      )}
      <RequestPanel request={request} />
    </>
  );
}
