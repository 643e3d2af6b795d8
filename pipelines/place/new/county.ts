import { countiesOf, countyBox } from '../../../datasets/codes/county-boxes.ts';
import { countyFips, countyName } from '../../../datasets/codes/county-fips.ts';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import { STATE_NAMES } from '../../../datasets/codes/state-names.ts';
import { UsageError } from '../../../query/engine/command.ts';
import { nearestNames } from '../../../query/format/name/nearest-names.ts';
import { countiesAbout, isPresent, OUTLINE_ACCURACY_M } from './county-outline.ts';
import type { CountyOfPlace } from './source-layer.ts';

/** Counties that were renamed or taken into another one since 1997 (Census Bureau), and the code of what has their ground. */
const FORMER: readonly { readonly was: string; readonly state: string; readonly name: string; readonly now: string }[] =
  [
    { was: '02270', state: 'AK', name: 'Wade Hampton', now: '02158' },
    { was: '12025', state: 'FL', name: 'Dade', now: '12086' },
    { was: '46113', state: 'SD', name: 'Shannon', now: '46102' },
    { was: '51515', state: 'VA', name: 'Bedford city', now: '51019' },
    { was: '51560', state: 'VA', name: 'Clifton Forge city', now: '51005' },
  ];

/** Counties that were divided since 2019 (Census Bureau), and the codes of what has their ground, town by town. */
const DIVIDED: Readonly<Record<string, readonly string[]>> = {
  // Valdez-Cordova became Chugach and Copper River.
  '02261': ['02063', '02066'],
  // Connecticut's counties became its planning regions, whose borders are others.
  '09001': ['09120', '09140', '09190'],
  '09003': ['09110', '09140', '09160'],
  '09005': ['09140', '09160', '09190'],
  '09007': ['09130'],
  '09009': ['09140', '09170'],
  '09011': ['09130', '09150', '09180'],
  '09013': ['09110', '09150'],
  '09015': ['09150', '09180'],
};

/** Names by which people know a county beside its own, by state. */
const EVERYDAY_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DC: { washington: 'District of Columbia' },
  NY: { brooklyn: 'Kings', manhattan: 'New York', statenisland: 'Richmond' },
};

/** Territories by postal code: their FIPS code and name. */
const TERRITORIES: Readonly<Record<string, readonly [string, string]>> = {
  AS: ['60', 'American Samoa'],
  GU: ['66', 'Guam'],
  MP: ['69', 'Northern Mariana Islands'],
  PR: ['72', 'Puerto Rico'],
  VI: ['78', 'Virgin Islands'],
};

const SCOPE = 'the 50 states and the District of Columbia';
const ONLY = `a place can be of a county of ${SCOPE}`;
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

/** A name in the order of words and the spelling of the Census Bureau. */
const spelled = (name: string) =>
  name
    .replace(/^(?:city and (?:borough|county)|municipality|county|parish|borough) of (?=.)/i, '')
    .replace(/^city of (.+)$/i, '$1 city')
    .replace(/ (?:planning region|census area|municipality|city and (?:borough|county))$/i, '')
    .replace(/\s*&\s*/g, ' and ')
    .replace(/^sainte /i, 'Ste. ');

type Wrong = (what: string, meant?: readonly CountyOfPlace[]) => UsageError;

/** The state of a text: two letters, or its name, with or without points. */
function stateOf(text: string): string | undefined {
  const wanted = text.replaceAll('.', '').toLowerCase();
  return Object.keys(STATE_NAMES).find(
    code => code.toLowerCase() === wanted || STATE_NAMES[code]!.toLowerCase() === wanted,
  );
}

/** The territory of a text: two letters, or its name. */
const territoryOf = (text: string): string | undefined =>
  Object.entries(TERRITORIES).find(([code, [, name]]) =>
    [code, name].some(one => one.toLowerCase() === text.replaceAll('.', '').toLowerCase()),
  )?.[1][1];

/** The name of a county and its state, divided by a comma or by blanks; null where no state ends the text. */
function partsOf(text: string): readonly [string, string] | null {
  const [, name, state] = /^(.+?)\s*,\s*([A-Za-z. ]+)$/.exec(text) ?? [];
  if (name !== undefined && state !== undefined) return [name, state.trim()];
  const words = text.split(/\s+/);
  for (const count of [3, 2, 1].filter(n => n < words.length)) {
    const last = words.slice(-count).join(' ');
    if (stateOf(last) ?? territoryOf(last)) return [words.slice(0, -count).join(' '), last];
  }
  return null;
}

