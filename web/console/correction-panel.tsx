import { useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { type Catalog, useCatalog } from '../api/catalog.ts';
import { ask } from '../api/request.ts';
import { wordsOf } from '../api/titles.ts';
import { readPlace, useAddress } from '../shell/address.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { valueWords } from '../values/value-words.ts';
import { OwnEntries } from './own-entries.tsx';
import { useOwnList } from './own-list.ts';

const CORRECTIONS: ApiRequest = { method: 'GET', path: '/v1/corrections' };

interface Correction {
  readonly correction_id: string;
  readonly status: string;
  readonly field: string;
  readonly value: unknown;
  readonly unit: string | null;
  readonly source_says: { readonly value: unknown };
  readonly reason: string | null;
  readonly created_at: string;
}

/** What somebody typed, as the field has its values. */
function typedValue(typed: string, type: string | undefined): string | number | boolean {
  if (type === 'boolean') return /^(?:y|yes|true)$/i.test(typed);
  return type === 'number' || type === 'integer' ? Number(typed) : typed;
}

const day = (text: string) => new Date(text).toLocaleDateString('en-US', { dateStyle: 'medium' });

function CorrectionRow({ correction, catalog }: { readonly correction: Correction; readonly catalog: Catalog | null }) {
  const { correction_id: id, status, field, value, unit, source_says: said, reason } = correction;
  const words = (one: unknown) => (one === null ? 'no value' : valueWords(one, unit, field));
  return (
    <li class="run">
      <div class="row between">
        <code>{id}</code>
        <span role="status">{wordsOf(status)}</span>
      </div>
      <p class="note">
        {catalog?.fields.get(field)?.title ?? wordsOf(field)}: {words(said.value)}, and shall be {words(value)}
      </p>
      <p class="note">
        Said on {day(correction.created_at)}
        {reason && `. ${reason}`}
      </p>
    </li>
  );
}

/** A form to say that a value is wrong, and what became of what was said before. */
export function CorrectionPanel() {
  const { state } = useAddress();
  const catalog = useCatalog();
  const list = useOwnList<Correction>(CORRECTIONS, 'corrections');
  const [error, setError] = useState<ApiError | null>(null);
  const [sent, setSent] = useState<ApiRequest | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const field = state.correct ?? '';
  const meta = catalog?.fields.get(field);
  const submit = (event: Event) => {
    event.preventDefault();
    const data = new FormData(form.current!);
    const text = (name: string) => String(data.get(name)).trim();
    const url = text('url');
    const next: ApiRequest = {
      method: 'POST',
      path: '/v1/corrections',
      body: {
        field,
        ...(readPlace(text('where')) ?? { address: text('where') }),
        value: typedValue(text('value'), meta?.type),
        evidence: { ...(url === '' ? {} : { url }), note: text('note') },
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
    <section class="card" aria-labelledby="corrections-title" ref={list.section}>
      <h2 id="corrections-title">Corrections</h2>
      {field === '' ? (
        <p class="note">Open a value of a place or a parcel to say that it is wrong.</p>
      ) : (
        <form class="run-form" ref={form} onSubmit={submit}>
          <div class="row end">
            <label class="field grow">
              {meta?.title ?? wordsOf(field)}: what it is{meta?.unit ? `, in ${meta.unit}` : ''}
              <input name="value" required maxLength={1000} autocomplete="off" />
            </label>
            <label class="field grow">
              Where: latitude, longitude or an address
              <input name="where" required maxLength={256} autocomplete="off" defaultValue={state.at ?? ''} />
            </label>
          </div>
          <label class="field">
            How you know
            <textarea name="note" rows={2} maxLength={4000} required />
          </label>
          <div class="row end">
            <label class="field grow">
              Address of the evidence, if it is published
              <input name="url" type="url" maxLength={2048} autocomplete="off" />
            </label>
            <button type="submit" class="primary">
              Send it to be reviewed
            </button>
          </div>
        </form>
      )}
      {error && <Failed error={error} />}
      <OwnEntries
        list={list}
        what="Corrections"
        none="None yet. Every correction of the account is listed here, with what becomes of it."
        row={correction => <CorrectionRow key={correction.correction_id} correction={correction} catalog={catalog} />}
      />
      <RequestPanel request={sent ?? CORRECTIONS} />
    </section>
  );
}
