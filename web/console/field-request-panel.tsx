import { useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { ask } from '../api/request.ts';
import { wordsOf } from '../api/titles.ts';
import { readPlace } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
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
  readonly disposition: readonly { readonly ask: string; readonly disposition: string; readonly field_id?: string }[];
}

const day = (text: string) => new Date(text).toLocaleDateString('en-US', { dateStyle: 'medium' });

/** One request for a data point, and what became of it. */
function RequestRow({ request }: { readonly request: FieldRequest }) {
  const { request_id: id, status, waiting_on: waiting, queue_position: place, estimated_ready_at: ready } = request;
  return (
    <li class="run">
      <div class="row between">
        <code>{id}</code>
        <span role="status">
          {wordsOf(status)}
          {waiting && `, waits for the ${waiting}`}
          {place !== null && `, ${place === 0 ? 'being worked on' : `place ${place} in the queue`}`}
        </span>
      </div>
      {request.disposition.map(({ ask: asked, disposition, field_id: field }) => (
        <p key={asked} class="note">
          {asked}: {wordsOf(disposition).toLowerCase()} {field && <code>{field}</code>}
        </p>
      ))}
      <p class="note">
        Asked on {day(request.created_at)}
        {ready && `, promised for ${day(ready)}`}
      </p>
    </li>
  );
}

/** A form for requesting data points that the catalog lacks, and the state of earlier requests. */
export function FieldRequestPanel() {
  const list = useOwnList<FieldRequest>(REQUESTS, 'field_requests');
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
        row={request => <RequestRow key={request.request_id} request={request} />}
      />
      <RequestPanel request={sent ?? REQUESTS} />
    </section>
  );
}
