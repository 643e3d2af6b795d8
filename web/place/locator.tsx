import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { change, type Place, placeText, readPlace } from '../shell/address.ts';
import { keepRecent, recentPlaces } from './recent-places.ts';
import { type Suggestion, stateOf, useSuggestions } from './suggestions.ts';

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

const KINDS: Readonly<Record<Suggestion['kind'], string>> = {
  address: 'Address',
  parcel: 'Parcel',
  owner: 'Owner',
  street: 'Street',
  place: 'Place',
};

/** A line of the list below the box. */
interface Offer {
  readonly kind: string;
  readonly text: string;
  readonly state: State;
}

const LIST = 'locator-list';
const optionId = (i: number) => `locator-option-${i}`;

/** Kinds that no geocoder of addresses resolves: the box goes to the first suggestion instead. */
const NO_ADDRESS: readonly Suggestion['kind'][] = ['parcel', 'owner', 'place'];

/**
 * One box for an address, a parcel number, an owner, a street, a town or a coordinate in either order: it suggests as one types (an ARIA
 * combobox with a list), and offers what was looked for last. @param input is where it is typed.
 */
export function LocatorForm({
  state,
  input,
}: {
  readonly state: State;
  readonly input: RefObject<HTMLInputElement | null>;
}) {
  const text = shownText(state);
  const [typed, setTyped] = useState<string | null>(null);
  const [at, setAt] = useState(-1);
  const list = useRef<HTMLDivElement>(null);
  const near = readPlace(state.at) ?? readPlace(state.map?.split('/').slice(1).join(','));
  const suggested = useSuggestions(typed, near);
  useEffect(() => {
    if (input.current) input.current.value = text;
    setTyped(null);
  }, [text]);
  const recent = (typed ?? '').trim() === '' ? recentPlaces() : [];
  const offers: readonly Offer[] =
    typed === null
      ? []
      : recent.length > 0
        ? recent.map(place => ({ kind: 'Recent', ...place }))
        : suggested.all.map(one => ({ kind: KINDS[one.kind], text: one.text, state: stateOf(one) }));
  const isOpen = offers.length > 0;
  useEffect(() => setAt(-1), [typed, suggested]);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const close = () => setTyped(null);
  const pick = ({ text: picked, state: next }: Offer) => {
    keepRecent({ text: picked, state: next });
    close();
    change(next);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const written = input.current!.value.trim();
    const [best] = suggested.of.trim() === written ? suggested.all : [];
    if (written !== '' && best && NO_ADDRESS.includes(best.kind) && !readPlace(written))
      return pick({ kind: best.kind, text: best.text, state: stateOf(best) });
    const next = written === '' ? { at: '', address: '', apn: '' } : typedPlace(written, state);
    if (next.at || next.address) keepRecent({ text: written, state: next });
    close();
    change(next);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      if (typed === null) setTyped(input.current!.value === text ? '' : input.current!.value);
      // One place more than there are offers: none, where what was typed stands.
      else setAt(((at + 1 + step + offers.length + 1) % (offers.length + 1)) - 1);
    } else if (event.key === 'Enter' && offers[at]) pick(offers[at]);
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
  };
  return (
    <form class="locator" onSubmit={submit}>
      <label class="visually-hidden" for="locator">
        Address or latitude, longitude, parcel number, owner, street or town
      </label>
      <div class="combo">
        <input
          id="locator"
          ref={input}
          role="combobox"
          enterkeyhint="search"
          aria-expanded={isOpen}
          aria-controls={LIST}
          aria-autocomplete="list"
          aria-activedescendant={offers[at] ? optionId(at) : undefined}
          autocomplete="off"
          spellcheck={false}
          maxLength={256}
          placeholder="Address, parcel number, owner, town…"
          onInput={event => setTyped(event.currentTarget.value)}
          onClick={event => event.currentTarget.value === '' && setTyped('')}
          onBlur={close}
          onKeyDown={onKey}
        />
        <div id={LIST} ref={list} class="combo-list" role="listbox" aria-label="Suggestions" hidden={!isOpen}>
          {offers.map((offer, i) => (
            <div
              key={`${offer.kind}${offer.text}${offer.state.at ?? ''}`}
              id={optionId(i)}
              class="offer"
              role="option"
              aria-selected={i === at}
              tabIndex={-1}
              onMouseDown={event => {
                event.preventDefault();
                pick(offer);
              }}
            >
              <span>{offer.text}</span>
              <span class="combo-about">{offer.kind}</span>
            </div>
          ))}
        </div>
      </div>
      <button type="submit">Go</button>
    </form>
  );
}
