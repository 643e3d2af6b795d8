import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const RELEASE_ID = /^\d{8}-[0-9a-f]{8}$/;

/** Ids of all manifests of a home, also of those that were never published. */
export function manifestIds(releases: string): string[] {
  if (!existsSync(releases)) return [];
  return readdirSync(releases)
    .filter(name => name.endsWith('.json') && RELEASE_ID.test(name.slice(0, -5)))
    .map(name => name.slice(0, -5));
}

/** The file that says which manifests became current, and when last: one line each, the latest last. */
export const PUBLISHED = 'published';

/**
 * Id → ISO time when it became current last; null in a home of an earlier build, which did not write that down.
 * @throws Error when the record is there and cannot be read.
 */
export function publishedIn(releases: string): Map<string, string> | null {
  let text: string;
  try {
    text = readFileSync(join(releases, PUBLISHED), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const lines = text.split('\n').filter(Boolean);
  return new Map(lines.map(line => line.split(' ') as [string, string]));
}

/** The text of that file. */
export const publishedText = (published: ReadonlyMap<string, string>): string =>
  [...published].map(([id, at]) => `${id} ${at}\n`).join('');

/**
 * The release of those that are kept which became current last by a moment; null where none had. One that was gone back to counts by
 * that moment, and not by when it was published first. In a home of an earlier build, which wrote no moments down, the day in the
 * id counts.
 * @param moment UTC as `2026-11-20T23:59:59.999Z`.
 */
export function releaseBy(home: string, moment: string): string | null {
  const published = publishedIn(join(home, 'releases'));
  const day = moment.slice(0, 10).replaceAll('-', '');
  const isBy = (id: string) => (published ? published.get(id)! <= moment : id.slice(0, 8) <= day);
  return keptReleases(home).filter(isBy).at(-1) ?? null;
}

/**
 * Ids of the releases of a home that were published and are still there, the one that became current last at the end. Read
 * anew each time: releases are pruned while servers run.
 */
export function keptReleases(home: string): string[] {
  const releases = join(home, 'releases');
  const ids = manifestIds(releases);
  const there = new Set(ids);
  const published = publishedIn(releases);
  return published ? [...published.keys()].filter(id => there.has(id)) : ids.sort();
}
