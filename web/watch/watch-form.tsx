import { useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import type { Catalog } from '../api/catalog.ts';
import { isHere } from '../api/field.ts';
import { ask } from '../api/request.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { watchBody, watchedFields } from './watch-body.ts';
import '../style/desk.css';

/** What is watched: all parcels that pass a search, or some by their ids. */
export type WatchSubject =
  | { readonly search: { readonly filters: readonly unknown[] } }
  | { readonly parcel_ids: readonly string[] };

/** Asks what of some parcels shall be told when a publication changes it, and to whom. */
export function WatchForm({
  subject,
  asked,
  catalog,
}: {
  readonly subject: WatchSubject;
  /** Fields that the subject is about, which are told of first. */
  readonly asked: readonly string[];
  readonly catalog: Catalog;
}) {
  const offered = watchedFields(asked).flatMap(name => {
    const meta = catalog.fields.get(name);
    return meta?.surfaces.includes('enrich') && isHere(meta) ? [meta] : [];
  });
  const first = offered.filter(({ name }) => asked.includes(name));
  const [fields, setFields] = useState<readonly string[]>(
    (first.length > 0 ? first : offered.slice(0, 1)).map(({ name }) => name),
  );
  const [to, setTo] = useState('');
  const [error, setError] = useState<ApiError | null>(null);
  const [begun, setBegun] = useState<'no' | 'sent' | 'yes'>('no');
  const body = watchBody(subject, fields, to);
  const request: ApiRequest = { method: 'POST', path: '/v1/watches', body: body ?? { ...subject, fields } };
  const isSearch = 'search' in subject;
  const begin = () => {
    setError(null);
    setBegun('sent');
    ask(request).then(
      () => setBegun('yes'),
      (problem: ApiError) => {
        setError(problem);
        setBegun('no');
      },
    );
  };
  if (begun === 'yes')
    return (
      <section class="set-count" aria-label="Watch">
        <p role="status">
          It is watched. Mail to an address other than that of the account comes once its owner has confirmed it. Your
          watches are on the <a href="/console">console</a>.
        </p>
      </section>
    );
  return (
    <section class="set-count" aria-label="Watch">
      <p>
        {isSearch
          ? 'Each new release is compared with the one before: you are told which parcels pass that did not, which no longer do, and what changed of those that do.'
          : 'Each new release is compared with the one before: you are told what changed of this parcel.'}
      </p>
      <fieldset class="checks">
        <legend>Tell of</legend>
        {offered.map(({ name, title }) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={fields.includes(name)}
              onChange={event =>
                setFields(event.currentTarget.checked ? [...fields, name] : fields.filter(other => other !== name))
              }
            />
            {title}
          </label>
        ))}
      </fieldset>
      <label class="field">
        Mail address, or an https address that a program listens at
        <input
          value={to}
          maxLength={2048}
          autocomplete="email"
          spellcheck={false}
          placeholder="you@example.org"
          onInput={event => setTo(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter') return;
            // The form around this one would search.
            event.preventDefault();
            if (body) begin();
          }}
        />
      </label>
      {error && <Failed error={error} />}
      <div class="row end">
        <button type="button" class="primary" disabled={body === null || begun === 'sent'} onClick={begin}>
          {isSearch ? 'Watch this search' : 'Watch this parcel'}
        </button>
      </div>
      <RequestPanel request={request} />
    </section>
  );
}
