import { directionalOf } from './directional.ts';
import { highwayOf } from './highway.ts';
import { type HouseNumber, houseNumbers, rearOf } from './house-number.ts';
import { REAR, withoutRear } from './number/rear.ts';
import { type Street, streetOf } from './street.ts';
import { suffixOf } from './suffix.ts';
import { isBareUnit, unitAt } from './unit.ts';

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
  /** Similarity lost because words had to be left out or moved. */
  readonly strain: number;
}

/** Longest city name tried where no comma ends the street: SALT LAKE CITY has three words, some have four. */
const CITY_WORDS = 4;
/** Readings beyond these are ever less likely and cost time. */
const MOST = 24;
const STRAIN = { moved: 0.01, leftOut: 0.02, unitAlone: 0.06 } as const;

/** Words of Puerto Rico that begin the line of an urbanization (Publication 28, section 292). */
const URBANIZATION =
  /^(?:URB|URBANIZACION|URBANIZATION|EXT|PARC|PARCELAS|BDA|BARRIADA|REPTO|REPARTO|JARD|MANS|COND|VILLA|ALTS)$/;

/** Takes secondary units out of a piece; an only one is not taken out whole. */
function withoutUnits(words: readonly string[], only: boolean): { words: string[]; units: string[] } {
  const kept: string[] = [];
  const units: string[] = [];
  for (let i = 0; i < words.length; ) {
    const found = unitAt(words, i);
    const bare = found && !/\s/.test(found.unit);
    const end = found ? i + found.words : i;
    // REAR, FRONT or LOWER stand behind the street; in LOWER MAIN ST and FRONT ST they are its name.
    const misplaced =
      bare && (end < words.length || kept.length < 2 || !(suffixOf(kept.at(-1)!) ?? directionalOf(kept.at(-1)!)));
    // 12400 RM 620 is a ranch road, not a room.
    const road = kept.length === 1 && highwayOf(words.slice(i, i + 2)) !== null;
    if (!found || misplaced || road || (only && kept.length === 0 && end === words.length)) kept.push(words[i++]!);
    else {
      units.push(found.unit);
      i = end;
    }
  }
  return { words: kept, units };
}

/**
 * The two streets that words name as an intersection; null when they name none. `AND` and `AT` join only without a house
 * number.
 */
function crossStreets(words: readonly string[]): { first: string[]; second: string[] } | null {
  const skip =
    /^(?:CORNER|INTERSECTION|COR|INT|NEC|NWC|SEC|SWC)$/.test(words[0] ?? '') && /^OF$/.test(words[1] ?? '') ? 2 : 0;
  const at = words.findIndex((word, i) => i > skip && i < words.length - 1 && /^(?:&|AND|AT)$/.test(word));
  if (at < 0 || (words[at] !== '&' && /^\d+[A-Z]?$/.test(words[0]!))) return null;
  return { first: words.slice(skip, at), second: words.slice(at + 1) };
}

interface Place {
  readonly city: string | null;
  readonly strain: number;
}

/** Readings of one piece as number and street, with its last words as the city where no piece names one. */
function* ofPiece(words: readonly string[], unit: string | null, places: readonly Place[]): Generator<Reading> {
  const cross = crossStreets(words);
  if (cross) {
    const first = streetOf(cross.first);
    const most = places.length ? 0 : Math.min(CITY_WORDS, cross.second.length - 1);
    for (let k = 0; k <= most; k++) {
      const second = streetOf(k ? cross.second.slice(0, -k) : cross.second);
      for (const { city, strain } of places.length
        ? places
        : [{ city: k ? cross.second.slice(-k).join(' ') : null, strain: 0 }])
        yield { number: null, street: first, cross: second, unit, city, strain };
    }
    return;
  }
  const numbers = houseNumbers(words).filter(n => n.words < words.length);
  const heads: { number: HouseNumber | null; rest: readonly string[]; strain: number }[] = numbers.map((n, i) => ({
    number: n.number,
    rest: words.slice(n.words),
    strain: i * STRAIN.moved,
  }));
  if (!heads.length) {
    heads.push({ number: null, rest: words, strain: 0 });
    // HARLOW ST 73, as much of the world writes it.
    const [trailing] = words.length > 1 ? houseNumbers([words.at(-1)!]) : [];
    if (trailing && !highwayOf(words) && !highwayOf(words.slice(1)))
      heads.unshift({ number: trailing.number, rest: words.slice(0, -1), strain: STRAIN.moved });
  }
  for (const { number, rest, strain } of heads) {
    const most = places.length ? 0 : Math.min(CITY_WORDS, rest.length - 1);
    for (let k = 0; k <= most; k++) {
      const streetWords = k ? rest.slice(0, -k) : rest;
      const found = places.length ? places : [{ city: k ? rest.slice(-k).join(' ') : null, strain: 0 }];
      const before = streetWords.at(-2);
      const bare =
        streetWords.length > 2 &&
        isBareUnit(streetWords.at(-1)!) &&
        (suffixOf(before!) ?? directionalOf(before!)) !== null;
      for (const place of found) {
        const total = strain + place.strain;
        yield { number, street: streetOf(streetWords), cross: null, unit, city: place.city, strain: total };
        if (bare)
          yield {
            number,
            street: streetOf(streetWords.slice(0, -1)),
            cross: null,
            unit: `# ${streetWords.at(-1)}`,
            city: place.city,
            // Without a house number the number behind the street is likelier that.
            strain: total + (number ? 0 : STRAIN.unitAlone),
          };
      }
    }
  }
  if (!numbers.length) yield { number: null, street: null, cross: null, unit, city: words.join(' '), strain: 0 };
}

