import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { change, type Place, placeText, readPlace } from '../shell/address.ts';

/** How a request names its place; null where none was chosen. */
export type Locator = Place | { readonly address: string } | null;

/** The place that the address bar names: a point of the map, or an address. */
export function locatorOf({ at, address }: Readonly<Record<string, string>>): Locator {
  return readPlace(at) ?? (address ? { address } : null);
}

type State = Readonly<Record<string, string>>;

/** The place of the address bar as the form shows it. */
const shownText = ({ at, address }: State): string => (at ? at.replace(',', ', ') : (address ?? ''));

/** What the address bar shall say of a place that was typed; nothing where none was, or where it says so already. */
export function typedPlace(text: string, state: State): State {
  const typed = text.trim();
  if (typed === '' || typed === shownText(state)) return {};
  const place = readPlace(typed);
  return place ? { at: placeText(place), address: '', apn: '' } : { at: '', address: typed, apn: '' };
}

/** Asks for an address or a coordinate. @param input is where it is typed. */
export function LocatorForm({
  state,
  input,
}: {
  readonly state: State;
  readonly input: RefObject<HTMLInputElement | null>;
}) {
  const text = shownText(state);
  useEffect(() => {
    if (input.current) input.current.value = text;
  }, [text]);
  const submit = (event: Event) => {
    event.preventDefault();
    const typed = input.current!.value;
    change(typed.trim() === '' ? { at: '', address: '', apn: '' } : typedPlace(typed, state));
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
