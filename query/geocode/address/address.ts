import { isNumeric, isStreetEnd, withoutHyphen } from './crossing.ts';
import { directionalOf } from './directional.ts';
import { houseNumbers } from './house-number.ts';
import { withQuadrant } from './quadrant.ts';
import { type Reading, readingsOf } from './reading.ts';
import { isAbroad, stateNameOf, stateOf, stateOfZip } from './state.ts';
import { suffixOf } from './suffix.ts';
import { capitals } from './text.ts';
import { unitAt } from './unit.ts';

/** One state that an address may lie in, with the readings of what stands before it. */
export interface LocatedReadings {
  /** Named by the address, or told by its ZIP code; null where nothing tells it. */
  readonly state: string | null;
  readonly readings: readonly Reading[];
}

/** An address taken apart. */
export interface ParsedAddress {
  /** The text as words in capitals. */
  readonly text: string;
  readonly zip: string | null;
  readonly zip4: string | null;
  /** The county that it names as one, without its kind: CUMBERLAND. */
  readonly county: string | null;
  /** True when it ends as an address of another country does. */
  readonly abroad: boolean;
  /** Likeliest first. */
  readonly located: readonly LocatedReadings[];
  /** The areas it may name if its first number is their ZIP code and no house number: 04401 BANGOR. */
  readonly behindZip: readonly LocatedReadings[];
}

const COUNTRY =
  /(?:,? (?:USA|U S A|UNITED STATES(?: OF AMERICA)?|ESTADOS UNIDOS|EE UU|EEUU)|(?<=\d),? (?:US|U S)|, (?:US|U S)|(?<=,? [A-Z]{2}),? US)$/;
const COUNTY = /, ([A-Z][A-Z ]*?) (?:COUNTY|PARISH|BOROUGH|CO)(?=,| [A-Z]{2}$| [A-Z]{4,}$|$)/;
/** A ZIP code with words alone behind it. */
const ZIP_FIRST = /^(\d{5}(?:-\d{4})?),? ([A-Z][A-Z ,]*)$/;
const ZIP_LAST = /(?:^|[ ,])(\d{5})(?:[- ]?(\d{4}))?$/;

interface Located {
  readonly zip: string | null;
  readonly zip4: string | null;
  /** What is left, its location last. */
  readonly rest: string;
}

/** Takes the ZIP code from where it stands: last, between `CITY ST` and the street, or first. */
function zipOf(text: string): Located {
  const last = ZIP_LAST.exec(text);
  if (last) {
    const rest = text.slice(0, last.index).replace(/,? *$/, '');
    const before = rest.split(' ');
    // APT 10302 is a unit, and a first number with words behind it is a house number.
    const unit = before.length > 1 && unitAt([before.at(-1)!, last[1]!], 0)?.words === 2 && !stateOf(before.at(-1)!);
    if (!unit) return { zip: last[1]!, zip4: last[2] ?? null, rest };
  }
  // A table that takes ZIP codes for numbers drops the zero in front: ME 4401.
  const short = /^(.*[ ,]([A-Z]{2}|[A-Z]{4,}(?: [A-Z]{5,})?)),? (\d{4})(?:-(\d{4}))?$/.exec(text);
  if (short && stateOf(short[2]!) !== null && stateOf(short[2]!) === stateOfZip(`0${short[3]}`))
    return { zip: `0${short[3]}`, zip4: short[4] ?? null, rest: short[1]! };
  const match = /(?:^|[ ,])([A-Z]{2}|[A-Z]{4,}(?: [A-Z]{5,})?),? (\d{5})(?:-(\d{4}))?(?=[ ,])/.exec(text);
  if (match && stateOf(match[1]!)) {
    const end = match.index + match[0].length;
    const left = text.slice(0, match.index).replace(/[, ]+$/, '');
    const right = text.slice(end).replace(/^[, ]+/, '');
    // The state goes last, where it is looked for; a street behind it goes first.
    return { zip: match[2]!, zip4: match[3] ?? null, rest: [right, left, match[1]!].filter(Boolean).join(', ') };
  }
  // 04401 BANGOR ME, 73 HARLOW ST: the ZIP code's own state stands before the house number. A house number may have five digits.
  const first =
    /^(\d{5})(?:-(\d{4}))?,? (?:([A-Z ,]*?)[ ,]*\b([A-Z]{2}|[A-Z]{4,}(?: [A-Z]{5,})?),? )?(\d+[A-Z]? [A-Z].*)$/.exec(
      text,
    );
  if (first) {
    const [, zip, zip4, city, state, street] = first;
    if (state ? stateOf(state) === stateOfZip(zip!) : text.startsWith(`${zip}${zip4 ? `-${zip4}` : ''},`))
      return { zip: zip!, zip4: zip4 ?? null, rest: [street, city, state].filter(Boolean).join(', ') };
  }
  // 04401 BANGOR, 73 HARLOW ST: words that are no street stand between the ZIP code and the house number.
  const [, zip, city, street] = /^(\d{5}),? ([A-Z ]+), (\d+[A-Z]? [A-Z\d].*)$/.exec(text) ?? [];
  if (
    zip &&
    stateOfZip(zip) !== null &&
    suffixOf(city!.split(' ').at(-1)!) === null &&
    isStreetEnd(street!.split(',')[0]!.split(' '))
  )
    return { zip, zip4: null, rest: `${street}, ${city}` };
  return { zip: null, zip4: null, rest: text };
}