/**
 * Every way to read the pieces of an address, commas between them, state and ZIP code taken out.
 * @param pieces in capitals.
 */
export function readingsOf(pieces: readonly (readonly string[])[]): Reading[] {
  const units: string[] = [];
  const parts: string[][] = [];
  let rear = false;
  for (const [i, piece] of pieces.entries()) {
    const front = i > 0 && piece.length === 1 && piece[0] === REAR ? [] : withoutRear(piece);
    rear ||= front !== null;
    const { words, units: found } = withoutUnits(front ?? piece, pieces.length === 1);
    units.push(...found);
    if (words.length && !URBANIZATION.test(words[0]!)) parts.push(words);
    else if (words.length && pieces.length === 1) parts.push(words);
  }
  if (!parts.length) return [];
  const unit = units.length ? units.join(' ') : null;
  // 73, HARLOW ST: a number cut off from its street.
  for (let i = 0; i + 1 < parts.length; i++) {
    const [only] = houseNumbers(parts[i]!);
    if (only && only.words === parts[i]!.length) parts.splice(i, 2, [...parts[i]!, ...parts[i + 1]!]);
  }
  const begins = (words: readonly string[]) => houseNumbers(words).some(n => n.words < words.length);
  // ONE CITY HALL, 12 MAIN ST: digits before words.
  let at = parts.findIndex(words => /\d/.test(words[0]!) && begins(words));
  if (at < 0) at = parts.findIndex(begins);
  if (at < 0) at = parts.findIndex(words => crossStreets(words) !== null);
  if (at < 0) at = 0;
  const places: Place[] = [];
  const isCounty = (words: readonly string[]) =>
    words.length > 1 && /^(?:COUNTY|PARISH|BOROUGH|CO)$/.test(words.at(-1)!);
  const after = parts.slice(at + 1).filter(words => !isCounty(words));
  const before = parts.slice(0, at);
  for (const [i, words] of after.toReversed().entries())
    places.push({ city: words.join(' '), strain: i ? STRAIN.leftOut : 0 });
  for (const words of before)
    places.push({ city: words.join(' '), strain: after.length ? STRAIN.leftOut : STRAIN.moved });
  const readings: Reading[] = [];
  for (const reading of ofPiece(parts[at]!, unit, places)) {
    readings.push(reading);
    if (readings.length >= MOST) break;
  }
  // A name in front of the street (CITY HALL, 73 HARLOW ST BANGOR) leaves the city behind it.
  if (!after.length && before.length)
    for (const reading of ofPiece(parts[at]!, unit, [])) {
      if (reading.city !== null) readings.push({ ...reading, strain: reading.strain + STRAIN.leftOut });
      if (readings.length >= 2 * MOST) break;
    }
  if (at === 0 && parts.length > 1 && !begins(parts[0]!))
    readings.push({ number: null, street: null, cross: null, unit, city: parts[0]!.join(' '), strain: 0 });
  if (!rear) return readings;
  return readings.map(reading => (reading.number ? { ...reading, number: rearOf(reading.number) } : reading));
}
