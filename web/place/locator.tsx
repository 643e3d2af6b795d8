import { useEffect, useRef } from 'preact/hooks';
import { change, type Place, placeText, readPlace } from '../shell/address.ts';

/** How a request names its place; null where none was chosen. */
export type Locator = Place | { readonly address: string } | null;

/** The place that the address bar names: a point of the map, or an address. */
export function locatorOf({ at, address }: Readonly<Record<string, string>>): Locator {
  return readPlace(at) ?? (address ? { address } : null);
}

/** Asks for an address or a coordinate. */
export function LocatorForm({ state }: { readonly state: Readonly<Record<string, string>> }) {
  const input = useRef<HTMLInputElement>(null);
  const text = state.at ? state.at.replace(',', ', ') : (state.address ?? '');
  useEffect(() => {
    if (input.current) input.current.value = text;
  }, [text]);
  const submit = (event: Event) => {
    event.preventDefault();
    const typed = input.current!.value.trim();
    const place = readPlace(typed);
    change(place ? { at: placeText(place), address: '' } : { at: '', address: typed });
  };
  return (
    <form class="locator" onSubmit={submit}>
      <label class="visually-hidden" for="locator">
        Address or latitude, longitude
      </label>
      <input
        id="locator"
        ref={input}
        type="search"
        autocomplete="off"
        spellcheck={false}
        maxLength={256}
        placeholder="Address, or latitude, longitude"
      />
      <button type="submit">Go</button>
    </form>
  );
}
