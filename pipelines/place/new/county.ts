import { countiesOf, countyBox } from '../../../datasets/codes/county-boxes.ts';
import { countyFips, countyName } from '../../../datasets/codes/county-fips.ts';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import { STATE_NAMES } from '../../../datasets/codes/state-names.ts';
import { boxesMeet } from '../../../datasets/geometry.ts';
import { UsageError } from '../../../query/engine/command.ts';
import { nearestNames } from '../../../query/format/nearest-names.ts';
import { countiesAbout, isPresent, OUTLINE_ACCURACY_M } from './county-outline.ts';
import type { CountyOfPlace } from './source-layer.ts';

const EXPECTED = 'expected the five digits of a county (23019), its name and state ("Penobscot, ME"), or "lat, lng"';

function byCode(county: string): CountyOfPlace | null {
  const state = Object.keys(STATE_FIPS).find(code => county.startsWith(STATE_FIPS[code]!));
  if (state === undefined || !countyBox(county)) return null;
  return { state, county, name: countyName(state, county.slice(2)) };
}

const shown = ({ county, name, state }: CountyOfPlace) => (name === null ? county : `${county} (${name}, ${state})`);

const listed = (counties: readonly CountyOfPlace[]): string =>
  counties.length < 2
    ? counties.map(shown).join()
    : `${counties.slice(0, -1).map(shown).join(', ')} or ${shown(counties.at(-1)!)}`;

/** Counties with a name, of a state or of all. */
const named = (state?: string): readonly CountyOfPlace[] =>
  countiesOf(state).flatMap(county => {
    const of = byCode(county);
    return of?.name ? [of] : [];
  });

/** Counties whose name, or name and state, is like a text, the likest first. */
function nearest(text: string, among: readonly CountyOfPlace[]): readonly CountyOfPlace[] {
  const byName = Map.groupBy(among, ({ name }) => name!);
  return nearestNames(text.replace(/\b(?:county|parish|borough)\b/gi, ''), byName.keys())
    .flatMap(name => byName.get(name)!)
    .slice(0, 3);
}

/** A name without the word County and its like, in one spelling. */
const plain = (name: string) =>
  name
    .toLowerCase()
    .replace(/ (?:county|parish|borough)$/, '')
    .replace(/[^a-z]/g, '');

type Wrong = (what: string, meant?: readonly CountyOfPlace[]) => UsageError;

/** The state of a text: two letters, or its name. */
const stateOf = (text: string): string | undefined =>
  Object.keys(STATE_NAMES).find(
    code => code === text.toUpperCase() || STATE_NAMES[code]!.toLowerCase() === text.toLowerCase(),
  );

/** The county at a place, if the outlines are exact enough to tell it. */
function atPoint(lat: number, lng: number, wrong: Wrong): CountyOfPlace {
  const near = countiesAbout(lng, lat)
    .filter(({ metres }) => metres <= OUTLINE_ACCURACY_M)
    .flatMap(({ county }) => byCode(county) ?? []);
  if (near.length === 1) return near[0]!;
  if (near.length === 0) throw wrong('lies in no county of the United States');
  throw wrong(`lies so near a boundary that it may be of ${listed(near)}: give one of these codes`);
}

/** A county that there still is. */
function present(of: CountyOfPlace, wrong: Wrong): CountyOfPlace {
  if (isPresent(of.county)) return of;
  const box = countyBox(of.county);
  const meeting = countiesOf(of.state).filter(county => box && isPresent(county) && boxesMeet(countyBox(county)!, box));
  throw wrong(
    'is a county of the past, which the Census Bureau publishes no more',
    meeting.flatMap(county => byCode(county) ?? []),
  );
}

function byName(name: string, of: string, wrong: Wrong): CountyOfPlace {
  const state = stateOf(of);
  if (state === undefined) {
    const states = nearestNames(of, Object.values(STATE_NAMES)).flatMap(one => stateOf(one) ?? []);
    const meant = states.flatMap(code => named(code).filter(one => plain(one.name!) === plain(name)));
    throw wrong(`names no state ("${of}")`, meant.length > 0 ? meant : nearest(name, named()));
  }
  const county = countyFips(state, STATE_FIPS[state]!, name);
  if (county !== null) return present({ state, county, name: countyName(state, county.slice(2)) }, wrong);
  const equal = named(state).filter(one => plain(one.name!) === plain(name));
  if (equal.length > 1) throw wrong(`names several counties of ${STATE_NAMES[state]}`, equal);
  const near = nearest(name, named(state));
  const elsewhere = named().filter(one => plain(one.name!) === plain(name));
  throw wrong(`names no county of ${STATE_NAMES[state]}`, [...near, ...elsewhere].slice(0, 3));
}

/**
 * Finds the county that somebody means.
 * @param text five digits, name and state, or a latitude and a longitude in degrees.
 * @throws UsageError when it means none, or several; it names the nearest.
 */
export function countyOf(text: string): CountyOfPlace {
  const wrong: Wrong = (what, meant = []) =>
    new UsageError(`"${text}" ${what}${meant.length > 0 ? `; nearest: ${listed(meant)}` : ''}; ${EXPECTED}`);
  const told = text.trim();
  if (/^\d+$/.test(told)) {
    const county = byCode(told.padStart(5, '0'));
    if (told.length === 5 && county) return present(county, wrong);
    if (told.length === 4 && county) throw wrong('has lost its leading zero', [county]);
    const state = Object.keys(STATE_FIPS).find(code => told.length === 5 && told.startsWith(STATE_FIPS[code]!));
    const codes = state === undefined ? [] : countiesOf(state);
    const near = codes.toSorted((a, b) => Math.abs(Number(a) - Number(told)) - Math.abs(Number(b) - Number(told)));
    throw wrong(
      'is the code of no county',
      near.slice(0, 3).flatMap(code => byCode(code) ?? []),
    );
  }
  const point = /^([-+]?\d+(?:\.\d+)?)\s*[,\s]\s*([-+]?\d+(?:\.\d+)?)$/.exec(told);
  if (point) {
    // A longitude of the United States is no latitude, so the order is certain.
    const [a, b] = [Number(point[1]), Number(point[2])];
    return a < 0 || a > 90 ? atPoint(b, a, wrong) : atPoint(a, b, wrong);
  }
  const [, name, of] = /^(.+?)\s*,\s*([A-Za-z. ]+)$/.exec(told) ?? [];
  if (name !== undefined && of !== undefined) return byName(name, of.trim(), wrong);
  throw wrong('names no county with its state', nearest(told, named()));
}
