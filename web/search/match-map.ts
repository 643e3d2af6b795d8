import { useEffect, useState } from 'preact/hooks';
import { ask } from '../api/request.ts';
import { useToken } from '../shell/session.ts';

interface SetTiles {
  readonly tiles: string;
  readonly expires_at: string;
}

/** Milliseconds before a map ends at which another one is asked for. */
const SPARE_MS = 60_000;

/**
 * The address of tiles with all matches of a search, on this page's own server; null while there is none. A list is right without it:
 * what cannot be drawn is not told.
 * @param filters of the search; null asks for nothing.
 */
export function useMatchMap(filters: readonly object[] | null): string | null {
  const token = useToken();
  const key = filters && JSON.stringify(filters);
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    setAddress(null);
    if (!key) return;
    const gone = new AbortController();
    let timer = 0;
    const make = () => {
      const body = { filters: JSON.parse(key) as object[] };
      ask<SetTiles>({ method: 'POST', path: '/v1/search/tiles', body }, gone.signal).then(
        ({ tiles, expires_at: end }) => {
          setAddress(new URL(tiles).pathname.replace(/%7B/gi, '{').replace(/%7D/gi, '}'));
          timer = window.setTimeout(make, Math.max(SPARE_MS, Date.parse(end) - Date.now() - SPARE_MS));
        },
        () => {},
      );
    };
    make();
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [key, token]);
  return address;
}
