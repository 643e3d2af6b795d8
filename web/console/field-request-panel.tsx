import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiRequest } from '../api/api-request.ts';
import { wordsOf } from '../api/catalog.ts';
import { type ApiError, ask } from '../api/request.ts';
import { readPlace } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { keepList, keptList } from './kept-list.ts';

const KEY = 'plat.field-requests';
const EVERY_MS = 5_000;
/** Final states. */
const ENDED = ['live', 'blocked', 'expired', 'rejected', 'matched'];

interface FieldRequest {
  readonly status: string;
  readonly waiting_on: string | null;
  readonly queue_position: number | null;
  readonly estimated_ready_at: string | null;
  readonly created_at: string;
  readonly disposition: readonly { readonly ask: string; readonly disposition: string; readonly field_id?: string }[];
}

/** One field request, polled until it has ended. */
function RequestRow({ id, onGone }: { readonly id: string; readonly onGone: () => void }) {
  const [request, setRequest] = useState<FieldRequest | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () =>
      ask<FieldRequest>({ method: 'GET', path: `/v1/field-requests/${encodeURIComponent(id)}` }, gone.signal)
        .then(state => {
          setRequest(state);
          setError(null);
          if (!ENDED.includes(state.status)) timer = setTimeout(read, EVERY_MS);
        })
        .catch((problem: ApiError) => {
          if (gone.signal.aborted) return;
          if (problem.status === 404) onGone();
          else setError(problem);
        });
    void read();
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [id]);
  return (
    <li class="run">
      <div class="row between">
        <code>{id}</code>
        <span role="status">
          {request ? wordsOf(request.status) : '…'}
          {request?.waiting_on && `, waits for the ${request.waiting_on}`}
          {request?.queue_position != null && `, place ${request.queue_position} in the queue`}
        </span>
      </div>
      {request?.disposition.map(({ ask: asked, disposition, field_id: field }) => (
        <p key={asked} class="note">
          {asked}: {wordsOf(disposition).toLowerCase()} {field && <code>{field}</code>}
        </p>
      ))}
      {request?.estimated_ready_at && (
        <p class="note">
          Promised for {new Date(request.estimated_ready_at).toLocaleDateString('en-US', { dateStyle: 'medium' })}
        </p>
      )}
      {error && <Failed error={error} />}
    </li>
  );
}

/** A form for requesting data points that the catalog lacks, and the state of earlier requests. */
export function FieldRequestPanel() {
  const [ids, setIds] = useState(() => keptList(KEY));
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
    ask<{ request_id: string }>(next).then(({ request_id: id }) => {
      setIds(keepList(KEY, [id, ...keptList(KEY)]));
      form.current?.reset();
    }, setError);
  };
  return (
    <section class="card" aria-labelledby="requests-title">
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
      {ids.length === 0 ? (
        <p class="note">Requests that you file here are listed here, with what becomes of them.</p>
      ) : (
        <ul class="runs">
          {ids.map(id => (
            <RequestRow
              key={id}
              id={id}
              onGone={() =>
                setIds(
                  keepList(
                    KEY,
                    keptList(KEY).filter(other => other !== id),
                  ),
                )
              }
            />
          ))}
        </ul>
      )}
      <RequestPanel request={sent} />
    </section>
  );
}
