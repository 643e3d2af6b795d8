import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cadenceDays } from '../../datasets/cadence.ts';
import { catalog } from '../../datasets/catalog.ts';
import type { Place } from '../../datasets/place/place.ts';
import { replaceFile, TakenFiles } from '../../ingest/acquire/taken.ts';
import { publishedFiles } from './published-files.ts';

/** A place that is kept fresh: how it was ingested. */
interface Kept {
  readonly place?: string;
  readonly placeFile?: string;
  readonly sources: string;
}

const pathOf = (home: string) => join(home, 'refresh.json');

/**
 * Places whose files were downloaded at least once, by name.
 * @throws Error when the folder of downloads is there and cannot be read.
 */
export function keptFresh(home: string): Record<string, Kept> {
  try {
    return JSON.parse(readFileSync(pathOf(home), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Files a place among those that a refresh looks at. Only under the lock, or right after it. */
export async function keepFresh(home: string, name: string, kept: Kept): Promise<void> {
  await mkdir(home, { recursive: true });
  replaceFile(pathOf(home), `${JSON.stringify({ ...keptFresh(home), [name]: kept }, null, 1)}\n`);
}

/** Takes a place from among those that a refresh looks at. Only under the lock, or right after it. */
export function forgetFresh(home: string, name: string): void {
  const { [name]: gone, ...rest } = keptFresh(home);
  if (gone) replaceFile(pathOf(home), `${JSON.stringify(rest, null, 1)}\n`);
}

const DAY_MS = 86_400_000;

/**
 * Datasets of a place whose cadence says that their publisher is worth asking again: at least one of their files was not asked
 * for, or so many days ago. Its datasets in the order of its files.
 */
export function dueDatasets(place: Place, sources: string, now: Date): string[] {
  const taken = new TakenFiles(sources);
  const due = new Set<string>();
  for (const { file, datasets } of publishedFiles(place))
    for (const dataset of datasets) {
      const found = catalog.datasets.get(dataset);
      if (!found) continue;
      const days = (now.getTime() - Date.parse(taken.get(file)?.askedAt ?? '')) / DAY_MS;
      // Asked in the future: the clock was wrong then or is now, so that nothing is known.
      if (!(days >= 0 && days < cadenceDays(found.cadence))) due.add(dataset);
    }
  return [...due];
}
