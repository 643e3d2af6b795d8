import { useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import { signOut } from '../shell/connect.tsx';
import { Failed } from '../shell/states.tsx';

/** Buttons that end the session of this browser, or all of the account. */
export function SignOutPanel() {
  const [error, setError] = useState<ApiError | null>(null);
  const [asking, setAsking] = useState(false);
  const leave = (everywhere: boolean) => {
    setError(null);
    void signOut(everywhere).catch(setError);
  };
  return (
    <section class="card" aria-labelledby="sign-out-title">
      <h2 id="sign-out-title">Sign out</h2>
      <p class="note">
        Everywhere means every browser, this one too, and every agent. API tokens and devices stay until you revoke
        them.
      </p>
      {error && <Failed error={error} />}
      <div class="row">
        <button type="button" onClick={() => leave(false)}>
          Sign out
        </button>
        {asking ? (
          <>
            <button type="button" class="danger" onClick={() => leave(true)}>
              End every session
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              Stay signed in
            </button>
          </>
        ) : (
          <button type="button" onClick={() => setAsking(true)}>
            Sign out everywhere
          </button>
        )}
      </div>
    </section>
  );
}
