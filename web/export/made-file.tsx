import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import type { ApiError } from '../api/api-error.ts';
import { failureWords } from '../api/error-words.ts';
import { ask } from '../api/request.ts';
import { Failed } from '../shell/states.tsx';
import { pageWords } from '../values/page-words.ts';
import { MOST_COLLECTED, saveExportFile } from './export-file.ts';
import { rowsText } from './quote.tsx';
import '../style/desk.css';

type Made = AnswerOf<'export'>;

/** Milliseconds between looks at how far a file is. */
const LOOK_MS = 1_000;

const bytesText = (bytes: number): string =>
  bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000)).toLocaleString('en-US')} kB`
    : `${(bytes / 1e6).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;

/** A file that is being made or lies ready. */
export function MadeFile({ id }: { readonly id: string }) {
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
