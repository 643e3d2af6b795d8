import { useCallback, useEffect, useState } from 'preact/hooks';
import { useToken } from '../shell/session.ts';
import type { ApiError } from './api-error.ts';
import type { ApiRequest } from './api-request.ts';
import { ask } from './request.ts';

/** What was answered, and to which request. */
interface Told<T> {
  readonly value: T;
  readonly request: ApiRequest;
}

/** The state of a request. */
export type Answer<T> =
  | { readonly is: 'none' }
  | { readonly is: 'waiting'; readonly last: Told<T> | null }
  | ({ readonly is: 'here' } & Told<T>)
  | { readonly is: 'failed'; readonly error: ApiError };

/**
 * Sends a request each time it changes, and cancels the one before.
 * @param request null sends nothing.
 * @param version another number sends it again.
 * @returns its state, and a function that sends it again.
 */
export function useAnswer<T>(request: ApiRequest | null, version = 0): [Answer<T>, () => void] {
  const token = useToken();
  const [answer, setAnswer] = useState<Answer<T>>({ is: request ? 'waiting' : 'none', last: null });
  const [times, setTimes] = useState(0);
  const key = request === null ? null : JSON.stringify(request);
  useEffect(() => {
    if (key === null) {
      setAnswer({ is: 'none' });
      return;
    }
    const gone = new AbortController();
    const asked = JSON.parse(key) as ApiRequest;
    setAnswer(before => ({
      is: 'waiting',
      last: before.is === 'here' ? before : before.is === 'waiting' ? before.last : null,
    }));
    ask<T>(asked, gone.signal).then(
      value => setAnswer({ is: 'here', value, request: asked }),
      (error: ApiError) => {
        if (!gone.signal.aborted) setAnswer({ is: 'failed', error });
      },
    );
    return () => gone.abort();
  }, [key, token, times, version]);
  return [answer, useCallback(() => setTimes(n => n + 1), [])];
}
