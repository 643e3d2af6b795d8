import { RELEASE_ID } from '../published.ts';
import type { ObjectStore } from './object-store.ts';

/** What `releases/<number>.json` of a store says: which release became current there, and after which. */
export interface StoreEntry {
  /** From 1, without gap. */
  readonly number: number;
  readonly release: string;
  /** Lower-case hex, of the bytes of the manifest in the store. */
  readonly manifestSha256: string;
  /** The release before it; null for the first. */
  readonly parent: string | null;
}

const KEY = /^releases\/(\d{10})\.json$/;

/** The key of a number: keys are in the order of numbers. */
export const entryKey = (number: number): string => `releases/${String(number).padStart(10, '0')}.json`;

/** The bytes of an entry, always the same. */
export const entryBytes = ({ number, release, manifestSha256, parent }: StoreEntry): Buffer =>
  Buffer.from(`${JSON.stringify({ number, release, manifestSha256, parent })}\n`);

/** How the places of the publisher stand (home/place-states.ts): the one object of a store that pushes replace. */
export const PLACES_KEY = 'places.json';

/** The key of a manifest, by its content: two homes that make one release write the times of their own into it. */
export const manifestKey = (sha256: string): string => `manifests/${sha256}.json`;

/** The last number that a store lists after another one; that one where it lists none. */
export async function lastNumber(store: ObjectStore, after: number): Promise<number> {
  const keys = await store.list('releases/', entryKey(after));
  return Math.max(after, ...keys.map(key => Number(KEY.exec(key)?.[1] ?? 0)));
}

/** Reads the entry of a number; null where there is none. @throws Error when it is not one. */
export async function entryAt(store: ObjectStore, number: number): Promise<StoreEntry | null> {
  const bytes = await store.read(entryKey(number));
  if (!bytes) return null;
  try {
    const entry = JSON.parse(bytes.toString()) as StoreEntry;
    const { release, manifestSha256 } = entry;
    if (entry.number === number && RELEASE_ID.test(release) && /^[0-9a-f]{64}$/.test(manifestSha256)) return entry;
  } catch {}
  throw new Error(`${store.name}: ${entryKey(number)} is damaged; expected a release with the SHA-256 of its manifest`);
}
