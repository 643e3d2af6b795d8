import type { ObjectStore } from '../../../query/release/store/object-store.ts';
import {
  entryAt,
  entryBytes,
  entryKey,
  lastNumber,
  type StoreEntry,
} from '../../../query/release/store/store-entry.ts';

/** A store's last release is not one that this home has: another home published there. */
class ForeignRelease extends Error {
  override readonly name = 'ForeignRelease';
}

/** A second record of the numbers, written before the store's own: rows of a database that can refuse. */
export interface Fence {
  /** The last number that was taken; null where none was. */
  last(): Promise<StoreEntry | null>;
  /** Takes the number of an entry. @returns false where it is taken. */
  take(entry: StoreEntry): Promise<boolean>;
}

/** Writes the entry of a number. @returns the one that is there afterwards; null while another's write is under way. */
async function enter(store: ObjectStore, entry: StoreEntry): Promise<StoreEntry | null> {
  if ((await store.create(entryKey(entry.number), entryBytes(entry))) === 'made') return entry;
  // Read, not listed: lists may be stale.
  return entryAt(store, entry.number);
}

const isSame = (a: StoreEntry, b: StoreEntry) => entryBytes(a).equals(entryBytes(b));

/** Ends what a publisher began that was killed between row and object. @throws Error where both say different things. */
async function settle(store: ObjectStore, row: StoreEntry): Promise<StoreEntry> {
  for (;;) {
    const there = await enter(store, row);
    if (there && !isSame(there, row))
      throw new Error(
        `${store.name}: number ${row.number} is ${there.release} there and ${row.release} in the database; somebody pushed ` +
          'without --queue. Make them push with it, and remove the rows from that number on',
      );
    if (there) return there;
  }
}

/**
 * Makes a release the last of a store, by an object of the next number that only one publisher can make. The numbers have
 * no gap, and each names the one before as its parent.
 * @param knows whether a release is one that ours may follow.
 * @param fence asked for each number before the store is.
 * @throws ForeignRelease where the last release is not one that ours may follow.
 */
export async function claim(
  store: ObjectStore,
  ours: Pick<StoreEntry, 'release' | 'manifestSha256'>,
  knows: (release: string) => boolean,
  fence: Fence | null = null,
): Promise<StoreEntry> {
  let number = await lastNumber(store, 0);
  let last = number ? await entryAt(store, number) : null;
  for (;;) {
    const row = await fence?.last();
    if (row && row.number >= number) [last, number] = [await settle(store, row), row.number];
    if (last?.release === ours.release) return last;
    if (last && !knows(last.release))
      throw new ForeignRelease(
        `${store.name}: its last release ${last.release} is not of this home; publish from the home that has it`,
      );
    const { release, manifestSha256 } = ours;
    const entry: StoreEntry = { number: number + 1, release, manifestSha256, parent: last?.release ?? null };
    if (fence && !(await fence.take(entry))) continue;
    const there = fence ? await settle(store, entry) : await enter(store, entry);
    // Our own bytes, also where an answer was lost: done. Null: asked again.
    if (there && isSame(there, entry)) return there;
    if (there) [last, number] = [there, entry.number];
  }
}
