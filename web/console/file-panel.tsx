import { useEffect, useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { useCatalog } from '../api/catalog.ts';
import { ask } from '../api/request.ts';
import { wordsOf } from '../api/titles.ts';
import { MadeFile } from '../export/made-file.tsx';
import { FIRST_FORMAT, FormatChoice, Price, type Quote, rowsText } from '../export/quote.tsx';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { OwnEntries } from './own-entries.tsx';
import { useOwnList } from './own-list.ts';

const EXPORTS: ApiRequest = { method: 'GET', path: '/v1/exports' };

type Listed = AnswerOf<'listExports'>['exports'][number];

/** Files of places by what their names end in, as the service takes them. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\.csv$/i, 'text/csv'],
  [/\.geojson$/i, 'application/geo+json'],
  [/\.(?:ndjson|geojsons)$/i, 'application/x-ndjson'],
];

/** A list of places that the service has taken. */
interface Upload {
  readonly upload_id: string;
  readonly rows: number;
}

const moment = (text: string) => new Date(text).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** Takes a list of places, tells what its values cost, and makes the file. */
function UploadForm({ onBegun }: { readonly onBegun: () => void }) {
  const catalog = useCatalog();
  const [upload, setUpload] = useState<Upload | null>(null);
  const [preset, setPreset] = useState('');
  const [format, setFormat] = useState(FIRST_FORMAT);
  const [error, setError] = useState<ApiError | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const topic = preset || (catalog?.presets[0]?.name ?? '');
  const body = upload && topic ? { upload_id: upload.upload_id, preset: topic, format } : null;
  const [quote, quoteAgain] = useAnswer<Quote>(body && { method: 'POST', path: '/v1/exports/quote', body });
  const told = quote.is === 'here' ? quote.value : null;
  useEffect(() => setError(null), [topic, format]);
  const take = async (file: File | undefined) => {
    setUpload(null);
    setError(null);
    setProblem(null);
    if (!file) return;
    const [, type] = TYPES.find(([ending]) => ending.test(file.name)) ?? [];
    if (!type) return setProblem('Choose a CSV or a GeoJSON file.');
    setBusy(true);
    await ask<Upload>({ method: 'POST', path: '/v1/uploads', file: { type, text: await file.text() } })
      .then(setUpload, setError)
      .finally(() => setBusy(false));
  };
  const begin = () => {
    setBusy(true);
    ask({ method: 'POST', path: '/v1/exports', body })
      .then(() => {
        setUpload(null);
        onBegun();
      }, setError)
      .finally(() => setBusy(false));
  };
  return (
    <>
      <label class="field">
        A list of places: CSV with columns of latitude and longitude, or of addresses; or GeoJSON
        <input
          type="file"
          accept=".csv,.geojson,.ndjson,.geojsons"
          onChange={event => void take(event.currentTarget.files?.[0])}
        />
      </label>
      {problem && (
        <p class="warn" role="alert">
          {problem}
        </p>
      )}
      {isBusy && (
        <p class="note" role="status">
          Sending…
        </p>
      )}
      {upload && (
        <>
          <div class="row end">
            <label class="field grow">
              Topic
              <select value={topic} onChange={event => setPreset(event.currentTarget.value)}>
                {(catalog?.presets ?? []).map(({ name, fields }) => (
                  <option key={name} value={name}>
                    {wordsOf(name)} · {fields.length} fields
                  </option>
                ))}
              </select>
            </label>
            <FormatChoice format={format} onChosen={setFormat} />
          </div>
          <Price quote={quote} again={quoteAgain} />
          <div class="row end">
            <button
              type="button"
              class="primary"
              disabled={!told || told.allowance.would_be_blocked || isBusy}
              onClick={begin}
            >
              Make the file
            </button>
          </div>
        </>
      )}
      {error && <Failed error={error} />}
    </>
  );
}

/** One file of the account: opened it tells how far it is, and hands it over. */
function FileRow({ file, isOpen }: { readonly file: Listed; readonly isOpen: boolean }) {
  const { export_id: id, status, progress, created_at: created } = file;
  const [open, setOpen] = useState(isOpen);
  const name = `${rowsText(progress.total)}, ${moment(created)}`;
  return (
    <li class="run">
      <div class="row between">
        <strong>{name}</strong>
        <span role="status">{wordsOf(status)}</span>
      </div>
      <details class="run-details" open={open} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          How far it is, and the file itself<span class="visually-hidden"> of {name}</span>
        </summary>
        {open && <MadeFile id={id} />}
      </details>
    </li>
  );
}

/** Files of many places: a list of one's own becomes one, its price first, and earlier ones are handed over again. */
export function FilePanel() {
  const list = useOwnList<Listed>(EXPORTS, 'exports');
  return (
    <section class="card" aria-labelledby="files-title" ref={list.section}>
      <h2 id="files-title">Files</h2>
      <UploadForm onBegun={list.again} />
      <OwnEntries
        list={list}
        what="Files"
        none="None yet. Every file of the account is listed here, wherever it was begun, and kept for 30 days."
        row={file => <FileRow key={file.export_id} file={file} isOpen={file === list.entries?.[0]} />}
      />
      <RequestPanel request={EXPORTS} />
    </section>
  );
}
