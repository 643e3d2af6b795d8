import { useEffect, useState } from 'preact/hooks';
import { ask } from '../api/request.ts';
import { type Place, placeText } from '../shell/address.ts';

/** What a text may mean, from GET /v1/suggest. */
export interface Suggestion {
  readonly kind: 'address' | 'parcel' | 'owner' | 'street' | 'place';
  readonly text: string;
  readonly lat: number;
  readonly lng: number;
}

/** Milliseconds without a key before suggestions are asked for. */
const PAUSE_MS = 120;
const LEAST_LETTERS = 2;
const MOST_LETTERS = 256;
const LIMIT = 8;
/** Zoom at which a town is seen as a whole. */
const TOWN_ZOOM = 13;

/** Suggestions for a text, the nearest of one grade first. @throws ApiError, AbortError. */
export async function suggestionsFor(text: string, near: Place | null, signal?: AbortSignal): Promise<Suggestion[]> {
  const q = text.trim().slice(0, MOST_LETTERS);
  if (q.length < LEAST_LETTERS) return [];
  const about = near && { lat: near.lat.toFixed(5), lng: near.lng.toFixed(5) };
  const query = new URLSearchParams({ q, limit: String(LIMIT), ...about });
  const { suggestions } = await ask<{ suggestions: Suggestion[] }>(
    { method: 'GET', path: `/v1/suggest?${query}` },
    signal,
  );
  return suggestions;
}

/** The suggestions of a text, and which text that is. */
interface Suggested {
  readonly of: string;
  readonly all: readonly Suggestion[];
}

/** Suggestions as one types. What cannot be had is not suggested. @param text null asks nothing. */
export function useSuggestions(text: string | null, near: Place | null): Suggested {
  const [suggested, setSuggested] = useState<Suggested>({ of: '', all: [] });
  const at = near && placeText(near);
  useEffect(() => {
    if (text === null || text.trim().length < LEAST_LETTERS) {
      setSuggested({ of: text ?? '', all: [] });
      return;
    }
    const gone = new AbortController();
    const timer = setTimeout(() => {
      suggestionsFor(text, near, gone.signal).then(
        all => setSuggested({ of: text, all }),
        () => gone.signal.aborted || setSuggested({ of: text, all: [] }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [text, at]);
  return suggested;
}

/** What the address bar says of a suggestion that was picked. */
export function stateOf({ kind, text, lat, lng }: Suggestion): Readonly<Record<string, string>> {
  const apn = kind === 'parcel' ? text.split(', ')[0]! : '';
  const chosen = { at: placeText({ lat, lng }), address: '', apn };
  return kind === 'place' ? { ...chosen, map: `${TOWN_ZOOM}/${lat.toFixed(5)}/${lng.toFixed(5)}` } : chosen;
}
