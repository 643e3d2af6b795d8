import type { RefObject } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ApiError } from '../api/api-error.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { ask } from '../api/request.ts';
import { useSeen } from '../shell/seen.ts';
import { useToken } from '../shell/session.ts';

/** Milliseconds between looks for what was begun, or became of it, elsewhere. */
const EVERY_MS = 20_000;

/** What the account has of one kind. */
export interface OwnList<T> {
  /** Newest first; null before the first page has come. */
  readonly entries: readonly T[] | null;
  readonly error: ApiError | null;
  /** Whether older ones follow. */
  readonly more: boolean;
  /** Shows a page more. */
  readonly next: () => void;
  /** Reads it again. */
  readonly again: () => void;
  /** The section that shows it: nothing is read before somebody comes to it. */
  readonly section: RefObject<HTMLElement | null>;
}

type Page = Readonly<Record<string, unknown>> & { readonly next_cursor: string | null };

/**
 * Lists what the account has, whoever began it, and reads the pages that are shown again and again.
 * @param request of the first page. @param name of the entries in a page.
 */
export function useOwnList<T>(request: ApiRequest, name: string): OwnList<T> {
  const token = useToken();
  const [entries, setEntries] = useState<readonly T[] | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [more, setMore] = useState(false);
  const [pages, setPages] = useState(1);
  const [times, setTimes] = useState(0);
  const [section, isSeen] = useSeen<HTMLElement>();
  useEffect(() => {
    if (!isSeen) return;
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      const found: T[] = [];
      let cursor: string | null = '';
      for (let i = 0; i < pages && cursor !== null; i++) {
        const path: string = cursor === '' ? request.path : `${request.path}?cursor=${cursor}`;
        const page: Page = await ask<Page>({ ...request, path }, gone.signal);
        found.push(...(page[name] as T[]));
        cursor = page.next_cursor;
      }
      setEntries(found);
      setMore(cursor !== null);
      setError(null);
    };
    const look = async () => {
      // Who does not look at the page is told when they come back.
      if (document.visibilityState === 'visible')
        await read().catch((problem: ApiError) => {
          if (!gone.signal.aborted) setError(problem);
        });
      if (!gone.signal.aborted) timer = setTimeout(look, EVERY_MS);
    };
    void look();
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [isSeen, request, name, token, pages, times]);
  return {
    entries,
    error,
    more,
    next: useCallback(() => setPages(n => n + 1), []),
    again: useCallback(() => setTimes(n => n + 1), []),
    section,
  };
}
