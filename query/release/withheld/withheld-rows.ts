import { OWNER_COLUMNS } from '../../../datasets/parcel/owner-columns.ts';
import type { FeatureFile } from '../../format/flatgeobuf.ts';
import { ownerWords, plainName } from '../../format/name/owner-words.ts';
import { parcelId } from '../../format/parcel-id.ts';
import type { WithheldList } from './withheld-list.ts';

/** Columns that name somebody. */
const NAMES = ['owner', 'unmodified_owner', 'owner2', 'previous_owner', 'careof', 'seller_name'] as const;
/** Columns that name somebody together. */
const [FIRST, LAST] = ['ownfrst', 'ownlast'] as const;

/** Why a column of a withheld parcel has no value. @param column its name. */
export const withheldReason = (column: string): string => `withheld at its owner's request or by law (${column})`;

/** Whether a text names somebody whose name is withheld: all words of the name occur in it, in any order. */
function isNamed(text: string, { names }: WithheldList, state: string): boolean {
  const plain = plainName(text).split(' ');
  let words: ReadonlySet<string> | null = null;
  for (const mark of ['', ...plain])
    for (const name of names.get(mark) ?? []) {
      if (name.state !== null && name.state !== state) continue;
      words ??= new Set(ownerWords(text));
      if (name.words.every(word => words!.has(word))) return true;
    }
  return false;
}

/**
 * Withholds the owners of a file of parcels that a list names: from then on nobody reads them from it.
 * @param key of the partition, which begins with its state.
 * @throws DamagedFile when a row cannot be read.
 */
export function withholdOwners(file: FeatureFile, key: string, list: WithheldList): void {
  if (list.stamp === '' || !file.hasColumn('parcel_key')) return;
  const rows = new Uint8Array(file.count).fill(list.all ? 1 : 0);
  const [state = ''] = key.split('/');
  const pick = file.columnPick(['parcel_key', FIRST, LAST, ...NAMES]);
  const byName = list.names.size > 0;
  for (let row = 0; row < file.count && !list.all; row++) {
    const values = file.pick(row, pick);
    const isListed = list.parcels.size > 0 && list.parcels.has(parcelId(values.parcel_key ?? null));
    const texts = byName ? [...NAMES.map(name => values[name]), `${values[FIRST] ?? ''} ${values[LAST] ?? ''}`] : [];
    if (isListed || texts.some(text => typeof text === 'string' && isNamed(text, list, state))) rows[row] = 1;
  }
  if (rows.includes(1)) file.withhold(rows, OWNER_COLUMNS);
}
