import { useEffect, useState } from 'preact/hooks';
import { forgetPaidAnswers } from '../api/paid-answer.ts';

/** Kept for this tab alone: who has the token can do what the account can. */
const KEY = 'plat.token';
const listeners = new Set<() => void>();

/** The token or session that requests are sent with; null where there is none. */
export const tokenNow = (): string | null => sessionStorage.getItem(KEY);

/** What is known of the token beside its text. */
interface Standing {
  /** Why the server refuses it, in words for people; null while it does not. */
  readonly refusal: string | null;
  /** Another token, which the address brought and the user has not decided about. */
  readonly offered: string | null;
}

let standing: Standing = { refusal: null, offered: null };

function change(parts: Partial<Standing>): void {
  standing = { ...standing, ...parts };
  for (const listener of listeners) listener();
}

/** Keeps a token, or forgets it. */
export function keepToken(token: string | null): void {
  if (token !== tokenNow()) forgetPaidAnswers();
  if (token === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
  change({ refusal: null, offered: null });
}

/** Notes that the server refuses a token. */
export function noteRefused(token: string | null, refusal: string): void {
  if (token !== null && token === tokenNow()) change({ refusal });
}

/** Notes that the server accepts a token. */
export function noteAccepted(token: string | null): void {
  if (standing.refusal !== null && token === tokenNow()) change({ refusal: null });
}

/**
 * Takes over a token that the address brought behind `#token=`, and clears it away. When this tab has another one, the
 * user is asked first: whoever made the link could otherwise put their account in the place of the user's.
 */
export function takeTokenFromAddress(): void {
  const state = new URLSearchParams(location.hash.slice(1));
  const token = state.get('token');
  if (token === null) return;
  state.delete('token');
  const rest = state.toString();
  history.replaceState(null, '', location.pathname + (rest === '' ? '' : `#${rest}`));
  const held = tokenNow();
  if (held === null) keepToken(token);
  else if (held !== token) change({ offered: token });
}

/** Keeps the token that the tab has, and forgets the one that the address brought. */
export const declineToken = (): void => change({ offered: null });

/** Draws the component again when the token or its standing changes. */
function useSession<T>(read: () => T): T {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const look = () => setValue(read);
    listeners.add(look);
    look();
    return () => {
      listeners.delete(look);
    };
  }, []);
  return value;
}

/** The token; the component is drawn again when it changes. */
export const useToken = (): string | null => useSession(tokenNow);

/** The standing of the token; the component is drawn again when it changes. */
export const useStanding = (): Standing => useSession(() => standing);

/** What a token says of itself, unverified; null where it is no JWT. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> | null {
  try {
    const [, payload = ''] = token.split('.');
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** Whether a token is a browser session (an ID token names its issuer), which alone may manage tokens and settings. */
export const isSession = (token: string): boolean => typeof claimsOf(token)?.email === 'string';
