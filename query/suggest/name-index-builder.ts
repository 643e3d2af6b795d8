import type { Value } from '../../datasets/dataset.ts';
import { shownOwner } from '../enrich/owner-key.ts';
import { plainName } from '../format/name/owner-words.ts';
import { analysisPointOf } from '../parcel/parcel-match.ts';
import { encodeNames, type NamedParcels, NOWHERE, PARCEL_NAMES, type ParcelName } from './name-index.ts';
import { PrefixTable } from './prefix-table.ts';

const E7 = 1e7;

/** Longer names are cut: nobody types so much of one. */
const MOST_LETTERS = 120;

/** Words of an owner by each of which it is found; further ones are those of a list of heirs. */
const MOST_WORDS = 12;

/** A parcel number as it is compared: capitals and digits alone, however its county parts them. */
export const numberKey = (apn: string): string => plainName(apn).replaceAll(' ', '').slice(0, MOST_LETTERS);

/** Where the words of a name begin. */
const wordsOf = (name: string): number[] =>
  [0, ...Array.from(name.matchAll(/ /g), ({ index }) => index + 1)].slice(0, MOST_WORDS);

/** What a row is called by; null where it has no such name. */
const NAMES: Readonly<Record<ParcelName, (row: Readonly<Record<string, Value>>) => string | null>> = {
  number: ({ apn }) => (apn === null || apn === undefined ? null : numberKey(String(apn))),
  owner: ({ owner }) => {
    const shown = shownOwner(owner);
    return shown === null ? null : plainName(shown).slice(0, MOST_LETTERS).trimEnd();
  },
};

/** Gathers the names of a county's parcels in the order of their rows. Holds each name once, and some 20 bytes a parcel. */
export class NameIndexBuilder {
  readonly #places: number[] = [];
  readonly #names: Readonly<Record<ParcelName, Map<string, number[]>>> = { number: new Map(), owner: new Map() };

  /** @param row the stored columns of the next parcel. */
  add(row: Readonly<Record<string, Value>>): void {
    const ord = this.#places.length / 2;
    const point = analysisPointOf(row);
    this.#places.push(...(point ? [Math.round(point.lng * E7), Math.round(point.lat * E7)] : [NOWHERE, 0]));
    for (const kind of PARCEL_NAMES) {
      const name = NAMES[kind](row);
      if (!name) continue;
      const ords = this.#names[kind].get(name);
      if (ords) ords.push(ord);
      else this.#names[kind].set(name, [ord]);
    }
  }

  /** The file as bytes; equal rows in the same order give equal bytes. */
  finish(): Uint8Array {
    const tables = {
      number: tableOf(this.#names.number, () => [0]),
      owner: tableOf(this.#names.owner, wordsOf),
    };
    return encodeNames({ places: Int32Array.from(this.#places), tables });
  }
}

function tableOf(
  parcels: ReadonlyMap<string, readonly number[]>,
  beginnings: (name: string) => number[],
): NamedParcels {
  const names = [...parcels.keys()].sort();
  const { text, entries, names: owners } = PrefixTable.of(names, beginnings);
  const starts = new Uint32Array(names.length + 1);
  for (const [i, name] of names.entries()) starts[i + 1] = starts[i]! + parcels.get(name)!.length;
  const ords = new Uint32Array(starts.at(-1)!);
  for (const [i, name] of names.entries()) ords.set(parcels.get(name)!, starts[i]!);
  return { text, entries, names: owners, starts, ords };
}
