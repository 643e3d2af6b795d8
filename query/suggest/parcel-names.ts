import type { Value } from '../../datasets/dataset.ts';
import type { Partition } from '../../datasets/release.ts';
import { shownOwner } from '../enrich/owner-key.ts';
import { plainName } from '../format/name/owner-words.ts';
import { parcelId } from '../format/parcel-id.ts';
import { analysisPointOf } from '../parcel/parcel-match.ts';
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
    const address = features.corrected?.get(ord)?.get('address');
    const shown = text(address === undefined ? row : { ...row, address });
    const point = analysisPointOf(row);
    if (shown === null || !point) return null;
    const { source } = partOf(county, row).provenance;
    return { kind, text: shown, ...point, parcelId: parcelId(row.parcel_key ?? null), source };
  };
  const found = names.tables[table];
  const { starts, ords } = found;
  const isPlaced = (ord: number) => names.places[2 * ord] !== NOWHERE;
  const metresTo = (ord: number) => list.metresTo(names.places[2 * ord]! / E7, names.places[2 * ord + 1]! / E7);
  const consider = (ord: number, entry: number, grade: Grade) => {
    if (!list.admits(grade, metresTo(ord))) return;
    const [lng, lat] = [names.places[2 * ord]! / E7, names.places[2 * ord + 1]! / E7];
    list.add({ grade, lng, lat, name: found.rest(entry), read: () => read(ord) });
  };
  // Two digits may begin tens of thousands of numbers: nothing is made for those that are too far.
  const seen = new Uint8Array(starts.length);
  for (const wanted of spellings(table, typed))
    eachName({ table: found, wanted, near, seen, most: list.most }, (entry, name, grade) => {
      // All parcels of a number; of an owner the nearest, or without a point the first.
      let nearest = -1;
      for (let i = starts[name]!; i < starts[name + 1]!; i++) {
        const ord = ords[i]!;
        if (!isPlaced(ord) || (table === 'owner' && features.isWithheld(ord))) continue;
        if (table === 'number') consider(ord, entry, grade);
        else if (nearest < 0 || metresTo(ord) < metresTo(nearest)) nearest = ord;
      }
      if (nearest >= 0) consider(nearest, entry, grade);
    });
}

/** Tells of each name of a table that fits a text, once. @param seen by name, those that were told of. @param most of them. */
function eachName(
  {
    table,
    wanted,
    near,
    seen,
    most,
  }: {
    readonly table: NamesOfParcels['tables'][ParcelName];
    readonly wanted: string;
    readonly near: boolean;
    readonly seen: Uint8Array;
    readonly most: number;
  },
  tell: (entry: number, name: number, grade: Grade) => void,
): void {
  let [taken, compared] = [0, 0];
  for (const [from, to] of near ? table.near(wanted) : [table.beginning(wanted)])
    for (let entry = from; entry < to && compared < MOST_COMPARED && taken < most; entry++) {
      const name = table.names[entry]!;
      if (seen[name] === 1) continue;
      seen[name] = 1;
      taken++;
      compared += table.starts[name + 1]! - table.starts[name]!;
      tell(entry, name, near ? GRADE.near : table.isWhole(entry, wanted.length) ? GRADE.whole : GRADE.beginning);
    }
}
