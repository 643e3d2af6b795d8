import { plainName } from '../format/name/owner-words.ts';
import { DIRECTION_NAMES } from '../geocode/address/directional.ts';
import { type HouseNumber, houseNumbers, lettersIn, numberAt, writtenNumber } from '../geocode/address/house-number.ts';
import { stateOfZip } from '../geocode/address/state.ts';
import { type Street, streetOf, streetText } from '../geocode/address/street.ts';
import { suffixNameOf } from '../geocode/address/suffix.ts';
import { capitals } from '../geocode/address/text.ts';
import { centre } from '../geocode/hit.ts';
import type { AddressIndex } from '../geocode/index/address-index.ts';
import type { StreetEntry } from '../geocode/index/address-index-format.ts';
import { type AddressPartition, addressIndex } from '../geocode/index/address-partition.ts';
import type { Layers } from '../release/layers.ts';
import { PrefixTable } from './prefix-table.ts';
import { GRADE, type Grade, type Shortlist, type SuggestionKind } from './shortlist.ts';

/** Streets whose house numbers are read for one text: a MAIN ST stands in every town of a state. */
const MOST_READ = 500;

/** What a text says of an address: its number, where it begins with one, and what follows. */
interface TypedAddress {
  readonly number: HouseNumber | null;
  readonly street: string;
}

/** Reads a text as the beginning of an address: `73 Harl`. Commas part nothing, because names hold city and state behind the street. */
function typedAddress(text: string): TypedAddress {
  const words = capitals(text).replaceAll(',', '').split(' ');
  const [first] = /\d/.test(words[0]!) && words.length > 1 ? houseNumbers(words) : [];
  return { number: first?.number ?? null, street: words.slice(first?.words ?? 0).join(' ') };
}

/** The streets of an address index by their names. */
class StreetNames {
  readonly table: PrefixTable;
  /** Letters of each name that are the street's; behind them stand city, state and ZIP code. */
  readonly lengths: Uint8Array;
  /** The street that each name is of. */
  readonly streets: Uint32Array;
  /** lng,lat of a place on each street. */
  readonly places: Float64Array;
  readonly bytes: number;

  constructor(index: AddressIndex, state: string | null) {
    const names: string[] = [];
    const lengths: number[] = [];
    const streets: number[] = [];
    this.places = new Float64Array(2 * index.streets).fill(Number.NaN);
    for (let id = 0; id < index.streets; id++) {
      const entry = index.entry(id);
      const place = index.placesOf(id)[0] ?? index.segmentsOf(id).map(({ xy }) => ({ lng: xy[0]!, lat: xy[1]! }))[0];
      if (!place) continue;
      this.places.set([place.lng, place.lat], 2 * id);
      const area = plainName([entry.city, stateOf(entry, state), entry.zip].filter(Boolean).join(' '));
      for (const form of new Set([streetText(entry.street), spelledOut(entry.street)].map(plainName))) {
        if (form === '' || form.length > 255) continue;
        names.push(`${form} ${area}`);
        lengths.push(form.length);
        streets.push(id);
      }
    }
    this.table = PrefixTable.of(names, (name, i) => beginnings(name.slice(0, lengths[i])));
    this.lengths = Uint8Array.from(lengths);
    this.streets = Uint32Array.from(streets);
    this.bytes = this.table.bytes + 5 * names.length + 16 * index.streets;
  }
}

/** Where the words of a street begin. */
const beginnings = (street: string): number[] => [0, ...Array.from(street.matchAll(/ /g), ({ index }) => index + 1)];

/** A street with its directionals and its type in full: NORTH HARLOW STREET. */
function spelledOut({ pre, name, suffix, post }: Street): string {
  const direction = (short: string | null) => (short === null ? null : DIRECTION_NAMES[short]);
  return [direction(pre), name, suffix === null ? null : suffixNameOf(suffix), direction(post)]
    .filter(Boolean)
    .join(' ');
}

const stateOf = ({ zip }: StreetEntry, state: string | null) => state ?? (zip === null ? null : stateOfZip(zip));

