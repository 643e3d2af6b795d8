import { crossStreets, isNumeric, isPlainStreet, isStreetEnd, saysCorner, typed } from './crossing.ts';
import { directionalOf } from './directional.ts';
import { ANNOUNCED, headsOf } from './head.ts';
import { highwayOf } from './highway.ts';
import { type HouseNumber, houseNumbers, rearOf, withFraction } from './house-number.ts';
import { isRange } from './number/hyphen.ts';
import { REAR, withoutRear } from './number/rear.ts';
import { ordinal, ordinalAt } from './ordinal.ts';
import { STRAIN, strainOf } from './strain.ts';
import { type Street, streetOf } from './street.ts';
import { suffixOf } from './suffix.ts';
import { isBareUnit, needsNoNumber, unitAt } from './unit.ts';

/** One way to read the part of an address before its state and ZIP code. */
export interface Reading {
  readonly number: HouseNumber | null;
  /** Null where the words name only a place. */
  readonly street: Street | null;
  /** The other street of an intersection. */
  readonly cross: Street | null;
  readonly unit: string | null;
  /** Words of the city as written; null where this reading has none. */
  readonly city: string | null;
  /** Which of several numbered pieces it reads, where the address has more than one: each may be the address that is meant. */
  readonly piece?: number;
  /** Similarity lost because words had to be left out or moved. */
  readonly strain: number;
}

/** Longest city name tried where no comma ends the street: SALT LAKE CITY has three words, some have four. */
const CITY_WORDS = 4;
/** Readings beyond these are ever less likely and cost time. */
const MOST = 24;

/** Words of Puerto Rico that begin the line of an urbanization (Publication 28, section 292). */
const URBANIZATION =
  /^(?:URB|URBANIZACION|URBANIZATION|EXT|PARC|PARCELAS|BDA|BARRIADA|REPTO|REPARTO|JARD|MANS|COND|VILLA|ALTS)$/;

/** Words that begin a street of Puerto Rico, whose number follows: CALLE SOL #150, AVE ASHFORD NUM 1055. */
const SPANISH = /^(?:CALLE|CLL|AVE|AVENIDA|AVDA|CALLEJON|PASEO|CAMINO|CAM|CARR|CARRETERA|BOULEVARD|BLVD)$/;

/** A piece of the text without its secondary units. */
interface Piece {
  readonly words: readonly string[];
  readonly units: readonly string[];
}

/**
 * Takes secondary units out of a piece; an only one is not taken out whole.
 * @param next the first word of the next piece.
 */
