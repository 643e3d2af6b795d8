import { useEffect, useState } from 'preact/hooks';

/** The views, by their paths. What each shows stands behind `#`, so that it reaches no server's log. */
export const PATHS = { place: '/', search: '/search', parcel: '/parcel', ask: '/ask', console: '/console' } as const;
export type View = keyof typeof PATHS;

/** What is shown: a view and what it is asked about. */
export interface Address {
  readonly view: View;
  readonly state: Readonly<Record<string, string>>;
}

const viewAt = (path: string): View =>
  (Object.keys(PATHS) as View[]).find(view => PATHS[view] === path.replace(/(?<=.)\/$/, '')) ?? 'place';

/** Reads the address bar. */
function readAddress(): Address {
  const state = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  return { view: viewAt(location.pathname), state };
}

/** The address of a view, to link to; empty values are left out. */
export function hrefOf({ view, state }: Address): string {
  const filled = Object.entries(state).filter(([, value]) => value !== '');
  // Commas and slashes may stand as they are, and are easier to read so.
  const text = new URLSearchParams(filled).toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
  return PATHS[view] + (text === '' ? '' : `#${text}`);
}

const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};
addEventListener('popstate', tell);

/** Shows another address. @param replace whether the one before is forgotten. */
export function go(address: Address, replace = false): void {
  const href = hrefOf(address);
  if (href === location.pathname + location.hash) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', href);
  tell();
}

/** Changes parts of what the current view is asked about; an empty value takes one away. */
export function change(parts: Readonly<Record<string, string>>, replace = false): void {
  const { view, state } = readAddress();
  go({ view, state: { ...state, ...parts } }, replace);
}

/** Calls back each time the address changes. @returns a function that stops it. */
export function followAddress(listener: (address: Address) => void): () => void {
  const read = () => listener(readAddress());
  listeners.add(read);
  return () => {
    listeners.delete(read);
  };
}

/** The address that is shown; the component is drawn again when it changes. */
export function useAddress(): Address {
  const [address, setAddress] = useState(readAddress);
  useEffect(() => {
    const read = () => setAddress(readAddress());
    listeners.add(read);
    return () => {
      listeners.delete(read);
    };
  }, []);
  return address;
}

/** A place on the ground, degrees. */
export interface Place {
  readonly lat: number;
  readonly lng: number;
}

/**
 * Reads a coordinate; null where it is none. Latitude comes first but where only the other order can be meant: what is north of the
 * equator and west of Greenwich has a positive latitude and a negative longitude.
 */
export function readPlace(text: string | undefined): Place | null {
  const match = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*[,; ]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text ?? '');
  if (!match) return null;
  const [first, second] = [Number(match[1]), Number(match[2])];
  const isTurned = Math.abs(first) > 90 || (first < 0 && second > 0 && second <= 90);
  return isTurned ? { lat: second, lng: first } : { lat: first, lng: second };
}

/** A place as addresses and text have it: five decimals are a metre. */
export const placeText = ({ lat, lng }: Place): string => `${lat.toFixed(5)},${lng.toFixed(5)}`;
