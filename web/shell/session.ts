import { useEffect, useState } from 'preact/hooks';

/** Kept for this tab alone: who has the token can do what the account can. */
const KEY = 'plat.token';
const listeners = new Set<() => void>();

/** The token or session that requests are sent with; null where there is none. */
export const tokenNow = (): string | null => sessionStorage.getItem(KEY);

/** Keeps a token, or forgets it. */
export function keepToken(token: string | null): void {
  if (token === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token);
  for (const listener of listeners) listener();
}

/** Takes over a token that the address brought behind `#token=`, and clears it away. */
export function takeTokenFromAddress(): void {
  const state = new URLSearchParams(location.hash.slice(1));
  const token = state.get('token');
  if (token === null) return;
  state.delete('token');
  keepToken(token);
  const rest = state.toString();
  history.replaceState(null, '', location.pathname + (rest === '' ? '' : `#${rest}`));
}

/** The token; the component is drawn again when it changes. */
export function useToken(): string | null {
  const [token, setToken] = useState(tokenNow);
  useEffect(() => {
    const read = () => setToken(tokenNow());
    listeners.add(read);
    read();
    return () => {
      listeners.delete(read);
    };
  }, []);
  return token;
}

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
