import type { ParsedAddress } from './address/address.ts';
import { stateNameOf, stateOf, stateOfZip } from './address/state.ts';
import type { Area, Localities } from './locality.ts';
import type { AddressMatch } from './match.ts';

const match = (
  area: Area,
  accuracyType: 'place' | 'county' | 'state',
  text: string,
  state: string | null,
  zip: string | null,
): AddressMatch => ({
  lng: area.lng,
  lat: area.lat,
  similarity: 1,
  accuracyType,
  matchType: 'centroid',
  normalizedAddress: text,
  source: area.source,
  city: accuracyType === 'place' && zip === null ? area.name : null,
  state,
  zip,
  countyFips: area.countyFips,
});

/**
 * Centroids of what an address names when it names no street: a city, a ZIP code area, a county or a state. They are
 * too coarse to be answered with, and say so by their accuracy type.
 */
export async function coarseMatches(parsed: ParsedAddress, localities: Localities): Promise<AddressMatch[]> {
  const found: AddressMatch[] = [];
  if (!/[A-Z]/.test(parsed.text.replace(/\bUSA?$/, ''))) {
    if (parsed.zip === null) return [];
    for (const area of await localities.named('zcta520', parsed.zip, null))
      found.push(match(area, 'place', parsed.zip, null, parsed.zip));
    // Without its area a ZIP code still tells the state.
    const state = found.length ? null : stateOfZip(parsed.zip);
    if (state !== null)
      for (const area of await localities.named('state', stateNameOf(state), null))
        found.push(match(area, 'state', area.name, state, null));
  }
  for (const { state, readings } of parsed.located)
    for (const { street, city } of readings) {
      if (street !== null || city === null) continue;
      for (const area of await localities.named('place', city, state))
        found.push(match(area, 'place', [area.name, area.state].filter(Boolean).join(', '), area.state, null));
      if (found.length) continue;
      for (const area of await localities.named('county', city, state))
        found.push(match(area, 'county', [area.name, area.state].filter(Boolean).join(', '), area.state, null));
      const named = stateOf(city);
      if (named !== null)
        for (const area of await localities.named('state', stateNameOf(named), null))
          found.push(match(area, 'state', area.name, named, null));
    }
  return found;
}
