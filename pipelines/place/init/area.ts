import { countyFips, hasCounty } from '../../../datasets/codes/county-fips.ts';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import { STATE_NAMES } from '../../../datasets/codes/state-names.ts';
import type { Box, Geometry } from '../../../datasets/geometry.ts';
import { epsgSystems } from '../../../ingest/crs/epsg-systems.ts';
import { projectRows, resolveCrs } from '../../../ingest/crs.ts';
import type { Area } from './guess.ts';
import { share } from './looks.ts';
import { compact } from './names.ts';
import { type Profile, presentIn } from './profile.ts';
import type { Sample } from './sample.ts';

const STATE_OF: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(STATE_FIPS).map(([code, fips]) => [fips, code]),
);
/** Names of columns that hold a county's five digits, its three, its state's two, its name. */
const FIVE =
  /^(st_?cnty_?fips|stcofips|county_?fips|cnty_?fips|co_?fips|fips(_?code)?|geoid(10|20)?|fips_?county|stcntyfp|geo_id|censustract|county_?(id|no|code|l|r|left|right)|co_?code|cnty_?(id|code))$/i;
const THREE = /^(countyfp(10|20)?|co_?fips|cnty_?fips|county_?(fp|fips)|cofp)$/i;
/** Names of columns of a county's three digits, or of a number of the state's own, which has one or two for some counties. */
const PERHAPS_THREE = /^(county_?(id|no|num|number|code|cd)|co_?(code|no|num)|cnty_?(id|code|no))$/i;
const TWO = /^(statefp(10|20)?|st_?fips|state_?fips|stfips|statefips)$/i;
const LETTERS = /^(state|st|state_?(abbr|code|cd)|stusps)$/i;
const NAME = /^(county(_?name|nm|_?lbl|_?desc|_?l|_?r)?|cnty(_?(name|nm))?|co_?name|inc?_?county|addcounty)$/i;
/** Share of rows that must agree; some files reach over a border. */
const AGREE = 0.9;

/** Returns the value that nearly all rows of a column share after `read`; null if they do not agree. */
function agreed(profile: Profile, read: (text: string) => string | null): string | null {
  const counts = new Map<string, number>();
  let all = 0;
  for (const [value, count] of profile.values) {
    const found = read(String(value));
    if (found === null) continue;
    all += count;
    counts.set(found, (counts.get(found) ?? 0) + count);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best && best[1] >= all * AGREE && all >= presentIn(profile) * 0.5 ? best[0] : null;
}

function fiveIn(text: string): string | null {
  const code = text.replace(/^\d{7}US/, '');
  const full = /^\d{4}$/.test(code) ? `0${code}` : code;
  return /^\d{5}(\d{5,10})?$/.test(full) && full.slice(0, 2) in STATE_OF && full.slice(2, 5) !== '000'
    ? full.slice(0, 5)
    : null;
}

/** Returns the county and state by the codes in a file's columns. */
function ofColumns({ columns }: Sample): Record<'county' | 'state' | 'three' | 'name', string | null> {
  let county: string | null = null;
  let state: string | null = null;
  let three: string | null = null;
  let number: string | null = null;
  let name: string | null = null;
  for (const profile of columns) {
    if (FIVE.test(profile.name)) county ??= agreed(profile, fiveIn);
    if (TWO.test(profile.name)) state ??= agreed(profile, text => STATE_OF[text.padStart(2, '0')] ?? null);
    if (LETTERS.test(profile.name))
      state ??= agreed(profile, text => (text.toUpperCase() in STATE_FIPS ? text.toUpperCase() : null));
    if (THREE.test(profile.name))
      three ??= agreed(profile, text => (/^\d{1,3}$/.test(text) ? text.padStart(3, '0') : null));
    if (PERHAPS_THREE.test(profile.name)) number ??= agreed(profile, text => (/^\d{3}$/.test(text) ? text : null));
    if (NAME.test(profile.name) && share(profile, v => /[A-Za-z]{3}/.test(String(v))) > 0.9)
      name ??= agreed(profile, text => text.replace(/ (county|parish)$/i, ''));
  }
  if (county === null && state !== null && three !== null) county = STATE_FIPS[state]! + three;
  if (state === null || (number !== null && hasCounty(state, number))) three ??= number;
  return { county, state: county === null ? state : STATE_OF[county.slice(0, 2)]!, three, name };
}

/** Returns the state at the end of a folder's or file's name: `bangor-me`, `parcels_NC`, `ohio`. */
function stateInName(file: string): string | null {
  for (const part of file.split('/').reverse()) {
    const words = part.replace(/\.[\w.]+$/, '').split(/[^A-Za-z]+/);
    for (const word of words.slice(-1))
      if (word.length === 2 && word.toUpperCase() in STATE_NAMES) return word.toUpperCase();
    for (const [code, name] of Object.entries(STATE_NAMES))
      if (compact(part).includes(compact(name)) && name.length > 4) return code;
  }
  return null;
}

const contains = (geometry: Geometry, x: number, y: number): boolean => {
  let odd = false;
  let start = 0;
  for (const end of geometry.ends) {
    for (let i = start, j = end - 1; i < end; j = i++) {
      const [xi, yi, xj, yj] = [
        geometry.xy[i * 2]!,
        geometry.xy[i * 2 + 1]!,
        geometry.xy[j * 2]!,
        geometry.xy[j * 2 + 1]!,
      ];
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) odd = !odd;
    }
    start = end;
  }
  return odd;
};

