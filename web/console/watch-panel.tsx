import { useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { ask } from '../api/request.ts';
import { wordsOf } from '../api/titles.ts';
import { RequestPanel } from '../shell/request-panel.tsx';
import { Failed } from '../shell/states.tsx';
import { OwnEntries } from './own-entries.tsx';
import { useOwnList } from './own-list.ts';

const WATCHES: ApiRequest = { method: 'GET', path: '/v1/watches' };

interface Watch {
  readonly watch_id: string;
  readonly status: 'active' | 'stopped';
  readonly created_at: string;
  readonly site_id: string | null;
  readonly parcels: number | null;
  readonly filters: number | null;
  readonly fields: readonly string[];
  readonly callback: { readonly webhook_url?: string; readonly email?: string } | null;
  readonly told_at: string | null;
}

const day = (text: string) => new Date(text).toLocaleDateString('en-US', { dateStyle: 'medium' });
const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

/** What a watch is about, in words. */
function subjectOf({ site_id: site, parcels, filters }: Watch): string {
  if (site !== null) return 'A site';
  if (parcels !== null) return counted(parcels, 'parcel');
  return `A search with ${counted(filters ?? 0, 'filter')}`;
}

/** One watch, and the button that deletes it. */
function WatchRow({ watch, onDeleted }: { readonly watch: Watch; readonly onDeleted: () => void }) {
  const { watch_id: id, status, fields, callback, created_at: created, told_at: told } = watch;
  const [error, setError] = useState<ApiError | null>(null);
  const [isEnding, setEnding] = useState(false);
  const to = [callback?.webhook_url, callback?.email].filter(one => one !== undefined).join(' and ');
  const end = () => {
    setError(null);
    setEnding(false);
    ask({ method: 'DELETE', path: `/v1/watches/${id}` }).then(onDeleted, setError);
  };
  return (
    <li class="run">
      <div class="row between">
        <span>
          {subjectOf(watch)}: {fields.map(wordsOf).join(', ')}
        </span>
        {isEnding ? (
          <span class="row">
            <button type="button" class="small danger" onClick={end}>
              Delete it
            </button>
            <button type="button" class="small" onClick={() => setEnding(false)}>
              Keep
            </button>
          </span>
        ) : (
          <button type="button" class="small" onClick={() => setEnding(true)}>
            Delete<span class="visually-hidden"> the watch of {day(created)}</span>
          </button>
        )}
      </div>
      <p class="note">
        {status === 'stopped' ? 'Stopped: nobody takes its news.' : `Tells ${to}.`} Since {day(created)},{' '}
        {told === null ? 'nothing told yet' : `told last on ${day(told)}`}.
      </p>
      {error && <Failed error={error} />}
    </li>
  );
}

/** The watches of the account. */
export function WatchPanel() {
  const list = useOwnList<Watch>(WATCHES, 'watches');
  return (
    <section class="card" aria-labelledby="watches-title" ref={list.section}>
      <h2 id="watches-title">Watches</h2>
      <OwnEntries
        list={list}
        what="Watches"
        none="None yet. A watch tells you when a publication changes the answer about a site, some parcels or a search."
        row={watch => <WatchRow key={watch.watch_id} watch={watch} onDeleted={list.again} />}
      />
      <RequestPanel request={WATCHES} />
    </section>
  );
}
