import { countiesOf, countyBox } from '../codes/county-boxes.ts';
import { countyFips } from '../codes/county-fips.ts';
import { STATE_FIPS } from '../codes/state-fips.ts';
import type { Definition } from './definition.ts';

/** The `coverage` of a definition, as OpenAddresses writes it. */
export interface WrittenCoverage {
  readonly state?: string;
  readonly county?: string;
  readonly city?: string;
  readonly town?: string;
  readonly place?: string;
  readonly fips?: string;
  readonly 'US Census'?: { readonly geoid?: string };
  readonly geometry?: { readonly type: string; readonly coordinates: unknown };
}

/** Counties whose box holds a point. */
function countiesAt(state: string, [lng, lat]: readonly [number, number]): readonly string[] {
  return countiesOf(state).filter(county => {
    const [west, south, east, north] = countyBox(county)!;
    return lng >= west && lng <= east && lat >= south && lat <= north;
  });
}

/**
 * Tells what a definition covers: by the code of a county, by the names of counties, by what is known of its path, and by a
 * point that lies in the box of one county alone.
 * @param counties of the same path in an earlier edition, which may come from better sources than boxes.
 */
export function coverageOf(
  written: WrittenCoverage,
  counties: readonly string[] = [],
): Pick<Definition, 'scope' | 'state' | 'counties'> {
  const state = written.state?.toUpperCase() ?? null;
  if (state === null) return { scope: 'nation', state, counties: [] };
  const geoid = (written['US Census']?.geoid ?? written.fips ?? '').replace(/\D/g, '');
  const isCity = (written.city ?? written.town ?? written.place) !== undefined;
  const scope = isCity ? 'city' : 'county';
  if (geoid.length === 2) return { scope: 'state', state, counties: [] };
  if (geoid.length === 5) return { scope, state, counties: [geoid] };
  const fips = STATE_FIPS[state] ?? '';
  const named = (written.county ?? '').split(/,| and /).flatMap(name => countyFips(state, fips, name.trim()) ?? []);
  if (named.length > 0) return { scope, state, counties: named };
  if (counties.length > 0) return { scope, state, counties };
  const { geometry } = written;
  const around = geometry?.type === 'Point' ? countiesAt(state, geometry.coordinates as [number, number]) : [];
  if (isCity || written.county !== undefined) return { scope, state, counties: around.length === 1 ? around : [] };
  return { scope: 'state', state, counties: [] };
}
