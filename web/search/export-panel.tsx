import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { failureWords } from '../api/error-words.ts';
import { ask } from '../api/request.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { pageWords } from '../values/page-words.ts';
import { MOST_COLLECTED, saveExportFile } from './export-file.ts';
import type { Filter } from './filter.ts';
import '../style/desk.css';

type Quote = AnswerOf<'quoteExport'>;
type Made = AnswerOf<'export'>;

const FORMATS = [
  ['csv', 'Spreadsheet (CSV)'],
  ['geojsonseq', 'GeoJSON'],
  ['geoparquet', 'GeoParquet'],
  ['flatgeobuf', 'FlatGeobuf'],
] as const;

/** Milliseconds between looks at how far a file is. */
const LOOK_MS = 1_000;

const bytesText = (bytes: number): string =>
  bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000)).toLocaleString('en-US')} kB`
    : `${(bytes / 1e6).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;

const rowsText = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
const creditsText = (count: number) =>
  count === 0 ? 'free' : `${count.toLocaleString('en-US')} ${count === 1 ? 'credit' : 'credits'}`;

/** A file that is being made or lies ready. */
function MadeFile({ id }: { readonly id: string }) {
  const [made, setMade] = useState<Made | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const gone = new AbortController();
    let timer = 0;
    const look = () => {
      ask<Made>({ method: 'GET', path: `/v1/exports/${encodeURIComponent(id)}` }, gone.signal).then(
        now => {
          setMade(now);
          if (now.status === 'queued' || now.status === 'running') timer = window.setTimeout(look, LOOK_MS);
        },
        (problem: ApiError) => gone.signal.aborted || setError(problem),
      );
    };
    setError(null);
    look();
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [id, times]);
  const again = () => setTimes(n => n + 1);
  if (error) return <Failed error={error} again={again} />;
  if (!made)
    return (
      <p class="note" role="status">
        Looking how far it is…
      </p>
    );
  const { status, progress, files, warnings, error: failure, request } = made;
  const isCollected = request.format === 'geojsonseq';
  const nameOf = (name: string) => (isCollected ? name.replace(/\.geojsons$/, '.geojson') : name);
  return (
    <div class="made">
      {(status === 'queued' || status === 'running') && (
        <>
          <p role="status">
            The file is being made: {progress.done.toLocaleString('en-US')} of {rowsText(progress.total)}.
          </p>
          <progress value={progress.done} max={Math.max(1, progress.total)} aria-label="Rows that are done" />
        </>
      )}
      {failure && <p class="warn">{failureWords(failure)}</p>}
      {status === 'done' && (
        <>
          <p role="status">The file is ready, with {rowsText(progress.total)}. It is kept for 30 days.</p>
          <div class="row">
            {files.map(({ name, bytes }) => {
              const isJoined = isCollected && name.endsWith('.geojsons') && bytes <= MOST_COLLECTED;
              return (
                <button
                  key={name}
                  type="button"
                  class={name === 'citations.json' ? '' : 'primary'}
                  onClick={() => void saveExportFile(id, name, isJoined).catch(setError)}
                >
                  {name === 'citations.json' ? 'Whom it cites' : `Save ${isJoined ? nameOf(name) : name}`} (
                  {bytesText(bytes)})
                </button>
              );
            })}
          </div>
        </>
      )}
      {warnings.map(pageWords).map(words => words && <p class="note">{words}</p>)}
    </div>
  );
}

/**
 * Takes all parcels that pass along as a file: its price first, then its making, then the file.
 * @param filters with the state first. @param columns of the file beside the parcel's own. @param id of an export that was begun; null for none.
 */
export function ExportPanel({
  filters,
  columns,
  id,
  onBegun,
}: {
  readonly filters: readonly Filter[];
  readonly columns: readonly string[];
  readonly id: string | null;
  readonly onBegun: (id: string | null) => void;
}) {
  const [format, setFormat] = useState<string>(FORMATS[0][0]);
  const [error, setError] = useState<ApiError | null>(null);
  const [beginning, setBeginning] = useState(false);
  const body = {
    search: { filters },
    ...(columns.length > 0 ? { fields: columns } : {}),
    format,
  };
  const quoting: ApiRequest = { method: 'POST', path: '/v1/exports/quote', body };
  const [quote, quoteAgain] = useAnswer<Quote>(id === null ? quoting : null);
  const begin = () => {
    setBeginning(true);
    setError(null);
    ask<AnswerOf<'submitExport'>>({ method: 'POST', path: '/v1/exports', body })
      .then(({ export_id: begun }) => onBegun(begun), setError)
      .finally(() => setBeginning(false));
  };
  if (id !== null)
    return (
      <section class="card" aria-label="The file">
        <MadeFile id={id} />
        <div class="row end">
          <button type="button" onClick={() => onBegun(null)}>
            Another file
          </button>
        </div>
        <RequestPanel request={{ method: 'GET', path: `/v1/exports/${id}` }} />
      </section>
    );
  const told = quote.is === 'here' ? quote.value : null;
  const isRefused = told?.allowance.would_be_blocked ?? false;
  return (
    <section class="card" aria-label="Take them along">
      <label class="field">
        As
        <select value={format} onChange={event => setFormat(event.currentTarget.value)}>
          {FORMATS.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {quote.is === 'failed' && <Failed error={quote.error} again={quoteAgain} />}
      {quote.is === 'waiting' && (
        <p class="note" role="status">
          Looking up its price…
        </p>
      )}
      {told && (
        <p role="status">
          {rowsText(told.locations)}: <strong>{creditsText(told.credits_total)}</strong>
          {isRefused && '. That is more than the account has left'}.
        </p>
      )}
      {error && <Failed error={error} />}
      <div class="row end">
        <button
          type="button"
          class="primary"
          disabled={!told || isRefused || beginning || told.locations === 0}
          onClick={begin}
        >
          {beginning ? 'Beginning…' : 'Make the file'}
        </button>
      </div>
      <RequestPanel request={quoting} />
    </section>
  );
}
