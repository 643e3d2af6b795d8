import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cadenceDays } from '../../datasets/cadence.ts';
import { catalog } from '../../datasets/catalog.ts';
import type { Place } from '../../datasets/place/place.ts';
import { replaceFile, TakenFiles } from '../../ingest/acquire/taken.ts';
import { waitForTurn } from '../../query/release/home/lock.ts';
import { PlaceBook } from './place-book.ts';
import { type PublishedFileOfPlace, publishedFiles } from './published-files.ts';

/** How a place was ingested that `plat refresh` keeps up to date. */
interface Kept {
  readonly place?: string;
  readonly placeFile?: string;
  readonly sources: string;
}

const pathOf = (home: string) => join(home, 'refresh.json');

/**
 * Returns the places whose files were downloaded at least once, by name.
 * @throws Error when the list exists but cannot be read.
 */
export function keptFresh(home: string): Record<string, Kept> {
  try {
    return JSON.parse(readFileSync(pathOf(home), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Adds a place to those that `plat refresh` checks. */
export async function keepFresh(home: string, name: string, kept: Kept): Promise<void> {
  await mkdir(home, { recursive: true });
  change(home, places => ({ ...places, [name]: kept }));
}

/** Removes a place from those that `plat refresh` checks. */
export function forgetFresh(home: string, name: string): void {
  new PlaceBook(home).forget(name);
  change(home, ({ [name]: _, ...rest }) => rest);
}

/** Replaces the list. Another process that ingests may do so too: neither loses what the other wrote. */
function change(home: string, of: (places: Record<string, Kept>) => Record<string, Kept>): void {
  const turn = waitForTurn(join(home, 'releases'), 'book');
  try {
    replaceFile(pathOf(home), `${JSON.stringify(of(keptFresh(home)), null, 1)}\n`);
  } finally {
    turn.release();
  }
}

const DAY_MS = 86_400_000;

/**
 * Returns the files of a place that are due, in its order. A file is due if it was never had from its publisher, or if that was as
 * many days ago as its own cadence says, or that of one of its datasets. The coverage of a place is asked for with any other file.
 */
export function dueFiles(place: Place, sources: string, now: Date): PublishedFileOfPlace[] {
  const taken = new TakenFiles(sources);
  const ownOf = (file: string) => place.files?.[file]?.cadence;
  const isDue = ({ file, datasets }: PublishedFileOfPlace) => {
    const own = ownOf(file);
    const words = own === undefined ? datasets.flatMap(name => catalog.datasets.get(name)?.cadence ?? []) : [own];
    const days = (now.getTime() - Date.parse(taken.get(file)?.askedAt ?? '')) / DAY_MS;
    // A check in the future means that the clock was or is wrong: treat the file as due.
    return words.some(cadence => !(days >= 0 && days < cadenceDays(cadence)));
  };
  const files = publishedFiles(place);
  const due = new Set(files.filter(isDue));
  const withDue = ({ file, datasets }: PublishedFileOfPlace) =>
    datasets.includes('coverage') && ownOf(file) === undefined;
  return due.size === 0 ? [] : files.filter(file => due.has(file) || withDue(file));
}

/** Returns the datasets whose layers read some files, in the order of the files. */
export const datasetsOf = (files: readonly PublishedFileOfPlace[]): string[] =>
  [...new Set(files.flatMap(file => file.datasets))].filter(dataset => catalog.datasets.has(dataset));
