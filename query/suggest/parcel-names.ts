import type { Value } from '../../datasets/dataset.ts';
import type { Partition } from '../../datasets/release.ts';
import { plainName, shownOwner } from '../enrich/owner-key.ts';
import { analysisPointOf, parcelId } from '../parcel/parcel-match.ts';
import type { Layers } from '../release/layers.ts';
import { partOf } from '../release/part.ts';
import { type NamesOfParcels, NOWHERE, openNames, type ParcelName } from './name-index.ts';
import { numberKey } from './name-index-builder.ts';
import { GRADE, type Grade, type Shortlist, type Suggestion } from './shortlist.ts';

/** Parcels of one table that are compared by their distance; a text of two letters may fit a million. */
const MOST_COMPARED = 200_000;
const E7 = 1e7;

type Row = Readonly<Record<string, Value>>;

/** What is shown of a row for a name; null where there is nothing to show. */
const SHOWN: Readonly<
  Record<ParcelName, { readonly kind: 'parcel' | 'owner'; readonly text: (row: Row) => string | null }>
> = {
  number: {
    kind: 'parcel',
    text: ({ apn, address }) => (apn == null ? null : [String(apn), address].filter(Boolean).join(', ')),
  },
  owner: { kind: 'owner', text: ({ owner }) => shownOwner(owner) },
};

/** The ways in which a typed name is looked for: JOHN SMITH stands in rolls as SMITH JOHN. */
function spellings(table: ParcelName, typed: string): string[] {
  if (table === 'number') return [numberKey(typed)].filter(Boolean);
  const name = plainName(typed);
  const words = name.split(' ');
  return name === '' ? [] : [...new Set([name, [words.at(-1)!, ...words.slice(0, -1)].join(' ')])];
}

/**
 * Adds the parcels of a county that are called by a text: by their number, or by their owner of whom the nearest parcel counts.
 * @param near whether those with a typing error are wanted, and only these.
 * @throws Fault or DamagedFile when the county's files cannot be read.
 */
export async function addParcels(
  layers: Layers,
  county: Partition,
  table: ParcelName,
  typed: string,
  near: boolean,
  list: Shortlist,
): Promise<void> {
  const file = county.files.find(({ role }) => role === 'names');
  if (!file) return;
  const names = await openNames(layers, file);
  const { file: features } = await layers.features(county);
  const read = (ord: number): Suggestion | null => {
    const row = features.properties(ord);
    const { kind, text } = SHOWN[table];
    const shown = text(row);
    const point = analysisPointOf(row);
    if (shown === null || !point) return null;
    const { source } = partOf(county, row).provenance;
    return { kind, text: shown, ...point, parcelId: parcelId(row.parcel_key ?? null), source };
  };
  const seen = new Set<number>();
  for (const wanted of spellings(table, typed))
    for (const { entry, name, grade } of namesFor(names.tables[table], wanted, near, seen, list.most)) {
      for (const ord of meant(names, table, name, list)) {
        const [lng, lat] = [names.places[2 * ord]! / E7, names.places[2 * ord + 1]! / E7];
        if (!list.admits(grade, list.metresTo(lng, lat))) continue;
        list.add({ grade, lng, lat, name: names.tables[table].rest(entry), read: () => read(ord) });
      }
    }
}

/** The names of a table that fit a text, each once. */
function* namesFor(
  table: NamesOfParcels['tables'][ParcelName],
  wanted: string,
  near: boolean,
  seen: Set<number>,
  most: number,
): Generator<{ readonly entry: number; readonly name: number; readonly grade: Grade }> {
  let [taken, compared] = [0, 0];
  for (const [from, to] of near ? table.near(wanted) : [table.beginning(wanted)])
    for (let entry = from; entry < to && compared < MOST_COMPARED && taken < most; entry++) {
      const name = table.names[entry]!;
      if (seen.has(name)) continue;
      seen.add(name);
      taken++;
      compared += table.starts[name + 1]! - table.starts[name]!;
      const grade = near ? GRADE.near : table.isWhole(entry, wanted.length) ? GRADE.whole : GRADE.beginning;
      yield { entry, name, grade };
    }
}

/** The parcels that a name is of: all of one number, of one owner the nearest, or without a point the first. */
function meant({ tables, places }: NamesOfParcels, of: ParcelName, name: number, list: Shortlist): Iterable<number> {
  const { starts, ords } = tables[of];
  const placed = ords.subarray(starts[name], starts[name + 1]).filter(ord => places[2 * ord] !== NOWHERE);
  if (of === 'number' || placed.length < 2) return placed;
  const metres = (ord: number) => list.metresTo(places[2 * ord]! / E7, places[2 * ord + 1]! / E7);
  let [best, least] = [placed[0]!, metres(placed[0]!)];
  for (const ord of placed) {
    const far = metres(ord);
    if (far < least) [best, least] = [ord, far];
  }
  return [best];
}
