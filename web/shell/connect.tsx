import { useRef } from 'preact/hooks';
import { claimsOf, isSession, keepToken, useToken } from './session.ts';

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

/** Says how this tab is connected, and opens the dialog. */
export function ConnectButton() {
  const token = useToken();
  const email = token === null ? null : claimsOf(token)?.email;
  return (
    <button type="button" class={token === null ? 'primary small' : 'small'} onClick={openConnect}>
      {token === null ? 'Connect' : typeof email === 'string' ? email : 'Connected'}
    </button>
  );
}

/** Asks for a token, or lets somebody sign in. */
export function ConnectDialog() {
  const token = useToken();
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const keep = (event: Event) => {
    event.preventDefault();
    const text = input.current!.value.trim().replace(/^Bearer\s+/i, '');
    if (text === '') return;
    keepToken(text);
    input.current!.value = '';
    dialog.current!.close();
  };
  return (
    <dialog id={ID} ref={dialog} aria-labelledby="connect-title">
      <h2 id="connect-title">Connect to the service</h2>
      {token !== null && (
        <p class="note">
          This tab is connected with {isSession(token) ? 'a session' : 'an API token'}.{' '}
          <button type="button" class="link" onClick={() => keepToken(null)}>
            Disconnect
          </button>
        </p>
      )}
      <form onSubmit={keep}>
        <label>
          API token
          <input ref={input} type="password" autocomplete="off" spellcheck={false} placeholder="eyJ…" />
        </label>
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
