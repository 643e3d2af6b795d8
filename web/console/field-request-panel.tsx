import { useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { type Catalog, useCatalog } from '../api/catalog.ts';
import { ask } from '../api/request.ts';
import { wordsOf } from '../api/titles.ts';
import { placeText, readPlace } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { pageWords } from '../values/page-words.ts';
import { OwnEntries } from './own-entries.tsx';
import { useOwnList } from './own-list.ts';

const REQUESTS: ApiRequest = { method: 'GET', path: '/v1/field-requests' };

interface FieldRequest {
  readonly request_id: string;
  readonly status: string;
  readonly waiting_on: string | null;
  readonly queue_position: number | null;
  readonly estimated_ready_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly resolved_locations: readonly {
    readonly index: number;
    readonly resolved_location: { readonly lat: number; readonly lng: number };
    readonly resolved_address?: string;
  }[];
  readonly disposition: readonly {
    readonly ask: string;
    readonly disposition: string;
    readonly field_id?: string | null;
    readonly explanation: string;
    readonly caveat?: string | null;
  }[];
}

const day = (text: string) => new Date(text).toLocaleDateString('en-US', { dateStyle: 'medium' });

/** Where it was asked for, as a text. */
function whereOf({ resolved_locations: places }: FieldRequest): string {
  const named = places.map(({ resolved_address: address, resolved_location: at }) => address ?? placeText(at));
  return named.length === 0 ? '' : ` at ${named.join('; ')}`;
}

/** One request for a data point: what was asked, how it stands, and what happened to it so far. */
function RequestRow({ request, catalog }: { readonly request: FieldRequest; readonly catalog: Catalog | null }) {
  const { request_id: id, status, waiting_on: waiting, queue_position: place, estimated_ready_at: ready } = request;
  const titleOf = (field: string) => catalog?.fields.get(field)?.title ?? wordsOf(field);
  const asked = [...new Set(request.disposition.map(({ ask: one }) => one))];
  const hasChanged = day(request.updated_at) !== day(request.created_at);
  return (
    <li class="run">
      <div class="row between">
        <strong>{asked.length > 0 ? asked.join('; ') : 'A data point'}</strong>
        <span role="status">
          {wordsOf(status)}
          {waiting && `, waits for ${waiting === 'requester' ? 'you' : 'the operator'}`}
          {place !== null && `, ${place === 0 ? 'being worked on' : `place ${place} in the queue`}`}
        </span>
      </div>
      <details class="run-details">
        <summary>
          What became of it<span class="visually-hidden"> of {asked.join('; ')}</span>
        </summary>
        <ol>
          <li>
            {day(request.created_at)}: asked for{whereOf(request)}.
          </li>
          {request.disposition.map(({ ask: one, disposition, field_id: field, explanation, caveat }) => (
            <li key={one}>
              {wordsOf(disposition)}
              {field && `: ${titleOf(field)}`}. {pageWords(explanation)} {caveat && pageWords(caveat)}
            </li>
          ))}
          {ready && <li>Promised for {day(ready)}.</li>}
          {hasChanged && (
            <li>
              {day(request.updated_at)}: {wordsOf(status).toLowerCase()}.
            </li>
          )}
        </ol>
        <code class="note">{id}</code>
      </details>
    </li>
  );
}

/** A form for requesting data points that the catalog lacks, and the state of earlier requests. */
export function FieldRequestPanel() {
  const list = useOwnList<FieldRequest>(REQUESTS, 'field_requests');
  const catalog = useCatalog();
  const [error, setError] = useState<ApiError | null>(null);
  const [sent, setSent] = useState<ApiRequest | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const data = new FormData(form.current!);
    const where = String(data.get('where')).trim();
    const next: ApiRequest = {
      method: 'POST',
      path: '/v1/field-requests',
      body: {
        description: String(data.get('description')).trim(),
        example_locations: [readPlace(where) ?? { address: where }],
      },
    };
    setSent(next);
    setError(null);
    ask(next).then(() => {
      list.again();
      form.current?.reset();
    }, setError);
  };
  return (
    <section class="card" aria-labelledby="requests-title" ref={list.section}>
      <h2 id="requests-title">Field requests</h2>
      <form class="run-form" ref={form} onSubmit={submit}>
        <label class="field">
          A data point that the catalog lacks, in plain words
          <textarea
            name="description"
            rows={2}
            maxLength={4000}
            required
            placeholder="The age of the sewer main in the street"
          />
        </label>
        <div class="row end">
          <label class="field grow">
            Where, for example: latitude, longitude or an address
            <input name="where" required maxLength={256} autocomplete="off" />
          </label>
          <button type="submit" class="primary">
            Ask for it
          </button>
        </div>
      </form>
      {error && <Failed error={error} />}
      <OwnEntries
        list={list}
        what="Field requests"
        none="None yet. Every request of the account is listed here, with what becomes of it."
        row={request => <RequestRow key={request.request_id} request={request} catalog={catalog} />}
      />
      <RequestPanel request={sent ?? REQUESTS} />
    </section>
  );
}
