import { useState } from 'preact/hooks';
import { useAnswer } from '../api/answer.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { Failed, Waiting } from '../shell/states.tsx';
import { pageWords } from '../values/page-words.ts';

interface State {
  readonly asked_at: string | null;
  readonly new_at: string | null;
  readonly failed_since: string | null;
  readonly why: string | null;
}

interface Place extends State {
  readonly place: string;
  readonly files: readonly (State & { readonly file: string })[];
}

const PLACES: ApiRequest = { method: 'GET', path: '/v1/operator/places' };

const moment = (text: string | null) =>
  text === null ? 'never' : new Date(text).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });

function Row({ name, state, isFile }: { readonly name: string; readonly state: State; readonly isFile: boolean }) {
  return (
    <tr>
      <th scope="row">{isFile ? <code>{name}</code> : name}</th>
      <td class="moment">{moment(state.asked_at)}</td>
      <td class="moment">{moment(state.new_at)}</td>
      <td>{state.failed_since === null ? '' : `since ${moment(state.failed_since)}: ${pageWords(state.why ?? '')}`}</td>
    </tr>
  );
}

/** How the refresh of each place and file stands, for operators; asked for when it is opened. */
export function PlacePanel() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>For operators: places</summary>
      {isOpen && <PlaceTable />}
    </details>
  );
}

function PlaceTable() {
  const [answer, again] = useAnswer<{ readonly places: readonly Place[] }>(PLACES);
  const places = answer.is === 'here' ? answer.value.places : null;
  return (
    <>
      {answer.is === 'failed' && <Failed error={answer.error} again={again} />}
      {answer.is === 'waiting' && <Waiting what="Places are being fetched" />}
      {places?.length === 0 && <p class="note">No place was ingested in the home of this server.</p>}
      {places && places.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <section class="scrolls" tabIndex={0} aria-label="Places and their files">
          <table>
            <caption class="visually-hidden">Places and their files, failing ones first</caption>
            <thead>
              <tr>
                <th scope="col">Place or file</th>
                <th scope="col">Last asked</th>
                <th scope="col">Last new</th>
                <th scope="col">Fails</th>
              </tr>
            </thead>
            <tbody>
              {places.flatMap(({ place, files, ...state }) => [
                <Row key={place} name={place} state={state} isFile={false} />,
                ...files.map(({ file, ...of }) => (
                  <Row key={`${place} ${file}`} name={file} state={of} isFile={true} />
                )),
              ])}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}
