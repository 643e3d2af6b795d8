import { highwayOf } from '../address/highway.ts';
import { type HouseNumber, houseNumbers, lettersIn, numberAt, rearOf, withFraction } from '../address/house-number.ts';
import type { Whereabouts } from '../address/number/hyphen.ts';
import { withoutRear } from '../address/number/rear.ts';
import { stateOfZip } from '../address/state.ts';
import { type Street, streetOf } from '../address/street.ts';
import { suffixOf } from '../address/suffix.ts';
import { capitals } from '../address/text.ts';
import { unitAt } from '../address/unit.ts';
import { encodeAddressIndex, NO_NUMBER, type StreetEntry } from './address-index-format.ts';
import { POINT_KINDS, type PointRow, type SegmentRow } from './address-row.ts';
import { IntRows } from './int-rows.ts';

const E7 = 1e7;
/** A column with more names than the country has counties names none. */
const MOST_COUNTIES = 4000;

/** A line of an address as its file has it. */
interface Line {
  /** Null where the line names a street alone: 0 HARLOW ST is one too. */
  readonly number: HouseNumber | null;
  readonly street: string;
}

/** A line whose number is known. */
export const readLine = (line: string): (Line & { readonly number: HouseNumber }) | null => {
  const read = lineOf(line);
  return read && read.number !== null ? { ...read, number: read.number } : null;
};

/** Whether a line names a street, with a number or without: what names none is found by no address. */
export const isAddressLine = (line: string): boolean => lineOf(line) !== null;

/** An address line as number and street; null where it names no street. Units at its end are left out. */
function lineOf(line: string): Line | null {
  // Notes in brackets are no street: 103 MAINE AVE (BIA).
  const words = withFraction(
    capitals((line.length > 200 ? line.slice(0, 200) : line).replace(/\([^()]*(?:\)|$)/g, ' '))
      .replaceAll(',', '')
      .split(' '),
  ).slice();
  for (let i = 1; i < words.length; i++) {
    // 740 #1-6 E MAIN ST; in 12400 RM 620 the word is a road's.
    if (i === 1 && !words[1]!.startsWith('#')) continue;
    const unit = unitAt(words, i);
    if (!unit || !/\s/.test(unit.unit)) continue;
    words.splice(i, unit.words);
    i--;
  }
  // 112 FRANKLIN ST B2: of digits alone it may be the street's own number, as of ROUTE 9.
  const last = words.length > 3 && /^(?:[A-Z]-?\d+|\d+[A-Z])$/.test(words.at(-1)!) ? words.at(-2)! : '';
  if (suffixOf(last) !== null && highwayOf(words.slice(1)) === null) words.pop();
  // A house behind another one is another place than that one.
  const rear = withoutRear(words);
  const left = rear ?? words;
  // In a file a number is written in digits: TWELVE OAKS DR is a street.
  const [first] = /\d/.test(left[0]!) ? houseNumbers(left) : [];
  const street = left.slice(first?.words ?? 0);
  if (!street.length) return null;
  if (first && first.number.value > 0)
    return { number: rear ? rearOf(first.number) : first.number, street: street.join(' ') };
  // Without a number only what is surely a street is one: lines also say VACANT LAND.
  const { suffix, highway } = streetOf(street);
  return (suffix ?? highway) === null || suffix === 'LAND' ? null : { number: null, street: street.join(' ') };
}

const cityText = (city: string | null): string | null => (city === null ? null : capitals(city).replaceAll(',', ''));

/** Gathers address rows of one partition and writes them as an index. Holds about 30 bytes a row meanwhile, and the streets. */
export class AddressIndexBuilder {
  readonly #entries: StreetEntry[] = [];
  readonly #groups = new Map<string, number>();
  readonly #streets = new Map<string, Street>();
  readonly #suffixes = new Map<string, number>([['', 0]]);
  /** Street, value, suffix, kind, lng, lat, high. */
  readonly #points = new IntRows(7);
  /** Street, four numbers, two ZIP codes, first vertex and one past the last. */
  readonly #segments = new IntRows(9);
  readonly #vertices = new IntRows(2);
  readonly #counties = new Set<string>();
  readonly #where: Pick<Whereabouts, 'state' | 'county'>;

