import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { errorWords } from '../api/error-words.ts';
import { ask } from '../api/request.ts';
import { claimsOf, declineToken, isSession, keepToken, tokenNow, useStanding, useToken } from './session.ts';

const ID = 'connect';

/** Opens the dialog. */
export const openConnect = (): void => (document.getElementById(ID) as HTMLDialogElement | null)?.showModal();

/** Where a sign-in shall come back to; read by the page that ends it. */
const RETURN_KEY = 'plat.return';

/** Goes to the sign-in, which comes back to this address. */
export function signIn(): void {
  sessionStorage.setItem(RETURN_KEY, location.pathname + location.hash);
  location.assign('/sign-in');
}

/**
 * Ends the session of this tab on the server, or all sessions of the account.
 * @throws ApiError when the server could not end it.
 */
export async function signOut(everywhere: boolean): Promise<void> {
  const token = tokenNow();
  try {
    await ask({ method: 'POST', path: '/v1/users/me/sign-out', body: { everywhere } });
  } catch (error) {
    // It had ended before.
    if ((error as ApiError).status !== 401) throw error;
  }
  if (tokenNow() === token) keepToken(null);
}

/** Whose token it is, for a sentence. */
const nameOf = (token: string): string => {
  const email = claimsOf(token)?.email;
  return typeof email === 'string' ? email : 'an API token';
};

/** Says how this tab is connected, and opens the dialog. */
export function ConnectButton() {
  const token = useToken();
  const { refusal } = useStanding();
  const isConnected = token !== null && refusal === null;
  const email = isConnected ? claimsOf(token)?.email : null;
  return (
    <button type="button" class={isConnected ? 'small' : 'primary small'} onClick={openConnect}>
      {isConnected ? (typeof email === 'string' ? email : 'Connected') : token === null ? 'Connect' : 'Connect again'}
    </button>
  );
}

/** Asks for a token, or lets somebody sign in. */
export function ConnectDialog() {
  const token = useToken();
  const { refusal } = useStanding();
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const keep = async (event: Event) => {
    event.preventDefault();
    const text = input.current!.value.trim().replace(/^Bearer\s+/i, '');
    if (text === '') return;
    setProblem(null);
    try {
      // Other characters cannot be sent.
      if (!/^[\x21-\x7e]+$/.test(text)) throw new ApiError(401, 'auth_malformed', '');
      await ask({ method: 'GET', path: '/v1/users/me/usage' }, undefined, text);
    } catch (error) {
      setProblem(errorWords(error as ApiError));
      input.current!.focus();
      return;
    }
    keepToken(text);
    input.current!.value = '';
    dialog.current!.close();
  };
  const leave = () => {
    if (!isSession(token!)) return keepToken(null);
    signOut(false).catch((error: ApiError) => setProblem(errorWords(error)));
  };
  return (
    <dialog id={ID} ref={dialog} aria-labelledby="connect-title" onClose={() => setProblem(null)}>
      <h2 id="connect-title">Connect to the service</h2>
      {token !== null && (
        <p class="note">
          {refusal === null
            ? `This tab is connected with ${isSession(token) ? 'a session' : 'an API token'}. `
            : `This tab has ${isSession(token) ? 'a session' : 'an API token'} that the service refuses. `}
          <button type="button" class="link" onClick={leave}>
            {isSession(token) ? 'Sign out' : 'Disconnect'}
          </button>
        </p>
      )}
      {refusal !== null && <p class="warn">{refusal}</p>}
      <form onSubmit={event => void keep(event)}>
        <label>
          API token
          <input
            ref={input}
            type="password"
            autocomplete="off"
            spellcheck={false}
            placeholder="eyJ…"
            aria-invalid={problem !== null}
            aria-describedby="connect-problem"
          />
        </label>
        <p id="connect-problem" class="warn" role="alert">
          {problem}
        </p>
        <p class="note">
          <code>make run</code> prints one, and so does <code>plat token create --account EMAIL</code>. It stays in this
          tab and is forgotten with it.
        </p>
        <div class="row end">
          <button type="button" onClick={() => dialog.current!.close()}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Use this token
          </button>
        </div>
      </form>
      <hr />
      <div class="row between">
        <p class="note">With an account you can also make tokens and see what they use.</p>
        <button type="button" onClick={signIn}>
          Sign in
        </button>
      </div>
    </dialog>
  );
}

/** Asks before the token of a link takes the place of the one that this tab has. */
export function OfferDialog() {
  const token = useToken();
  const { offered } = useStanding();
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = offered !== null && token !== null;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} aria-labelledby="offer-title" onClose={declineToken}>
      {isOpen && (
        <>
          <h2 id="offer-title">Use the token of this link?</h2>
          <p>
            This tab is connected with {nameOf(token)}. The link that you opened brings {nameOf(offered)} instead. If
            you use it, what you ask from now on is asked in the name of its account, and whoever owns that account can
            see it. {isSession(token) && 'You stay signed in elsewhere and can sign in here again.'}
          </p>
          <div class="row end">
            <button type="button" class="primary" onClick={declineToken}>
              Keep {nameOf(token)}
            </button>
            <button type="button" onClick={() => keepToken(offered)}>
              Use the link’s token
            </button>
          </div>
        </>
      )}
    </dialog>
  );
}
