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

/** The ground that a definition covers. */
export type CoverageOfDefinition = Pick<Definition, 'scope' | 'state' | 'counties' | 'place' | 'city' | 'contradicts'>;

/** The name of a definition's file as words. */
export const fileWords = (path: string) =>
  path
    .replace(/^.*\//, '')
    .replace(/\.json$/, '')
    .replace(/[_-]/g, ' ');

/** The county that a city is by itself: an independent city, or a county of the city's name that the definition means. */
function countyOfCity(state: string, city: string, code: string | null, { county }: WrittenCoverage, words: string) {
  const fips = STATE_FIPS[state] ?? '';
  const independent = countyFips(state, fips, `${city} city`);
  if (independent !== null) return independent;
  const isMeant = county === undefined || countyFips(state, fips, words) === code;
  return code !== null && isMeant && countyFips(state, fips, city) === code ? code : null;
}

/**
 * Tells what a definition covers: by the names of counties, by the code of a county, by what is known of its path, and by a
 * point that lies in the box of one county alone. A code is mistyped sooner than a name, so a name that is that of a county wins,
 * and the name of the file wins over both: definitions are copied from a neighbor's. What they say else is told.
 * @param counties of the same path in an earlier edition, which may come from better sources than boxes.
 */
export function coverageOf(
  written: WrittenCoverage,
  path: string,
  counties: readonly string[] = [],
): CoverageOfDefinition {
  const state = written.state?.toUpperCase() ?? null;
  if (state === null) return { scope: 'nation', state, counties: [] };
  const fips = STATE_FIPS[state] ?? '';
  const geoid = (written['US Census']?.geoid ?? written.fips ?? '').replace(/\D/g, '');
  if (geoid.length === 2) return { scope: 'state', state, counties: [] };
  const city = written.city ?? written.town ?? written.place;
  const place =
    geoid.length === 7 && geoid.startsWith(fips) ? { place: geoid, ...(city ? { city: city.trim() } : {}) } : {};
  const code = geoid.length === 5 && geoid.startsWith(fips) && countyBox(geoid) ? geoid : null;
  const words = fileWords(path);
  // A city that is a borough, too, has the code of the city.
  const isCity = city !== undefined || ('place' in place && countyFips(state, fips, words) === null);
  const own = city === undefined ? null : countyOfCity(state, city, code, written, words);
  if (own !== null) return { scope: 'county', state, counties: [own], ...contradiction([own], geoid) };
  const scope = isCity ? 'city' : 'county';
  const { county } = written;
  const whole = countyFips(state, fips, county ?? '');
  const named = whole
    ? [whole]
    : (county ?? '').split(/,| and /).flatMap(name => countyFips(state, fips, name.trim()) ?? []);
  const ofFile = isCity || named.length !== 1 ? null : countyFips(state, fips, words);
  if (ofFile !== null) return { scope, state, counties: [ofFile], ...contradiction([ofFile], geoid, named) };
  if (named.length > 0) return { scope, state, counties: named, ...place, ...contradiction(named, geoid) };
  const { geometry } = written;
  const around = geometry?.type === 'Point' ? countiesAt(state, geometry.coordinates as [number, number]) : [];
  if (code !== null && (around.length === 0 || around.includes(code))) return { scope, state, counties: [code] };
  if (code === null && counties.length > 0) return { scope, state, counties, ...place };
  if (isCity || county !== undefined || code !== null) {
    const only = around.length === 1 ? around : [];
    return { scope, state, counties: only, ...place, ...contradiction(only, geoid) };
  }
  return { scope: 'state', state, counties: [] };
}

/** Codes of counties that a definition has although it is of others. */
function contradiction(counties: readonly string[], geoid: string, named: readonly string[] = []) {
  const others = [...new Set([...(geoid.length === 5 ? [geoid] : []), ...named])].filter(
    one => !counties.includes(one),
  );
  return others.length > 0 ? { contradicts: others } : {};
}
