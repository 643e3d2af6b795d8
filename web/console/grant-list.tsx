import { useState } from 'preact/hooks';
import { useAnswer } from '../api/answer.ts';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { ask } from '../api/request.ts';
import { Failed, Waiting } from '../shell/states.tsx';

/** A token, an agent or a device that may act for the account. */
export interface Grant {
  readonly id: string;
  readonly kind: 'mcp' | 'device' | 'token';
  readonly name: string | null;
  readonly scopes: readonly string[];
  readonly credits_a_day: number | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** What it may do, in words. */
const SCOPES: Readonly<Record<string, string>> = { read: 'read', spend: 'spend credits', write: 'change things' };

/** The question for all of them. */
export const GRANTS: ApiRequest = { method: 'GET', path: '/v1/users/me/grants' };

const day = (text: string | null) =>
  text === null ? 'never' : new Date(text).toLocaleDateString('en-US', { dateStyle: 'medium' });

/**
 * The agents and devices that somebody let in, with a button that ends each.
 * @param changes a number that is another one after a token was revoked elsewhere on the page.
 */
export function GrantList({ changes, onChanged }: { readonly changes: number; readonly onChanged: () => void }) {
  const [answer, again] = useAnswer<{ readonly grants: readonly Grant[] }>(GRANTS, changes);
  const [error, setError] = useState<ApiError | null>(null);
  const [revoking, setRevoking] = useState<string | null>(null);
  const revoke = (id: string) => {
    setRevoking(null);
    setError(null);
    return ask({ method: 'DELETE', path: `/v1/users/me/grants/${id}` }).then(onChanged, setError);
  };
  const known = answer.is === 'here' ? answer.value : answer.is === 'waiting' ? answer.last?.value : null;
  // API tokens have a table of their own.
  const list = known?.grants.filter(({ kind }) => kind !== 'token');
  return (
    <section class="card" aria-labelledby="grants-title">
      <h2 id="grants-title">Connected agents and devices</h2>
      {error && <Failed error={error} />}
      {answer.is === 'failed' && <Failed error={answer.error} again={again} />}
      {!list && answer.is === 'waiting' && <Waiting what="Agents and devices are being fetched" />}
      {list?.length === 0 && (
        <p class="note">
          None yet. Give an agent the address <code>{location.origin}/mcp</code>, or run <code>plat login</code> on a
          device.
        </p>
      )}
      {list && list.length > 0 && (
        <div class="scrolls">
          <table>
            <caption class="visually-hidden">Agents and devices that may act for you, newest first</caption>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">What</th>
                <th scope="col">May</th>
                <th scope="col">Budget</th>
                <th scope="col">Let in</th>
                <th scope="col">Last used</th>
                <th scope="col">
                  <span class="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.map(({ id, kind, name, scopes, credits_a_day, created_at, last_used_at }) => (
                <tr key={id}>
                  <th scope="row">{name ?? 'unnamed'}</th>
                  <td>{kind === 'mcp' ? 'Agent' : 'Device'}</td>
                  <td>{scopes.map(scope => SCOPES[scope] ?? scope).join(', ')}</td>
                  <td>
                    {credits_a_day === null
                      ? 'that of the account'
                      : `${credits_a_day.toLocaleString('en-US')} credits a day`}
                  </td>
                  <td>{day(created_at)}</td>
                  <td>{day(last_used_at)}</td>
                  <td class="actions">
                    {revoking === id ? (
                      <>
                        <button type="button" class="small danger" onClick={() => void revoke(id)}>
                          End its access
                        </button>
                        <button type="button" class="small" onClick={() => setRevoking(null)}>
                          Keep
                        </button>
                      </>
                    ) : (
                      <button type="button" class="small" onClick={() => setRevoking(id)}>
                        Revoke<span class="visually-hidden"> {name ?? 'unnamed'}</span>
                      </button>
                    )}
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
