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
/** Folders that do not count: downloads, and definitions of layers, which are part of the key already. */
const BESIDE = /^(?:acquire|products|places|enrich|codes)$/;

let version: string | null = null;

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isDirectory()) {
      if (!BESIDE.test(entry.name)) yield* filesBelow(`${folder}${entry.name}/`);
    } else if (/\.[jt]s$/.test(entry.name)) yield `${folder}${entry.name}`;
  }
}

/**
 * Returns a hash over the code that reads, checks and writes published files, and over the versions of its packages. If it
 * changes, every layer is built anew. Comments count too: building once too often does no harm, once too seldom does.
 */
export function codeVersion(): string {
  if (version !== null) return version;
  const hash = createHash('sha256');
  for (const room of ROOMS)
    for (const file of filesBelow(fileURLToPath(new URL(room, import.meta.url)))) hash.update(readFileSync(file));
  for (const up of ['../../', '../../../']) {
    const lock = fileURLToPath(new URL(`${up}package-lock.json`, import.meta.url));
    if (!existsSync(lock)) continue;
    hash.update(readFileSync(lock));
    break;
  }
  version = hash.digest('hex');
  return version;
}
