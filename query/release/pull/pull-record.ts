import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../home/publish.ts';
import { manifestIds } from '../published.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { entryAt, lastNumber } from '../store/store-entry.ts';

/** What a home has pulled. */
export interface PullRecord {
  /** Name of the store of the last pull. */
  readonly store: string;
  /** The number there of the release that was published here last. */
  readonly number: number;
  /** Releases that came from a store. */
  readonly pulled: readonly string[];
}

const pathOf = (releases: string) => join(releases, 'pulled.json');

/** Reads the record of a home; null where it never pulled or the record is damaged: then the store is asked anew. */
export function readRecord(releases: string): PullRecord | null {
  try {
    const record = JSON.parse(readFileSync(pathOf(releases), 'utf8')) as PullRecord;
    return Number.isInteger(record.number) && Array.isArray(record.pulled) ? record : null;
  } catch {
    return null;
  }
}

/** Notes that a number of a store was published here. Every release of the home is of a store then: pulls ask that first. */
export async function noteNumber(releases: string, store: string, number: number): Promise<void> {
  const record: PullRecord = { store, number, pulled: manifestIds(releases) };
  await writeWhole(pathOf(releases), `${JSON.stringify(record)}\n`);
}

/** Ids of the releases of a home that did not come from a store, as far as its record tells. */
export function unrecorded(releases: string): string[] {
  const pulled = new Set(readRecord(releases)?.pulled);
  return manifestIds(releases).filter(id => !pulled.has(id));
}

/** Ids of the releases of a home that a store never had: an ingest of this home made them. */
export async function ownReleases(store: ObjectStore, releases: string): Promise<string[]> {
  const own = new Set(unrecorded(releases));
  for (let number = own.size > 0 ? await lastNumber(store, 0) : 0; number > 0 && own.size > 0; number--)
    own.delete((await entryAt(store, number))?.release ?? '');
  return [...own];
}
