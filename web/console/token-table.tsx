import { useRef, useState } from 'preact/hooks';
import { useAnswer } from '../api/answer.ts';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { ask } from '../api/request.ts';
import { Failed, Waiting } from '../shell/states.tsx';

interface TokenRecord {
  readonly id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  readonly recoverable: boolean;
  readonly status: 'active' | 'expired' | 'revoked';
}

const TOKENS: ApiRequest = { method: 'GET', path: '/v1/users/me/tokens' };

const day = (text: string | null) =>
  text === null ? 'never' : new Date(text).toLocaleDateString('en-US', { dateStyle: 'medium' });

/** A token's text, for copying. It is put into the page only when the user asks for it. */
function Revealed({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const [copied, setCopied] = useState(false);
  return (
    <div class="revealed" role="status">
      <code>{token}</code>
      <div class="row">
        <button type="button" onClick={() => navigator.clipboard.writeText(token).then(() => setCopied(true))}>
          {copied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" onClick={onDone}>
          Done
        </button>
        <span class="note">Keep it secret: it can do what the account can.</span>
      </div>
    </div>
  );
}

/**
 * The API tokens of an account: create, show again, revoke.
 * @param changes a number that is another one after a device was revoked elsewhere on the page.
 */
export function TokenTable({ changes, onChanged }: { readonly changes: number; readonly onChanged: () => void }) {
  const [tokens, again] = useAnswer<{ readonly tokens: readonly TokenRecord[] }>(TOKENS, changes);
  const [error, setError] = useState<ApiError | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const attempt = (work: Promise<unknown>) => {
    setError(null);
    return work.then(onChanged, setError);
  };
  const create = (event: Event) => {
    event.preventDefault();
    const data = new FormData(form.current!);
    const name = String(data.get('name') ?? '').trim();
    const body = { ...(name && { name }), expires_in_days: Number(data.get('days')) };
    const made = ask<{ token: string }>({ method: 'POST', path: '/v1/users/me/tokens', body });
    void attempt(
      made.then(({ token }) => {
        setShown(token);
        // Only the name: a reset of the form would choose the first of the lifetimes.
        (form.current!.elements.namedItem('name') as HTMLInputElement).value = '';
      }),
    );
  };
  const reveal = (id: string) =>
    attempt(
      ask<{ token: string }>({ method: 'POST', path: `/v1/users/me/tokens/${id}/reveal` }).then(({ token }) =>
        setShown(token),
      ),
    );
  const revoke = (id: string) => {
    setRevoking(null);
    setShown(null);
    return attempt(ask({ method: 'DELETE', path: `/v1/users/me/tokens/${id}` }));
  };
  const list =
    tokens.is === 'here' ? tokens.value.tokens : tokens.is === 'waiting' ? tokens.last?.value.tokens : undefined;
  return (
    <section class="card" aria-labelledby="tokens-title">
      <h2 id="tokens-title">API tokens</h2>
      <form class="inline" ref={form} onSubmit={create}>
        <label class="field grow">
          What it is for
          <input name="name" maxLength={64} placeholder="laptop" autocomplete="off" />
        </label>
        <label class="field">
          Lives
          <select name="days">
            <option value="7">7 days</option>
            <option value="30">30 days</option>
            <option value="90" selected>
              90 days
            </option>
            <option value="365">1 year</option>
          </select>
        </label>
        <button type="submit" class="primary">
          Create a token
        </button>
      </form>
      {shown !== null && <Revealed token={shown} onDone={() => setShown(null)} />}
      {error && <Failed error={error} />}
      {tokens.is === 'failed' && <Failed error={tokens.error} again={again} />}
      {!list && tokens.is === 'waiting' && <Waiting what="Tokens are being fetched" />}
      {list && list.length === 0 && <p class="note">No token yet.</p>}
      {list && list.length > 0 && (
        <div class="scrolls">
          <table>
            <caption class="visually-hidden">API tokens, newest first</caption>
            <thead>
              <tr>
                <th scope="col">For</th>
                <th scope="col">State</th>
                <th scope="col">Made</th>
                <th scope="col">Ends</th>
                <th scope="col">Last used</th>
                <th scope="col">
                  <span class="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.map(({ id, name, status, created_at, expires_at, last_used_at, recoverable }) => (
                <tr key={id} class={status === 'active' ? '' : 'is-over'}>
                  <th scope="row">{name ?? 'unnamed'}</th>
                  <td>{status}</td>
                  <td>{day(created_at)}</td>
                  <td>{day(expires_at)}</td>
                  <td>{day(last_used_at)}</td>
                  <td class="actions">
                    {status === 'active' && recoverable && revoking !== id && (
                      <button type="button" class="small" onClick={() => void reveal(id)}>
                        Reveal<span class="visually-hidden"> {name ?? 'unnamed'}</span>
                      </button>
                    )}
                    {status === 'active' &&
                      (revoking === id ? (
                        <>
                          <button type="button" class="small danger" onClick={() => void revoke(id)}>
                            Revoke for good
                          </button>
                          <button type="button" class="small" onClick={() => setRevoking(null)}>
                            Keep
                          </button>
                        </>
                      ) : (
                        <button type="button" class="small" onClick={() => setRevoking(id)}>
                          Revoke<span class="visually-hidden"> {name ?? 'unnamed'}</span>
                        </button>
                      ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
