import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { ask } from '../api/request.ts';
import type { AreaGeometry } from '../map/scene.ts';
import { useToken } from '../shell/session.ts';

/** A parcel that was found. */
export interface Match {
  readonly apn: string | null;
  readonly address: string | null;
  readonly city: string | null;
  readonly county: string | null;
  readonly acreage: number | null;
  readonly analysis_point: { readonly lat: number; readonly lng: number };
  readonly fields: Readonly<Record<string, unknown>> & { readonly geometry?: AreaGeometry | null };
  readonly field_status: Readonly<Record<string, string>>;
}

interface Page {
  readonly matches: readonly Match[];
  readonly status: 'complete' | 'limited' | 'partial';
  readonly completion_reason: string;
  readonly next_cursor: string | null;
}

/** The pages of a search that were fetched so far. */
export interface Pages {
  readonly matches: readonly Match[];
  /** Pages that have come. */
  readonly count: number;
  /** Of the last page; null before the first. */
  readonly last: Page | null;
  readonly waiting: boolean;
  /** The request of the last page. */
  readonly request: ApiRequest | null;
  readonly error: ApiError | null;
  readonly next: () => void;
  readonly again: () => void;
}

/**
 * Searches page after page.
 * @param request of the first page; null searches nothing. @param count pages that are fetched at once.
 */
export function usePages(request: ApiRequest | null, count: number): Pages {
  const token = useToken();
  const key = request && JSON.stringify(request);
  const [pages, setPages] = useState<readonly Page[]>([]);
  const [waiting, setWaiting] = useState(request !== null);
  const [error, setError] = useState<ApiError | null>(null);
  const [times, setTimes] = useState(0);
  const under = useRef<AbortController | null>(null);
  const requestAfter = (before: readonly Page[]): ApiRequest => {
    const first = JSON.parse(key!) as ApiRequest;
    const cursor = before.at(-1)?.next_cursor;
    return { ...first, body: { ...(first.body as object), ...(cursor && { cursor }) } };
  };
  const fetchPage = (before: readonly Page[]) => {
    under.current?.abort();
    const gone = new AbortController();
    under.current = gone;
    setWaiting(true);
    setError(null);
    ask<Page>(requestAfter(before), gone.signal)
      .then(
        page => {
          const fetched = [...before, page];
          setPages(fetched);
          if (page.next_cursor !== null && fetched.length < count) fetchPage(fetched);
        },
        (problem: ApiError) => {
          if (!gone.signal.aborted) setError(problem);
        },
      )
      .finally(() => {
        // Another page may be under way already.
        if (under.current === gone) setWaiting(false);
      });
  };
  useEffect(() => {
    setPages([]);
    setError(null);
    setWaiting(false);
    if (key) fetchPage([]);
    return () => under.current?.abort();
  }, [key, token, times]);
  return {
    matches: pages.flatMap(({ matches }) => matches),
    count: pages.length,
    last: pages.at(-1) ?? null,
    waiting,
    request: key ? requestAfter(pages.slice(0, -1)) : null,
    error,
    next: () => fetchPage(pages),
    again: () => setTimes(n => n + 1),
  };
}