const piecesOf = (text: string): string[][] =>
  text
    .split(',')
    .map(piece => piece.split(' ').filter(Boolean))
    .filter(words => words.length > 0);

/** A piece whose state stands in front of a street, as two: DC 951 V ST NE behind WASHINGTON. */
const withoutState = (words: string[], i: number): string[][] =>
  i > 0 && /^[A-Z]{2}$/.test(words[0]!) && stateOf(words[0]!) && isNumeric(words[1]) && isStreetEnd(words.slice(2))
    ? [[words[0]!], words.slice(1)]
    : [words];

/** Whether two words of at least five letters differ by one letter put in, left out or changed. */
function oneOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || b.length < 5 || a === b) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  let j = 0;
  while (j < Math.min(a.length, b.length) - i && a[a.length - 1 - j] === b[b.length - 1 - j]) j++;
  return (
    Math.max(a.length, b.length) - i - j <= (a.length === b.length && a[i] === b[i + 1] && a[i + 1] === b[i] ? 2 : 1)
  );
}

/** Cities that are called as a state is, with the state that they lie in. */
const CITIES: Readonly<Record<string, string>> = { WASHINGTON: 'DC', 'NEW YORK': 'NY' };

/** The state that ends a list of words, and how many of them name it: 1 to 4. */
function endingState(words: readonly string[]): { readonly state: string; readonly words: number } | null {
  for (let k = Math.min(4, words.length); k > 0; k--) {
    const state = stateOf(words.slice(-k).join(' '));
    if (state) return { state, words: k };
  }
  return null;
}

/**
 * The state in front of a street, as in WASHINGTON, DC, 3209 12TH ST NE and ME, BANGOR, 73 HARLOW ST. A piece that begins
 * with a house number is a street, whatever state it is called after, and a ZIP code knows its state better.
 * @returns the state, and the pieces without it, street first; null where there is none.
 */
function locationFirst(pieces: readonly (readonly string[])[], ofZip: string | null) {
  const last = pieces.at(-1)!;
  if (directionalOf(last[0]!) === null && endingState(last)?.words === last.length) return null;
  const isStreet = (words: readonly string[] | undefined) => words !== undefined && /^\d/.test(words[0]!);
  for (const [i, words] of pieces.slice(0, -1).entries()) {
    const named = isStreet(words) ? null : endingState(words);
    if (!named || (ofZip !== null && ofZip !== named.state)) continue;
    const alone = i === 0 && named.words === words.length && pieces.slice(2).some(isStreet);
    if (!isStreet(pieces[i + 1]) && !alone) continue;
    const city = words.slice(0, -named.words);
    const parts = [...pieces.slice(i + 1), ...pieces.slice(0, i), city].filter(part => part.length);
    return { ...named, name: words.slice(-named.words).join(' '), parts };
  }
  return null;
}

/**
 * The first piece of an address, which has no commas and has a note behind it, as in 73 HARLOW ST BANGOR ME (WHITE HOUSE): a house number, a
 * street with its type, a city and a state.
 * @returns the state, and the pieces without it and the note; null where the first piece is no whole address.
 */
function beforeNote(pieces: readonly (readonly string[])[]) {
  const [first] = pieces;
  const named = pieces.length > 1 && /^\d/.test(first![0]!) ? endingState(first!) : null;
  if (named === null) return null;
  const left = first!.slice(0, -named.words);
  const isWhole = left.slice(2, -1).some(word => suffixOf(word) !== null);
  return isWhole ? { state: named.state, parts: [left] } : null;
}

