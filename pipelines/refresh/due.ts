import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cadenceDays } from '../../datasets/cadence.ts';
import { catalog } from '../../datasets/catalog.ts';
import type { Place } from '../../datasets/place/place.ts';
import { replaceFile, TakenFiles } from '../../ingest/acquire/taken.ts';
import { publishedFiles } from './published-files.ts';

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

/** Adds a place to those that `plat refresh` checks. Call it only under the lock, or right after it. */
export async function keepFresh(home: string, name: string, kept: Kept): Promise<void> {
  await mkdir(home, { recursive: true });
  replaceFile(pathOf(home), `${JSON.stringify({ ...keptFresh(home), [name]: kept }, null, 1)}\n`);
}

/** Removes a place from those that `plat refresh` checks. Call it only under the lock, or right after it. */
export function forgetFresh(home: string, name: string): void {
  const { [name]: gone, ...rest } = keptFresh(home);
  if (gone) replaceFile(pathOf(home), `${JSON.stringify(rest, null, 1)}\n`);
}

const DAY_MS = 86_400_000;

/**
 * Returns the datasets of a place that are due, in the order of its files. A dataset is due if one of its files was never checked
 * at the publisher, or if the last check is as many days ago as the cadence says.
 */
export function dueDatasets(place: Place, sources: string, now: Date): string[] {
  const taken = new TakenFiles(sources);
  const due = new Set<string>();
  for (const { file, datasets } of publishedFiles(place))
    for (const dataset of datasets) {
      const found = catalog.datasets.get(dataset);
      if (!found) continue;
      const days = (now.getTime() - Date.parse(taken.get(file)?.askedAt ?? '')) / DAY_MS;
      // A check in the future means that the clock was or is wrong: treat the file as due.
      if (!(days >= 0 && days < cadenceDays(found.cadence))) due.add(dataset);
    }
  return [...due];
}