function withoutUnits(words: readonly string[], only: boolean, next: string | undefined): Piece {
  const kept: string[] = [];
  const units: string[] = [];
  for (let i = 0; i < words.length; ) {
    const word = words[i]!;
    const found = unitAt(words, i);
    const end = found ? i + found.words : i;
    const following = words[end] ?? (end === words.length ? next : undefined);
    // UNIT 5 - 1190 ODLIN RD: the hyphen parts the unit from the number.
    const joined =
      found && kept.length === 0 && !isNumeric(following) && following !== undefined
        ? /^(\S+ [A-Z\d]+)-(\d+[A-Z]?)$/.exec(found.unit)
        : null;
    if (joined) {
      units.push(joined[1]!);
      kept.push(joined[2]!);
      i = end;
      continue;
    }
    // BSMT - 493 FINSON RD: what needs no number of its own leaves that to the house.
    if (found?.words === 2 && kept.length === 0 && needsNoNumber(word) && isNumeric(words[i + 1]))
      if (following !== undefined && !isNumeric(following)) {
        units.push(found.unit.split(' ')[0]!);
        kept.push(words[i + 1]!);
        i = end;
        continue;
      }
    // 5 #73 HARLOW ST: either may be the unit of the other.
    const second = /^# (\d+)$/.exec(found?.unit ?? '')?.[1];
    if (second && kept.length === 1 && /^\d+$/.test(kept[0]!) && following !== undefined && !isNumeric(following)) {
      kept[0] = `${kept[0]}-${second}`;
      i = end;
      continue;
    }
    // What stands before a street that has no other number is that number: #73 HARLOW ST, NO 73, HARLOW ST.
    const isNext = (next: string | undefined) => next !== undefined && (next === '#' || ANNOUNCED.test(next));
    const announcing = ANNOUNCED.test(word) ? (isNext(words[i + 1]) ? 2 : 1) : 0;
    const announced = announcing > 0 || /^#\d/.test(word) || (word === '#' && found);
    const number = announcing ? words[i + announcing]?.replace(/^#/, '') : found?.unit.replace(/^# /, '');
    const behind = announcing ? i + announcing + 1 : end;
    // Of HARLOW ST NO 73 the number stands behind; #73 there may as well be a unit.
    const isStreet = announcing > 0 && isStreetEnd(kept) && !begins(kept);
    const last = kept.length > 1 && (isStreet || SPANISH.test(kept[0]!)) && behind >= words.length;
    const inFront = kept.length === 0 && !isNumeric(following) && following !== undefined;
    if (announced && isNumeric(number) && (inFront || last)) {
      // WEBSTER AVE NO 20 may be 20 WEBSTER AVE NO.
      if (last && word === 'NO' && directionalOf(word) !== null) kept.push(word);
      kept.push(number!);
      i = behind;
      continue;
    }
    const bare = found && !/\s/.test(found.unit);
    // FRONT X HOGAN RD, PIER & UNION: a street that is called as a unit is.
    const crosses = found && i === 0 && !/\d/.test(found.unit) && crossStreets(words) !== null;
    // REAR, FRONT or LOWER stand behind the street; in LOWER MAIN ST and FRONT ST they are its name.
    const misplaced =
      bare && (end < words.length || kept.length < 2 || !(suffixOf(kept.at(-1)!) ?? directionalOf(kept.at(-1)!)));
    // 12400 RM 620 is a ranch road, not a room; 12 4TH FL may be a street of that name.
    const road =
      kept.length === 1 &&
      isNumeric(kept[0]) &&
      (highwayOf(words.slice(i, i + 2)) !== null || ordinalAt(words, i) !== null);
    if (!found || misplaced || road || crosses || (only && kept.length === 0 && end === words.length))
      kept.push(words[i++]!);
    else {
      units.push(found.unit);
      i = end;
    }
  }
  return { words: kept, units };
}

interface Place {
  readonly city: string | null;
  readonly strain: number;
}

/** The words of a street without its city behind them. */
function withoutCity(words: readonly string[], city: string | null): readonly string[] {
  const length = city === null ? 0 : city.split(' ').length;
  const street = words.slice(0, -length);
  return length > 0 && street.length > 1 && isStreetEnd(street) && words.slice(-length).join(' ') === city
    ? street
    : words;
}

const isMisspelt = (word: string): boolean => {
  const found = /^(\d+)(?:ST|ND|RD|TH)$/.exec(word);
  return found !== null && ordinal(Number(found[1])) !== word;
};

/** The cities that the words behind a street's name may be. */
const citiesBehind = (words: readonly string[]): Place[] =>
  Array.from({ length: Math.min(CITY_WORDS + 1, words.length) }, (_, k) => ({
    city: k ? words.slice(-k).join(' ') : null,
    strain: 0,
  }));

/** Where the street begins that a house stands at the corner of: 73 HARLOW ST AT CENTRAL ST; -1 where there is none. */
const cornerAt = (words: readonly string[]): number =>
  words.findIndex(
    (word, i) =>
      i > 2 &&
      i + 1 < words.length &&
      /^(?:AT|AND|&)$/.test(word) &&
      begins(words) &&
      isNumeric(words[0]) &&
      isStreetEnd(words.slice(1, i)) &&
      !begins(words.slice(i + 1)),
  );

/** Whether a piece is an address by itself: 1959 4TH ST NE. */
const isAddress = (words: readonly string[]) => isNumeric(words[0]) && begins(words) && isStreetEnd(words.slice(1));
/** What it costs to leave pieces out. Of two addresses each is left out as dearly as the other: nobody can tell which is meant. */
const strainOfPieces = (pieces: readonly (readonly string[])[]): number =>
  pieces.reduce((sum, words) => {
    const strain = strainOf(words);
    return sum + (strain > STRAIN.digitsLeftOut && isAddress(words) ? STRAIN.digitsLeftOut : strain);
  }, 0);

/** Readings of one piece as number and street, with its last words as the city where no piece names one. */
function* ofPiece(words: readonly string[], unit: string | null, places: readonly Place[]): Generator<Reading> {
  const corner = cornerAt(words);
  if (corner > 0) {
    const cities = places.length ? places : citiesBehind(words.slice(corner + 1));
    const strained = cities.map(({ city, strain }) => ({ city, strain: strain + STRAIN.leftOut }));
    yield* ofPiece(words.slice(0, corner), unit, strained);
    return;
  }
  const cross = crossStreets(words);
  if (cross) {
    const most = places.length ? 0 : Math.min(CITY_WORDS, cross.second.length - 1);
    for (let k = 0; k <= most; k++) {
      const [first, second] = typed(cross.first, k ? cross.second.slice(0, -k) : cross.second).map(streetOf);
      for (const { city, strain } of places.length
        ? places
        : [{ city: k ? cross.second.slice(-k).join(' ') : null, strain: 0 }])
        yield { number: null, street: first!, cross: second!, unit, city, strain };
    }
    return;
  }
  const heads = headsOf(words, places.length > 0);
  for (const { number, rest, strain } of heads) {
    const most = places.length ? 0 : Math.min(CITY_WORDS, rest.length - 1);
    for (let k = 0; k <= most; k++) {
      const { words: named, units } = k ? withoutUnits(rest.slice(0, -k), true, undefined) : { words: rest, units: [] };
      const found = places.length ? places : [{ city: k ? rest.slice(-k).join(' ') : null, strain: 0 }];
      const before = named.at(-2);
      const bare =
        named.length > 2 && isBareUnit(named.at(-1)!) && (suffixOf(before!) ?? directionalOf(before!)) !== null;
      const secondary = [unit, ...units].filter(Boolean).join(' ') || null;
      // 13RD is 13TH, and a slip.
      const misspelt = named.filter(isMisspelt).length;
      for (const place of found) {
        const total = strain + place.strain + misspelt * STRAIN.ordinalEnding;
        // 73 HARLOW ST BANGOR, BANGOR, ME: the city stands twice.
        const own = withoutCity(named, place.city);
        yield { number, street: streetOf(own), cross: null, unit: secondary, city: place.city, strain: total };
        // 73 HARLOW ST NO 5 has a unit, where no street is called HARLOW ST NO.
        if (bare && number && ANNOUNCED.test(before!) && isStreetEnd(named.slice(0, -2)))
          yield {
            number,
            street: streetOf(named.slice(0, -2)),
            cross: null,
            unit: `# ${named.at(-1)}`,
            city: place.city,
            strain: total,
          };
        if (bare)
          yield {
            number,
            street: streetOf(named.slice(0, -1)),
            cross: null,
            unit: `# ${named.at(-1)}`,
            city: place.city,
            // Without a house number the number behind the street is likelier that.
            strain: total + (number ? 0 : STRAIN.unitAlone),
          };
      }
    }
  }
  if (heads.every(({ number, strain }) => number === null || strain > 0))
    yield { number: null, street: null, cross: null, unit, city: words.join(' '), strain: 0 };
}

const begins = (words: readonly string[]) => houseNumbers(words).some(n => n.words < words.length);
const isCounty = (words: readonly string[]) => words.length > 1 && /^(?:COUNTY|PARISH|BOROUGH|CO)$/.test(words.at(-1)!);
/** A piece that may be nothing but a unit: 12C, 1600. */
const isUnit = (words: readonly string[]) =>
  words.length === 1 && /^(?:[A-Z]?-?\d+[A-Z]?(?:-[A-Z\d]+)?)$/.test(words[0]!);

/** The pieces of an address that are no units, and the units. */
function parted(pieces: readonly (readonly string[])[]): { parts: string[][]; units: string[]; rear: boolean } {
  const units: string[] = [];
  const parts: string[][] = [];
  let rear = false;
  for (const [i, piece] of pieces.entries()) {
    const front = i > 0 && piece.length === 1 && piece[0] === REAR ? [] : withoutRear(piece);
    rear ||= front !== null;
    const { words, units: found } = withoutUnits(front ?? piece, pieces.length === 1, pieces[i + 1]?.[0]);
    units.push(...found);
    if (!words.length) continue;
    const last = parts.at(-1);
    const isStreet =
      last !== undefined && last.length > 1 && (begins(last) || isStreetEnd(last) || SPANISH.test(last[0]!));
    // 4916 D ST, SE: a quadrant behind a comma.
    if (isStreet && words.length === 1 && directionalOf(words[0]!) !== null) last.push(words[0]!);
    // HARLOW ST, 73 has its number behind it; 73 HARLOW ST, 12C has a unit.
    else if (isStreet && isUnit(words)) begins(last) ? units.push(`# ${words[0]}`) : last.push(words[0]!);
    else if (pieces.length === 1 || !URBANIZATION.test(words[0]!)) parts.push([...withFraction(words)]);
  }
  // 73, HARLOW ST: a number cut off from its street.
  for (let i = 0; i + 1 < parts.length; i++) {
    const [only] = houseNumbers(parts[i]!);
    if (!only || only.words !== parts[i]!.length) continue;
    const [number = '', next = []] = [parts[i]!.join(' '), parts[i + 1]];
    const [, low, high = low] = /^(\d+)(?:-(\d+))?$/.exec(number) ?? [];
    const second = /^\d+[A-Z]?$/.test(next[0]!) ? next[0]! : undefined;
    const step = Number(second) - Number(high);
    // 205, 3, ELM ST: which of them is the unit is as open as in 205-3. 830, 832, 834 ELM ST is 830-834.
    const isList = (step === 2 || step === 4) && isRange({ first: low!, second: second! });
    if (low && second && (isList || (next.length === 1 && low === high)))
      parts.splice(i--, 2, [`${low}-${second}`, ...next.slice(1)]);
    // 2519, 5 OHIO ST is as open as 2519 5 OHIO ST.
    else if (low && second && low === high) parts.splice(i, 2, [low, ...next]);
    else if (begins(parts[i + 1]!)) units.push(`# ${parts.splice(i, 1)[0]!.join(' ')}`);
    else parts.splice(i, 2, [...parts[i]!, ...parts[i + 1]!]);
  }
  return { parts, units, rear };
}

/**
 * Every way to read the pieces of an address, commas between them, state and ZIP code taken out. Each word is part of the
 * number, street, unit or city of a reading, or costs it.
 * @param pieces in capitals.
 */
export function readingsOf(pieces: readonly (readonly string[])[]): Reading[] {
  const { parts, units, rear } = parted(pieces);
  if (!parts.length) return [];
  const unit = units.length ? units.join(' ') : null;
  // ONE CITY HALL, 12 MAIN ST: digits before words.
  const numbered = parts.flatMap((words, i) => (/\d/.test(words[0]!) && begins(words) ? [i] : []));
  // CENTRAL ST, HAMMOND ST, BANGOR: two streets and no number are a crossing; UNIVERSITY PLACE is a city where it is the last.
  const [one, two, city] = parts;
  const readings: Reading[] = [];
  if (!numbered.length && city && !isCounty(city) && !isCounty(two!)) {
    const crossing = [...one!, '&', ...two!];
    if ((isPlainStreet(one!) && isPlainStreet(two!)) || saysCorner(two!)) parts.splice(0, 2, crossing);
    // HAMMOND ST, WEST BROADWAY, BANGOR may be one too, where there is such a crossing.
    else if (![one!, two!].some(words => begins(words) || crossStreets(words)))
      for (const reading of ofPiece(crossing, unit, [{ city: city.join(' '), strain: 0 }])) readings.push(reading);
  }
  const other = [begins, (words: string[]) => crossStreets(words) !== null, isPlainStreet, () => true]
    .map(is => parts.findIndex(is))
    .find(i => i >= 0)!;
  const streets = numbered.length ? numbered : [other];
  for (const at of streets.slice(0, 3)) {
    const after = parts.slice(at + 1).filter(words => !isCounty(words));
    const before = parts.slice(0, at);
    // Digits of a piece that is neither this street nor its city are part of no answer.
    const all = [...before, ...after];
    const left = (city: readonly string[]) => strainOfPieces(all.filter(words => words !== city));
    const places: Place[] = [];
    for (const [i, words] of after.toReversed().entries())
      places.push({ city: words.join(' '), strain: (i ? STRAIN.leftOut : 0) + left(words) });
    for (const words of before)
      places.push({ city: words.join(' '), strain: (after.length ? STRAIN.leftOut : STRAIN.moved) + left(words) });
    let count = 0;
    const unexplained = ({ number, cross, city }: Reading) =>
      number || cross ? 0 : all.filter(words => words.join(' ') !== city).length * STRAIN.pieceLeftOut;
    for (const reading of ofPiece(parts[at]!, unit, places)) {
      const which = numbered.length > 1 ? { piece: at } : {};
      readings.push({ ...reading, ...which, strain: reading.strain + unexplained(reading) });
      if (++count >= MOST) break;
    }
    // A name in front of the street (CITY HALL, 73 HARLOW ST BANGOR) leaves the city behind it.
    if (!after.length && before.length)
      for (const reading of ofPiece(parts[at]!, unit, [])) {
        const strain = reading.strain + STRAIN.leftOut + strainOfPieces(before) + unexplained(reading);
        if (reading.city !== null) readings.push({ ...reading, strain });
        if (++count >= 2 * MOST) break;
      }
  }
  if (streets[0] === 0 && parts.length > 1 && !begins(parts[0]!))
    readings.push({ number: null, street: null, cross: null, unit, city: parts[0]!.join(' '), strain: 0 });
  if (!rear) return readings;
  return readings.map(reading => (reading.number ? { ...reading, number: rearOf(reading.number) } : reading));
}

/** Whether an address has digits that must be its house number, of which a reading without one knows nothing. */
export const lacksNumber = ({ number, cross, unit }: Reading): boolean =>
  number === null && cross === null && unit !== null && /\d/.test(unit);
