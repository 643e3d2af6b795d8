import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import type { Value } from '../../../datasets/dataset.ts';
import { dateForm } from './dates.ts';
import { numberIn, type Profile, presentIn } from './profile.ts';

/** Texts that publishers write for no value. */
const NOTHING =
  /^(n\/?a|none|null|<null>|unknown|unk|unassigned|not available|no data|nodata|-+|\.+|\*+|\?+|tbd|#n\/a)$/i;

/** Whether a value is a text that means no value. */
export const isNothing = (value: unknown): boolean => typeof value === 'string' && NOTHING.test(value);

type Present = Exclude<Value, null>;
type Fit = (profile: Profile) => number;

const STATES = new Set([...Object.keys(STATE_FIPS), 'PR', 'VI', 'GU', 'AS', 'MP']);
const STATE_CODES = new Set([...Object.values(STATE_FIPS), '60', '66', '69', '72', '78']);
const DIRECTIONS = /^(N|S|E|W|NE|NW|SE|SW|NORTH|SOUTH|EAST|WEST|NORTHEAST|NORTHWEST|SOUTHEAST|SOUTHWEST)\.?$/i;
const STREET_TYPES =
  /^(ALY|ALLEY|AVE?|AVENUE|BL|BLVD|BOULEVARD|BND|CIR|CI|CIRCLE|COVE|CRES|CROSSING|CT|COURT|CV|DR|DRIVE|EXPY|EXT|HL|HOLLOW|HTS|HWY|HIGHWAY|LANE|LN|LOOP|LP|PARK|PASS|PATH|PIKE|PKWY|PKY|PL|PLACE|PLZ|PT|RD|ROAD|RIDGE|ROW|RUN|SQ|SQUARE|ST|STREET|TER|TERRACE|TPKE|TR|TRAIL|TRCE|TRL|VIEW|VW|WALK|WAY|WY|XING)\.?$/i;
const FLOOD_ZONES =
  /^(A|AE|AH|AO|AR|A99|A\d{1,2}|V|VE|V\d{1,2}|X|X500|X5|D|B|C|0\.2 ?PCT.*|OPEN WATER|AREA NOT INCLUDED|ANI|UNDES|X PROTECTED.*|500|100)$/i;
const COWARDIN = /^(M[12]|E[12]|R[1-5]|L[12]|P)(RB|UB|AB|US|RF|OW|RS|SB|EM|SS|F[O0]|ML|US|f|Uf)/;
const YES_NO = /^(y|n|yes|no|t|f|true|false|0|1|-1|x)$/i;

/** Returns the share of the present, listed values for which a test holds; 0 for a column without values. */
export function share(profile: Profile, test: (value: Present) => boolean): number {
  let hits = 0;
  let all = 0;
  for (const [value, count] of profile.values) {
    all += count;
    if (test(value)) hits += count;
  }
  return all === 0 ? 0 : hits / all;
}

const text = (pattern: RegExp) => (profile: Profile) => share(profile, value => pattern.test(String(value)));
/** Returns the share of numbers among the values that do not mean no value. */
const numeric = (profile: Profile) => {
  const nothing = [...profile.values].reduce((sum, [value, count]) => sum + (isNothing(value) ? count : 0), 0);
  const present = presentIn(profile) - nothing;
  return present <= 0 ? 0 : profile.numbers / present;
};
/** Returns the share of distinct values among the present ones; 1 if more occur than are counted. */
export const variety = (profile: Profile): number =>
  presentIn(profile) === 0 ? 0 : profile.listed ? profile.values.size / presentIn(profile) : 1;
const words = (profile: Profile) => share(profile, value => /[A-Za-z]{3}/.test(String(value)));
const average = (profile: Profile) => {
  let sum = 0;
  let all = 0;
  for (const [value, count] of profile.values) {
    sum += String(value).length * count;
    all += count;
  }
  return all === 0 ? 0 : sum / all;
};

/** Returns the median of the values above zero; NaN if there is none. */
function median(profile: Profile): number {
  const numbers = [...profile.values.keys()].map(numberIn).filter(n => n > 0);
  numbers.sort((a, b) => a - b);
  return numbers[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** A test for numbers that are not all zero and whose median above zero lies within bounds. */
const measured =
  (low: number, high: number): Fit =>
  profile => {
    if (numeric(profile) < 0.97 || (profile.min === 0 && profile.max === 0)) return 0;
    const value = median(profile);
    if (Number.isNaN(value)) return 0;
    return value >= low && value <= high ? 1 : 0.4;
  };

/** A test for codes of n digits that begin with a state's code. A leading zero may be lost; a prefix may come before. */
const geoid =
  (digits: number): Fit =>
  profile =>
    share(profile, value => {
      const code = String(value).replace(/^\d{7}US/, '');
      if (!/^\d+$/.test(code)) return false;
      const full = code.length === digits - 1 && typeof value === 'number' ? `0${code}` : code;
      return full.length === digits && STATE_CODES.has(full.slice(0, 2));
    });

const short =
  (length: number): Fit =>
  profile =>
    presentIn(profile) === 0 ? 0 : share(profile, value => String(value).length <= length) * 0.9 + 0.1;

const someText: Fit = profile => (words(profile) > 0.5 ? 1 : 0.3);
const plainName: Fit = profile => (words(profile) > 0.7 ? 1 : words(profile) > 0.3 ? 0.5 : 0.1);

const FITS = {
  acres: measured(0.001, 5000),
  address: profile => {
    const numbered = text(/^\s*(\d+[A-Za-z]?[ -]+.*[A-Za-z]|P\.? ?O\.? ?BOX\b)/i)(profile);
    const streets = share(profile, v =>
      String(v)
        .split(/\s+/)
        .some(word => STREET_TYPES.test(word)),
    );
    return words(profile) < 0.5 ? 0 : Math.min(1, 0.25 + 0.9 * Math.max(numbered, streets * 0.9));
  },
  area_m2: measured(1, 1e9),
  block: short(8),
  boolean: profile => (profile.listed && profile.values.size <= 3 ? text(YES_NO)(profile) : 0),
  building_sqft: measured(80, 200_000),
  city: profile => (words(profile) > 0.9 && (profile.listed || presentIn(profile) < 100) ? 1 : words(profile) * 0.5),
  code: profile => {
    const fractions = profile.numbers - profile.integers;
    if (fractions > presentIn(profile) * 0.05) return 0.15;
    return profile.listed && variety(profile) <= 0.5 ? (profile.lengths[1] <= 14 ? 1 : 0.7) : 0.4;
  },
  count: profile => (profile.integers >= presentIn(profile) * 0.99 && profile.max > 0 && profile.max < 1e7 ? 1 : 0),
  cowardin: text(COWARDIN),
  date: profile => dateForm(profile)?.share ?? 0,
  description: profile => (words(profile) > 0.7 ? (average(profile) >= 4 ? 1 : 0.7) : 0.15),
  digits: text(/^\d+$/),
  direction: text(DIRECTIONS),
  district: profile => share(profile, value => /^(\D{0,12}\s?)?\d{1,3}[A-Za-z]?$/.test(String(value))),
  feet: measured(3, 5000),
  fips2: profile => share(profile, v => STATE_CODES.has(String(v).padStart(2, '0'))),
  fips3: profile => share(profile, v => /^\d{1,3}$/.test(String(v)) && Number(v) > 0 && Number(v) < 841),
  fips5: geoid(5),
  flood_zone: profile => text(FLOOD_ZONES)(profile) ** 2,
  geoid7: geoid(7),
  geoid10: geoid(10),
  geoid11: geoid(11),
  geoid12: geoid(12),
  geoid15: geoid(15),
  height: measured(1, 500),
  house_number: profile =>
    share(profile, v => /^\d{1,6}[A-Za-z]?([ -]\d+[A-Za-z]?|\s1\/2)?$/.test(String(v)) && String(v) !== '0'),
  id: profile => (variety(profile) > 0.2 || presentIn(profile) < 20 ? 1 : 0.8),
  legal: profile => (words(profile) > 0.5 ? Math.min(1, 0.3 + average(profile) / 40) : 0.2),
  lot: short(8),
  lot_sqft: measured(300, 1e8),
  money: profile => {
    if (numeric(profile) < 0.97 || profile.max < 100) return 0;
    return median(profile) >= 50 ? 1 : 0.6;
  },
  name: plainName,
  number: profile => (numeric(profile) >= 0.97 ? 1 : 0),
  owner_type: profile => (profile.listed && profile.values.size <= 60 ? 1 : 0.3),
  parcel_id: profile => {
    const digits = share(profile, v => /\d/.test(String(v)) && String(v).length >= 3);
    return digits < 0.8 ? digits * 0.3 : 0.25 + 0.75 * Math.min(1, variety(profile) * 1.15);
  },
  plss: profile => share(profile, v => /^[TRS]?\s?0?\d{1,3}(\.\d+)?\s?[NSEW]?$/i.test(String(v))),
  road_class: profile => (profile.listed && profile.values.size <= 60 ? 1 : 0.2),
  road_name: someText,
  sfha: text(/^(t|f|in|out|y|n|yes|no|true|false|1|0)$/i),
  small_number: profile => (numeric(profile) >= 0.97 && profile.max > 0 && profile.max <= 200 ? 1 : 0),
  state: profile => share(profile, v => STATES.has(String(v).toUpperCase())),
  street: profile => Math.min(1, words(profile)) * (1 - text(/^\d+\s+\D/)(profile) * 0.8),
  street_name: profile => Math.min(1, words(profile) + 0.2) * (1 - text(/^\d+\s+[A-Za-z]{3}/)(profile) * 0.8),
  street_type: text(STREET_TYPES),
  text: profile => (profile.numbers === presentIn(profile) ? 0.5 : 1),
  unit: short(10),
  url: text(/^(https?:\/\/|www\.)/i),
  use_code: profile => (profile.listed ? (average(profile) <= 6 ? 1 : 0.75) : 0.3),
  use_text: profile => (words(profile) > 0.7 ? (profile.listed ? 1 : 0.6) : 0.15),
  year: profile => {
    const years = share(profile, v => numberIn(v) >= 1600 && numberIn(v) <= 2100 && Number.isInteger(numberIn(v)));
    const zero = share(profile, v => numberIn(v) === 0);
    return years === 0 ? 0 : years / Math.max(years, 1 - zero);
  },
  zip: text(/^\d{4,5}([- ]?\d{4})?$/),
  zone: profile => (profile.listed ? (average(profile) <= 10 ? 1 : 0.55) : 0.3),
  zone_text: profile => (profile.listed ? (average(profile) > 10 ? 1 : 0.4) : 0.3),
} satisfies Readonly<Record<string, Fit>>;

/** The look of a column's values, whatever its name is. */
export type Look = keyof typeof FITS;

/** Whether a text names a look. */
export const isLook = (text: string): text is Look => Object.hasOwn(FITS, text);

/** Looks that identify a column by its values alone, whatever its name is. */
const TELLING: ReadonlySet<Look> = new Set(['flood_zone', 'cowardin', 'geoid11', 'geoid12', 'geoid15']);

/** Scores how well a column's values have a look, from 0 (not at all, or no values) to 1. */
export function fitOf(profile: Profile, look: Look): number {
  return presentIn(profile) === 0 ? 0 : Math.min(1, FITS[look](profile));
}

/** Whether a look identifies a column by its values alone. */
export const isTelling = (look: Look): boolean => TELLING.has(look);

/** Returns the look of a column without a hint, by its type and unit. */
export function lookOf(type: string, unit: string | undefined): Look {
  if (type === 'date' || type === 'timestamp') return 'date';
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') return unit === 'USD' ? 'money' : 'number';
  return 'text';
}
