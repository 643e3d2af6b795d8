import { useCallback, useEffect, useState } from 'preact/hooks';
import { eventsOf } from '../../client/events.ts';
import { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { send } from '../api/request.ts';
import { useToken } from '../shell/session.ts';

/** How an answer that is written as one watches stands. */
export type StreamedAnswer<T> =
  | { readonly is: 'none' }
  | { readonly is: 'waiting' }
  | { readonly is: 'writing'; readonly text: string }
  | { readonly is: 'here'; readonly value: T }
  | { readonly is: 'failed'; readonly error: ApiError };

const BROKEN = 'The connection broke before the answer was whole. What had come of it is not shown: it may be wrong.';

/** Reads a stream to its last event. @throws ApiError, also where the connection breaks or ends too early. */
async function read<T>(request: ApiRequest, tell: (text: string) => void, signal: AbortSignal): Promise<T> {
  const response = await send(request, signal);
  let text = '';
  try {
    for await (const { event, data } of eventsOf(response.body!)) {
      if (event === 'final') return data as T;
      if (event === 'error') {
        const { error, message } = data as { readonly error: string; readonly message: string };
        throw new ApiError(response.status, error, message);
      }
      if (event === 'delta') {
        text += (data as { readonly text: string }).text;
        tell(text);
      }
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
  }
  throw new ApiError(0, 'unreachable', BROKEN);
}

/**
 * Sends a request that is answered by `delta` events and one `final`, whenever it changes, and lets go of the one before.
 * @param request null asks nothing.
 * @returns how it stands, and what to call to send it again.
 */
export function useStreamedAnswer<T>(request: ApiRequest | null): [StreamedAnswer<T>, () => void] {
  const token = useToken();
  const [answer, setAnswer] = useState<StreamedAnswer<T>>({ is: request ? 'waiting' : 'none' });
  const [times, setTimes] = useState(0);
  const key = request && JSON.stringify(request);
  useEffect(() => {
    if (!key) {
      setAnswer({ is: 'none' });
      return;
    }
    const gone = new AbortController();
    const tell = (news: StreamedAnswer<T>) => {
      if (!gone.signal.aborted) setAnswer(news);
    };
    tell({ is: 'waiting' });
    read<T>(JSON.parse(key) as ApiRequest, text => tell({ is: 'writing', text }), gone.signal).then(
      value => tell({ is: 'here', value }),
      (error: ApiError) => tell({ is: 'failed', error }),
    );
    return () => gone.abort();
  }, [key, token, times]);
  return [answer, useCallback(() => setTimes(n => n + 1), [])];
}
