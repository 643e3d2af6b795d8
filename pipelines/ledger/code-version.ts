import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folders whose code decides the result of a published file. */
const ROOMS = [
  '../steps/',
  '../place/',
  '../release/',
  '../../query/release/home/',
  '../../ingest/',
  '../../query/geometry/',
  '../../query/format/',
  '../../query/geocode/',
  '../../query/parcel/',
  '../../datasets/',
] as const;
/** Folders that do not count there: downloads, and definitions of layers, which are part of the key already. */
const BESIDE = /^(?:acquire|products|places|enrich|codes)$/;

/** Folders whose code decides the result of a task that another machine may do. */
const BUILD = ['../', '../../query/', '../../ingest/', '../../datasets/'] as const;

const versions = new Map<readonly string[], string>();

function* filesBelow(folder: string, beside: RegExp | null): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) {
      if (!beside?.test(entry.name)) yield* filesBelow(`${folder}${entry.name}/`, beside);
    } else if (/\.[jt]s$/.test(entry.name)) yield `${folder}${entry.name}`;
  }
}

/** Returns a hash over the code in folders, and over the versions of the packages. */
function versionOf(rooms: readonly string[], beside: RegExp | null): string {
  let version = versions.get(rooms);
  if (version !== undefined) return version;
  const hash = createHash('sha256');
  for (const room of rooms)
    for (const file of filesBelow(fileURLToPath(new URL(room, import.meta.url)), beside))
      hash.update(readFileSync(file));
  for (const up of ['../../', '../../../']) {
    const lock = fileURLToPath(new URL(`${up}package-lock.json`, import.meta.url));
    if (!existsSync(lock)) continue;
    hash.update(readFileSync(lock));
    break;
  }
  version = hash.digest('hex');
  versions.set(rooms, version);
  return version;
}

/**
 * Returns a hash over the code that reads, checks and writes published files, and over the versions of its packages. If it
 * changes, every layer is built anew. Comments count too: building once too often does no harm, once too seldom does.
 */
export const codeVersion = (): string => versionOf(ROOMS, BESIDE);

/** The same over all code of an ingest: machines of one ingest must have the same. */
export const buildVersion = (): string => versionOf(BUILD, null);