/** Every state that the pieces of an address may lie in, the likeliest first, with the readings of the other words. */
function locatedIn(pieces: readonly (readonly string[])[], ofZip: string | null): LocatedReadings[] {
  const located: LocatedReadings[] = [];
  const add = (state: string | null, parts: readonly (readonly string[])[], isMeant = (_: Reading) => true) => {
    const readings = readingsOf(parts).filter(isMeant);
    if (readings.length) located.push({ state, readings });
  };
  const last = pieces.at(-1);
  if (!last) return located;
  const first = locationFirst(pieces, ofZip);
  if (first) {
    add(first.state, first.parts);
    const city = CITIES[first.name];
    if (city !== undefined && city !== first.state) add(city, [...first.parts, [first.name]]);
    return located;
  }
  const cut = (words: number) =>
    words === last.length ? pieces.slice(0, -1) : [...pieces.slice(0, -1), last.slice(0, -words)];
  const named = endingState(last);
  const without = named ? cut(named.words) : [];
  if (named && without.length) {
    const { state } = named;
    const words = last.slice(-named.words).join(' ');
    add(state, without);
    // 12 PINE CT, 100 K ST NE: the word may end the street; 12 MAIN ST, WASHINGTON or NEW YORK: it may be the city.
    const alone = pieces.length === 1;
    const quadrant = named.words === last.length && directionalOf(words) !== null && /^\d/.test(pieces.at(-2)![0]!);
    const ends = alone ? (suffixOf(words) ?? directionalOf(words)) !== null : quadrant;
    const isStreetAlone = alone && houseNumbers(without[0]!).some(n => n.words === without[0]!.length);
    if (ofZip !== state && (ends || isStreetAlone || (ofZip !== null && alone)))
      add(ofZip, pieces, ({ city }) => city === null || (ofZip !== null && !alone));
    if (words.length > 2 && ofZip === null && (named.words === last.length || alone)) {
      const isCity = ({ city }: Reading) => city === words;
      add(null, [...without, last.slice(-named.words)], isCity);
      if (CITIES[words] !== undefined) add(CITIES[words], [...without, last.slice(-named.words)], isCity);
    }
    return located;
  }
  if (!named && ofZip !== null && last.length > 1) {
    // BANGOR MAIN 04401, BANGOR MW 04401: a mistyped state in front of its ZIP code.
    const word = last.at(-1)!;
    const unknownCode = /^[A-Z]{2}$/.test(word) && suffixOf(word) === null && directionalOf(word) === null;
    if (unknownCode || oneOff(word, stateNameOf(ofZip))) {
      add(ofZip, cut(1));
      return located;
    }
  }
  const whole = beforeNote(pieces);
  if (whole && (ofZip === null || ofZip === whole.state)) add(whole.state, whole.parts);
  add(ofZip, pieces);
  return located;
}

/**
 * Takes an address of the United States apart (Publication 28), in any case, with or without commas and in other orders.
 * What can be read in several ways is returned in all of them; which one is meant shows when they are looked up.
 */
export function parseAddress(address: string): ParsedAddress {
  const parsed = parsedAs(address);
  const joined = withoutHyphen(address);
  if (joined === null || parsed.abroad) return parsed;
  const crossings = parsedAs(joined).located.map(({ state, readings }) => ({
    state,
    // WINSTON-SALEM, NC names no crossing: that of no city could be anywhere.
    readings: readings.filter(({ cross, city }) => cross !== null && city !== null),
  }));
  const located = parsed.located.map(({ state, readings }) => ({
    state,
    readings: [...readings, ...crossings.filter(other => other.state === state).flatMap(other => other.readings)],
  }));
  const others = crossings.filter(
    ({ state, readings }) => readings.length > 0 && !parsed.located.some(one => one.state === state),
  );
  return { ...parsed, located: [...located, ...others] };
}

/** An address taken apart by its words alone. */
function parsedAs(address: string): ParsedAddress {
  const text = capitals(address);
  if (isAbroad(text)) return { text, zip: null, zip4: null, county: null, abroad: true, located: [], behindZip: [] };
  const { zip, zip4, rest } = zipOf(text.replace(COUNTRY, '').replace(/[ &]+$/, ''));
  const [, code, words] = (zip === null && ZIP_FIRST.exec(rest)) || [];
  // As it is written otherwise, its ZIP code last.
  const turned = code !== undefined && stateOfZip(code.slice(0, 5)) !== null ? parsedAs(`${words}, ${code}`) : null;
  if (turned && stateOf(words!) === stateOfZip(turned.zip!)) return turned;
  const pieces = piecesOf(withQuadrant(rest.replace(COUNTRY, ''))).flatMap(withoutState);
  const ofZip = zip === null ? null : stateOfZip(zip);
  const located = locatedIn(pieces, ofZip);
  const behindZip = (turned?.located ?? [])
    .filter(({ state }) => state === stateOfZip(turned!.zip!))
    .map(({ state, readings }) => ({ state, readings: readings.filter(r => r.street === null) }))
    .filter(({ readings }) => readings.length > 0);
  const county = rest.includes(' CO') || / (?:PARISH|BOROUGH)/.test(rest) ? (COUNTY.exec(rest)?.[1] ?? null) : null;
  return { text, zip, zip4, county, abroad: false, located, behindZip };
}
