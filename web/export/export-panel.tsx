import { useState } from 'preact/hooks';
import type { AnswerOf } from '../../client/client.ts';
import { useAnswer } from '../api/answer.ts';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { ask } from '../api/request.ts';
import type { Filter } from '../search/filter.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { MadeFile } from './made-file.tsx';
import { FIRST_FORMAT, FormatChoice, Price, type Quote } from './quote.tsx';
import '../style/desk.css';

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
  const [format, setFormat] = useState(FIRST_FORMAT);
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
      <FormatChoice format={format} onChosen={setFormat} />
      <Price quote={quote} again={quoteAgain} />
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