/** The streets of a partition by name, made on first use and kept in the cache. */
async function streetNames(layers: Layers, part: AddressPartition, index: AddressIndex): Promise<StreetNames> {
  const stored = part.partition.files.find(({ role }) => role === 'addresses');
  const file = stored ?? layers.file(part.partition, 'features');
  const key = `street names of ${(await layers.verified(file)).id} ${part.partition.key}`;
  const cached = layers.cache.get(key) as StreetNames | undefined;
  if (cached) return cached;
  const names = new StreetNames(index, part.state);
  layers.cache.set(key, names, names.bytes);
  return names;
}

/** A text as streets are stored, and with its words abbreviated as the Postal Service does: N MAIN STREET is N MAIN ST. */
function spellings(typed: string): string[] {
  const plain = plainName(typed);
  if (plain === '') return [];
  return [...new Set([plain, plainName(streetText(streetOf(plain.split(' '))))])];
}

/** A street that fits a text. */
interface Fit {
  readonly id: number;
  readonly grade: Grade;
  readonly name: string;
}

/** The streets that fit, each once: as many as can be among the best, the nearest first. */
function fitting(
  { table, lengths, streets, places }: StreetNames,
  typed: string,
  near: boolean,
  list: Shortlist,
): Fit[] {
  const fits = new Map<number, Fit>();
  for (const wanted of spellings(typed))
    for (const [from, to] of near ? table.near(wanted) : [table.beginning(wanted)])
      for (let entry = from; entry < to; entry++) {
        const name = table.names[entry]!;
        const id = streets[name]!;
        const isWhole = !near && table.isFirst(entry) && lengths[name] === wanted.length;
        const grade = near ? GRADE.near : isWhole ? GRADE.whole : GRADE.beginning;
        const before = fits.get(id);
        if (!before || grade < before.grade) fits.set(id, { id, grade, name: table.rest(entry) });
      }
  const metres = ({ id }: Fit) => list.metresTo(places[2 * id]!, places[2 * id + 1]!);
  return [...fits.values()].sort((a, b) => a.grade - b.grade || metres(a) - metres(b)).slice(0, MOST_READ);
}

/**
 * Adds the streets and house numbers of a partition that begin with a text.
 * @param near whether those with a typing error are wanted, and only these: numbers never have one.
 * @throws Fault or DamagedFile when the index cannot be read; whatever `check` throws.
 */
export async function addStreets(
  layers: Layers,
  part: AddressPartition,
  kinds: ReadonlySet<SuggestionKind>,
  typed: string,
  near: boolean,
  list: Shortlist,
  check: () => void,
): Promise<void> {
  const index = await addressIndex(layers, part, check);
  const names = await streetNames(layers, part, index);
  const { source } = part.partition.provenance;
  const place = (id: number) => ({ lng: names.places[2 * id]!, lat: names.places[2 * id + 1]! });
  const areaOf = (entry: StreetEntry, zip: string | null) =>
    [entry.city, [stateOf(entry, part.state), zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  if (kinds.has('street'))
    for (const { id, grade, name } of fitting(names, capitals(typed).replaceAll(',', ''), near, list)) {
      const read = () => {
        const entry = index.entry(id);
        const { lng, lat } = centre(index, id)[0] ?? place(id);
        const text = [streetText(entry.street), areaOf(entry, null)].filter(Boolean).join(', ');
        return { kind: 'street', text, lng, lat, parcelId: null, source } as const;
      };
      list.add({ grade, ...place(id), name, read });
    }
  const { number, street } = typedAddress(typed);
  if (!kinds.has('address') || !number) return;
  for (const { id, grade, name } of fitting(names, street, near, list)) {
    const entry = index.entry(id);
    const at = numberAt(number, {
      state: stateOf(entry, part.state),
      county: part.county,
      zip: entry.zip,
      city: entry.city,
    });
    const wanted = { value: at.value, high: at.high, suffix: lettersIn(at) };
    for (const point of index.pointsOf(id, wanted)) {
      if (point.value !== wanted.value || point.high !== wanted.high || point.suffix !== wanted.suffix) continue;
      const { lng, lat } = point;
      const line = `${writtenNumber(point.value, point.high, point.suffix)} ${streetText(entry.street)}`;
      const text = [line, areaOf(entry, entry.zip)].filter(Boolean).join(', ');
      list.add({ grade, lng, lat, name, read: () => ({ kind: 'address', text, lng, lat, parcelId: null, source }) });
    }
  }
}