/** Least number of states in a national file of counties; other five-digit numbers may look like codes of a few states. */
const STATES = 20;

/** Returns the column of five-digit codes of a national file of counties; undefined for any other file. */
function countyCodes(sample: Sample) {
  if (sample.geometry !== 'polygon' || sample.rows < 60 || sample.rows > sample.kept.length) return undefined;
  return sample.columns.find(profile => {
    if (!profile.unique) return false;
    const codes = [...profile.values.keys()].map(value => fiveIn(String(value))).filter(code => code !== null);
    return codes.length > sample.rows * 0.9 && new Set(codes.map(code => code.slice(0, 2))).size >= STATES;
  });
}

const isCountyFile = (sample: Sample) => countyCodes(sample) !== undefined;

/** Returns the county that holds a point, from a file of counties. */
async function countyAt(
  sample: Sample,
  [lng, lat]: readonly [number, number],
): Promise<{ county: string; name: string | null } | null> {
  if (sample.crs === null) return null;
  const code = countyCodes(sample)!.name;
  const name = sample.columns.find(p => /^name(10|20)?$/i.test(p.name))?.name;
  const rows = await projectRows(await resolveCrs(sample.crs, sample.file), sample.kept);
  for (const row of rows)
    if (row.geometry && contains(row.geometry, lng, lat)) {
      const county = fiveIn(String(row.properties[code]));
      const called = name === undefined ? null : row.properties[name];
      return county ? { county, name: typeof called === 'string' ? called : null } : null;
    }
  return null;
}

/** Returns the state at a point by the areas of EPSG; null near a border. */
async function stateAt([lng, lat]: readonly [number, number]): Promise<string | null> {
  const held = new Set<string>();
  for (const { name, area, box } of await epsgSystems()) {
    const state = /^NAD83 \//.test(name)
      ? /^United States \(USA\) - ([A-Z][A-Za-z ]+?)(?: -|\.|$)/.exec(area)?.[1]
      : null;
    if (!state) continue;
    const [west, south, east, north] = box;
    const code = Object.entries(STATE_NAMES).find(([, full]) => full === state)?.[0];
    if (code && lng >= west && lng <= east && lat >= south && lat <= north) held.add(code);
  }
  return held.size === 1 ? [...held][0]! : null;
}

/**
 * Finds the state and county of the place. Flags come first, then codes in the files' columns, then the national file of
 * counties at the middle of the place, then names of files and coordinates (which tell only the state).
 * @param anchor lng,lat box of the place's own files.
 */
export async function areaOf(
  samples: readonly Sample[],
  anchor: Box | null,
  flags: { readonly state: string | null; readonly county: string | null },
): Promise<Area & { readonly why: string }> {
  const local = samples.filter(sample => !isCountyFile(sample));
  const centre = anchor && ([(anchor[0] + anchor[2]) / 2, (anchor[1] + anchor[3]) / 2] as const);
  const countyFile = samples.find(isCountyFile);
  const around = countyFile && centre ? await countyAt(countyFile, centre) : null;
  const told = local.map(ofColumns);
  const most = <T>(values: readonly (T | null)[]): T | null => {
    const counts = new Map<T, number>();
    for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
  };
  const written = most(told.map(t => t.county));
  const coded = flags.county ?? written ?? around?.county ?? null;
  const state =
    flags.state ??
    (coded ? STATE_OF[coded.slice(0, 2)]! : null) ??
    most(told.map(t => t.state)) ??
    most(local.map(sample => stateInName(sample.file))) ??
    (centre ? await stateAt(centre) : null);
  // Where no file has the five digits: the county's name or its three digits, in the state that anything tells.
  const called = most(told.map(t => t.name));
  const three = most(told.map(t => t.three));
  const named = state !== null && called !== null ? countyFips(state, STATE_FIPS[state]!, called) : null;
  const county =
    coded ?? named ?? (state !== null && three !== null && hasCounty(state, three) ? STATE_FIPS[state]! + three : null);
  const name =
    (around?.county === county ? around?.name : null) ??
    most(told.filter(t => t.county === county || t.county === null).map(t => t.name));
  const why = flags.county
    ? 'as told'
    : written
      ? 'codes in the columns of the files'
      : around
        ? `the county of ${countyFile!.file} around the middle of the files`
        : county
          ? 'the name or code of the county in the columns of the files'
          : 'not known';
  return { state, county, countyName: county === null ? null : titled(name), why };
}

const titled = (name: string | null) =>
  name === null
    ? null
    : name === name.toUpperCase()
      ? name.toLowerCase().replace(/\b[a-z]/g, letter => letter.toUpperCase())
      : name;
