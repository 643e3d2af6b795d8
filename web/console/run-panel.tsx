import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiRequest } from '../api/api-request.ts';
import { useCatalog, wordsOf } from '../api/catalog.ts';
import { type ApiError, ask, send } from '../api/request.ts';
import { readPlace } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { keepList, keptList } from './kept-list.ts';
import { followRun, type Run } from './run-events.ts';

const KEY = 'plat.runs';
const MOST_LOCATIONS = 25;

/** Downloads an artifact under a file name. A plain link could not send the token. */
async function download(id: string, format: 'csv' | 'geojson'): Promise<void> {
  const response = await send({ method: 'GET', path: `/v1/runs/${id}/artifacts/${format}` });
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = `${id}.${format}`;
  link.click();
  URL.revokeObjectURL(url);
}

/** One run, updated until it ends. */
function RunRow({ id, onGone }: { readonly id: string; readonly onGone: () => void }) {
  const [run, setRun] = useState<Partial<Run>>({});
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    ask<Run>({ method: 'GET', path: `/v1/runs/${id}` }, gone.signal)
      .then(state => {
        setRun(state);
        if (state.status === 'queued' || state.status === 'running')
          return followRun(id, news => setRun(before => ({ ...before, ...news })), gone.signal);
      })
      .catch((problem: ApiError) => {
        if (gone.signal.aborted) return;
        if (problem.status === 404) onGone();
        else setError(problem);
      });
    return () => gone.abort();
  }, [id]);
  const { status = 'queued', progress = { done: 0, total: 0 }, created_at: created } = run;
  return (
    <li class="run">
      <div class="row between">
        <code>{id}</code>
        <span role="status">
          {status} {progress.total > 0 && `· ${progress.done} of ${progress.total}`}
        </span>
      </div>
      {(status === 'queued' || status === 'running') && (
        <progress value={progress.done} max={Math.max(1, progress.total)} aria-label={`Progress of ${id}`} />
      )}
      {run.error && <p class="warn">{run.error.message}</p>}
      {error && <Failed error={error} />}
      <div class="row">
        {created && <span class="note">{new Date(created).toLocaleString()}</span>}
        {status === 'done' && (
          <>
            <button type="button" class="small" onClick={() => void download(id, 'csv').catch(setError)}>
              CSV
            </button>
            <button type="button" class="small" onClick={() => void download(id, 'geojson').catch(setError)}>
              GeoJSON
            </button>
          </>
        )}
      </div>
    </li>
  );
}

/** A form for submitting runs, and the state of earlier ones. */
export function RunPanel() {
  const catalog = useCatalog();
  const [runs, setRuns] = useState(() => keptList(KEY));
  const [error, setError] = useState<ApiError | null>(null);
  const [request, setRequest] = useState<ApiRequest | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const keep = (ids: readonly string[]) => setRuns(keepList(KEY, ids));
  const submit = (event: Event) => {
    event.preventDefault();
    const data = new FormData(form.current!);
    const lines = String(data.get('locations'))
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean);
    const locations = lines.map(line => readPlace(line) ?? { address: line });
    const next: ApiRequest = {
      method: 'POST',
      path: '/v1/runs',
      body: { kind: 'fetch_batch', request: { locations, preset: String(data.get('preset')) } },
    };
    setRequest(next);
    setError(null);
    ask<{ run_id: string }>(next).then(({ run_id: id }) => keep([id, ...keptList(KEY)]), setError);
  };
  return (
    <section class="card" aria-labelledby="runs-title">
      <h2 id="runs-title">Runs</h2>
      <form class="run-form" ref={form} onSubmit={submit}>
        <label class="field">
          Places, one a line: latitude, longitude or an address (at most {MOST_LOCATIONS})
          <textarea
            name="locations"
            rows={4}
            required
            spellcheck={false}
            placeholder={'44.8016, -68.7712\n73 Harlow St, Bangor, ME 04401'}
          />
        </label>
        <div class="row end">
          <label class="field grow">
            Topic
            <select name="preset">
              {(catalog?.presets ?? []).map(({ name, fields }) => (
                <option key={name} value={name}>
                  {wordsOf(name)} · {fields.length} fields
                </option>
              ))}
            </select>
          </label>
          <button type="submit" class="primary">
            Start a run
          </button>
        </div>
      </form>
      {error && <Failed error={error} />}
      {runs.length === 0 ? (
        <p class="note">Runs that you start here are listed here, with their progress and their files.</p>
      ) : (
        <ul class="runs">
          {runs.map(id => (
            <RunRow key={id} id={id} onGone={() => keep(keptList(KEY).filter(other => other !== id))} />
          ))}
        </ul>
      )}
      <RequestPanel request={request} />
    </section>
  );
}
