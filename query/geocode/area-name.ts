import { STATE_FIPS } from '../../datasets/codes/state-fips.ts';
import type { ParsedAddress } from './address/address.ts';
import { cityKey, withoutKind } from './address/city.ts';
import { stateOf, stateOfZip } from './address/state.ts';
import type { AddressIndex } from './index/address-index.ts';
import { ONE_CITY } from './localise.ts';
import type { AreaKind } from './match.ts';

/** States, the District, and the territories that are answered. */
const isAnswered = (state: string) => Object.hasOwn(STATE_FIPS, state) || state === 'PR' || state === 'GU';

/** The names that an address may be as a whole, each with the state behind it. */
function names({ located, behindZip }: ParsedAddress): { readonly name: string; readonly state: string | null }[] {
  return [...located, ...behindZip].flatMap(({ state, readings }) =>
    readings.flatMap(({ street, city }) => (street === null && city !== null ? [{ name: city, state }] : [])),
  );
}

const COUNTRY = /,? *(?:USA?|U S A|UNITED STATES(?: OF AMERICA)?)$/;

/** Whether an address is a state's name or code and nothing more but its ZIP code or country. */
export function isState(parsed: ParsedAddress): boolean {
  const text = parsed.text.replace(COUNTRY, '').replace(/,? *\d{5}(?:-\d{4})?$/, '');
  return [{ name: text, state: null }, ...names(parsed)].some(({ name, state }) => {
    const named = stateOf(name) ?? stateOf(withoutKind(name));
    return named !== null && isAnswered(named) && (state === null || state === named);
  });
}

/**
 * The kind of area that an address names and nothing more: a state by its name or code, a ZIP code by its state or by the
 * layers, a county or city by the layers. It needs no outline of the area, so that no release answers otherwise.
 * @param indexes those of the layers that hold addresses, with their states; asked only where the text alone does not tell.
 */
export async function areaNamed(
  parsed: ParsedAddress,
  indexes: () => AsyncIterable<readonly [index: AddressIndex, state: string | null]>,
): Promise<AreaKind | null> {
  const { text, zip } = parsed;
  if (isState(parsed)) return 'state';
  const alone = zip !== null && !/[A-Z]/.test(text.replace(COUNTRY, ''));
  if (alone && stateOfZip(zip) !== null) return 'place';
  const wanted = names(parsed);
  if (!alone && !wanted.length) return null;
  if (wanted.some(({ name, state }) => state !== null && ONE_CITY[state] === withoutKind(name))) return 'place';
  for await (const [{ named }, of] of indexes()) {
    if (alone && named.zips.has(zip)) return 'place';
    const there = wanted.filter(({ state }) => state === null || of === null || state === of);
    if (there.some(({ name }) => named.cities.has(cityKey(name)) || named.cities.has(cityKey(withoutKind(name)))))
      return 'place';
    if (there.some(({ name }) => named.counties.has(cityKey(withoutKind(name))))) return 'county';
  }
  return null;
}
