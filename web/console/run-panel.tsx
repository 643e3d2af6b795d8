import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { useCatalog } from '../api/catalog.ts';
import { failureWords } from '../api/error-words.ts';
import { ask, send } from '../api/request.ts';
import { wordsOf } from '../api/titles.ts';
import { readPlace } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { OwnEntries } from './own-entries.tsx';
import { useOwnList } from './own-list.ts';
import { RunDetails } from './run-details.tsx';
import { followRun, type Run } from './run-events.ts';

const RUNS: ApiRequest = { method: 'GET', path: '/v1/runs' };
/** Streams that are read at once: a browser opens six connections to a server. The oldest are worked on first. */
const MOST_FOLLOWED = 2;
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

const hasEnded = ({ status }: Run) => status === 'done' || status === 'failed';

/** One run. @param open whether its details are shown at first. @param followed whether its events are read; otherwise it is as the list has it. */
function RunRow({
  run: listed,
  open,
  followed,
  onEnded,
}: {
  readonly run: Run;
  readonly open: boolean;
  readonly followed: boolean;
  readonly onEnded: () => void;
}) {
  const { run_id: id } = listed;
  const [news, setNews] = useState<Partial<Run>>({});
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    if (!followed) return;
    const gone = new AbortController();
    followRun(id, setNews, gone.signal).then(
      () => gone.signal.aborted || onEnded(),
      (problem: ApiError) => gone.signal.aborted || setError(problem),
    );
    return () => gone.abort();
  }, [id, followed]);
  const { status, progress, created_at: created, error: failure } = hasEnded(listed) ? listed : { ...listed, ...news };
  const name = `${progress.total} ${progress.total === 1 ? 'place' : 'places'}, ${new Date(created).toLocaleString()}`;
  return (
    <li class="run">
      <div class="row between">
        <strong>{name}</strong>
        <span role="status">
          {wordsOf(status)} {progress.total > 0 && `· ${progress.done} of ${progress.total}`}
        </span>
      </div>
      {(status === 'queued' || status === 'running') && (
        <progress value={progress.done} max={Math.max(1, progress.total)} aria-label={`Progress of ${name}`} />
      )}
      {failure && <p class="warn">{failureWords(failure)}</p>}
      {error && <Failed error={error} />}
      {(status === 'done' || status === 'failed') && <RunDetails id={id} name={name} open={open} />}
      <div class="row">
        <code class="note">{id}</code>
        {status === 'done' &&
          (['csv', 'geojson'] as const).map(format => (
            <button key={format} type="button" class="small" onClick={() => void download(id, format).catch(setError)}>
              {format === 'csv' ? 'CSV' : 'GeoJSON'}
              <span class="visually-hidden"> of {name}</span>
            </button>
          ))}
      </div>
    </li>
  );
}

/** A form for submitting runs, and the state of earlier ones. */
export function RunPanel() {
  const catalog = useCatalog();
  const list = useOwnList<Run>(RUNS, 'runs');
  const [error, setError] = useState<ApiError | null>(null);
  const [request, setRequest] = useState<ApiRequest | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const followed = (list.entries ?? []).filter(run => !hasEnded(run)).slice(-MOST_FOLLOWED);
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
    ask(next).then(() => {
      form.current?.reset();
      list.again();
    }, setError);
  };
  return (
    <section class="card" aria-labelledby="runs-title" ref={list.section}>
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
      <OwnEntries
        list={list}
        what="Runs"
        none="No run yet. Every run of the account is listed here, wherever it was begun, with its progress and its files."
        row={run => (
          <RunRow
            key={run.run_id}
            run={run}
            open={run === list.entries?.[0]}
            followed={followed.includes(run)}
            onEnded={list.again}
          />
        )}
      />
      <RequestPanel request={request ?? RUNS} />
    </section>
  );
}