  /** @param where the rows of the partition lie: it says what a hyphen in their numbers means. */
  constructor(where: Pick<Whereabouts, 'state' | 'county'> = { state: null, county: null }) {
    this.#where = where;
  }

  add(row: PointRow): void {
    if (row.county != null && this.#counties.size < MOST_COUNTIES) this.#counties.add(row.county);
    const read = lineOf(row.line);
    if (!read) return;
    const { street } = read;
    const at = [Math.round(row.lng * E7), Math.round(row.lat * E7)] as const;
    const kind = POINT_KINDS.indexOf(row.kind);
    if (read.number === null) {
      this.#points.add([this.#group(street, row), NO_NUMBER, 0, kind, ...at, NO_NUMBER]);
      return;
    }
    const { county } = this.#where;
    const state = this.#where.state ?? (row.zip === null ? null : stateOfZip(row.zip));
    const number = numberAt(read.number, { state, county, zip: row.zip, city: row.city && capitals(row.city) });
    // The letters of a grid belong to the number as a suffix does: both must agree.
    const letters = lettersIn(number);
    let suffix = this.#suffixes.get(letters);
    if (suffix === undefined) {
      // What does not fit into its 16 bits is the most unusual suffix of a whole state.
      if (this.#suffixes.size > 0x7fff) return;
      suffix = this.#suffixes.size;
      this.#suffixes.set(letters, suffix);
    }
    this.#points.add([this.#group(street, row), number.value, suffix, kind, ...at, number.high]);
  }

  addSegment(row: SegmentRow): void {
    const street = capitals(row.street).replaceAll(',', '');
    if (street === '' || row.xy.length < 4) return;
    const both = row.zipLeft === row.zipRight ? row.zipLeft : null;
    const first = this.#vertices.count;
    for (let i = 0; i < row.xy.length; i += 2)
      this.#vertices.add([Math.round(row.xy[i]! * E7), Math.round(row.xy[i + 1]! * E7)]);
    const sides = [row.left, row.right].flatMap(side => (side ? [side[0], side[1]] : [-1, -1]));
    const zips = [row.zipLeft, row.zipRight].map(zip => (zip === null ? -1 : Number(zip)));
    this.#segments.add([
      this.#group(street, { city: null, zip: both }),
      ...sides,
      ...zips,
      first,
      this.#vertices.count,
    ]);
  }

  /** The index as bytes; equal rows in the same order give equal bytes. */
  finish(): Uint8Array {
    // Streets and suffixes are numbered anew in the order of their texts.
    const keys = [...this.#groups.keys()].sort();
    const streetRank = new Uint32Array(keys.length);
    for (const [rank, key] of keys.entries()) streetRank[this.#groups.get(key)!] = rank;
    const suffixes = [...this.#suffixes.keys()].sort();
    const suffixRank = new Map(suffixes.map((suffix, rank) => [this.#suffixes.get(suffix)!, rank]));
    const { count } = this.#points;
    for (let i = 0; i < count; i++) {
      this.#points.set(i, 0, streetRank[this.#points.get(i, 0)]!);
      this.#points.set(i, 2, suffixRank.get(this.#points.get(i, 2))!);
    }
    for (let i = 0; i < this.#segments.count; i++) this.#segments.set(i, 0, streetRank[this.#segments.get(i, 0)]!);
    return encodeAddressIndex({
      entries: keys.map(key => this.#entries[this.#groups.get(key)!]!),
      suffixes,
      counties: [...this.#counties].sort(),
      points: this.#points,
      segments: this.#segments,
      vertices: this.#vertices,
    });
  }

  #group(text: string, { city, postalCity, zip }: Pick<PointRow, 'city' | 'postalCity' | 'zip'>): number {
    let street = this.#streets.get(text);
    if (!street) {
      street = streetOf(text.split(' '));
      this.#streets.set(text, street);
    }
    const { pre, name, suffix, post, key, whole } = street;
    const town = cityText(city);
    const named = cityText(postalCity ?? null);
    const postal = named === town ? null : named;
    const id = [pre, name, suffix, post, key, whole, town, zip, postal].map(part => part ?? '').join('\t');
    let group = this.#groups.get(id);
    if (group === undefined) {
      group = this.#entries.length;
      this.#groups.set(id, group);
      this.#entries.push({ street, city: town, zip, postal });
    }
    return group;
  }
}