/** The county at a place, if the outlines are exact enough to tell it. */
function atPoint(lat: number, lng: number, wrong: Wrong): CountyOfPlace {
  const near = countiesAbout(lng, lat)
    .filter(({ metres }) => metres <= OUTLINE_ACCURACY_M)
    .flatMap(({ county }) => byCode(county) ?? []);
  if (near.length === 1) return near[0]!;
  if (near.length === 0) throw wrong(`lies in no county of ${SCOPE}`);
  throw wrong(`lies so near a boundary that it may be of ${listed(near)}: give one of these codes`);
}

const PAST = 'is a county of the past, which the Census Bureau publishes no more';

/** A county that there still is. */
function present(of: CountyOfPlace, wrong: Wrong): CountyOfPlace {
  if (isPresent(of.county)) return of;
  throw wrong(
    PAST,
    (DIVIDED[of.county] ?? []).flatMap(county => byCode(county) ?? []),
  );
}

function byName(name: string, of: string, wrong: Wrong): CountyOfPlace {
  const state = stateOf(of);
  if (state === undefined) {
    const territory = territoryOf(of);
    if (territory !== undefined) throw wrong(`lies in ${territory}; ${ONLY}`);
    const states = nearestNames(of, Object.values(STATE_NAMES)).flatMap(one => stateOf(one) ?? []);
    const meant = states.flatMap(code => named(code).filter(one => plain(one.name!) === plain(name)));
    throw wrong(`names no state ("${of}")`, meant.length > 0 ? meant : nearest(name, named()));
  }
  const fips = STATE_FIPS[state]!;
  const own = EVERYDAY_NAMES[state]?.[plain(name)] ?? spelled(name);
  const county = countyFips(state, fips, own);
  const city = countyFips(state, fips, `${own} city`);
  const isBare = plain(own) === own.toLowerCase().replace(/[^a-z]/g, '');
  // Without a word, neither a county nor the city of its name is meant for sure.
  if (county !== null && city !== null && isBare)
    throw wrong(
      `may be the county or the city of that name ("${own} County, ${state}" or "${own} city, ${state}")`,
      [county, city].flatMap(code => byCode(code) ?? []),
    );
  const code = county ?? (isBare ? city : null);
  if (code !== null) return present({ state, county: code, name: countyName(state, code.slice(2)) }, wrong);
  const former = FORMER.find(one => one.state === state && plain(one.name) === plain(own));
  if (former) throw wrong(PAST, [byCode(former.now)!]);
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
    const territory = Object.values(TERRITORIES).find(([digits]) => told.length === 5 && told.startsWith(digits));
    if (territory) throw wrong(`lies in ${territory[1]}; ${ONLY}`);
    const former = FORMER.find(({ was }) => was === told);
    if (former) throw wrong(PAST, [byCode(former.now)!]);
    if (told.length === 4 && county) throw wrong('has lost its leading zero', [county]);
    const state = Object.keys(STATE_FIPS).find(code => told.length === 5 && told.startsWith(STATE_FIPS[code]!));
    if (state !== undefined && told.endsWith('999'))
      throw wrong(
        'is a made-up county; the synthetic area, which has such, is built in: plat ingest run --place synthetic',
      );
    const codes = state === undefined ? [] : countiesOf(state);
    const near = codes.toSorted((a, b) => Math.abs(Number(a) - Number(told)) - Math.abs(Number(b) - Number(told)));
    throw wrong(
      'is the code of no county',
      near.slice(0, 3).flatMap(code => byCode(code) ?? []),
    );
  }
  const point = /^([-+]?\d+(?:\.\d+)?)°?\s*([NSEW]?)\s*[,;\s]\s*([-+]?\d+(?:\.\d+)?)°?\s*([NSEW]?)$/i.exec(told);
  if (point) {
    const signed = (digits: string, letter: string) => Number(digits) * (/[SW]/i.test(letter) ? -1 : 1);
    // A longitude of the United States is no latitude, so the order is certain.
    const [a, b] = [signed(point[1]!, point[2]!), signed(point[3]!, point[4]!)];
    return a < 0 || a > 90 ? atPoint(b, a, wrong) : atPoint(a, b, wrong);
  }
  const parts = partsOf(told);
  if (parts) return byName(parts[0], parts[1], wrong);
  const territory = territoryOf(told);
  if (territory !== undefined) throw wrong(`is no county; ${ONLY}`);
  // A state of one county is that county.
  const [only, ...others] = named(stateOf(told) ?? '');
  if (only && others.length === 0) return only;
  throw wrong('names no county with its state', nearest(told, named()));
}
