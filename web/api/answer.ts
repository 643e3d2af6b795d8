import { useCallback, useEffect, useState } from 'preact/hooks';
import { useToken } from '../shell/session.ts';
import type { ApiError } from './api-error.ts';
import type { ApiRequest } from './api-request.ts';
import { ask } from './request.ts';

/** The state of a request. */
export type Answer<T> =
  | { readonly is: 'none' }
  | { readonly is: 'waiting'; readonly last: T | null }
  | { readonly is: 'here'; readonly value: T }
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
    setAnswer(before => ({ is: 'waiting', last: before.is === 'here' ? before.value : null }));
    ask<T>(JSON.parse(key) as ApiRequest, gone.signal).then(
      value => setAnswer({ is: 'here', value }),
      (error: ApiError) => {
        if (!gone.signal.aborted) setAnswer({ is: 'failed', error });
      },
    );
    return () => gone.abort();
  }, [key, token, times, version]);
  return [answer, useCallback(() => setTimes(n => n + 1), [])];
}
