import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Manifest } from '../../datasets/release.ts';
import { headOf, openHead } from './lists/sharded-manifest.ts';

/** No such release, or its manifest cannot be read. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

const digestOf = (json: string) => createHash('sha256').update(json).digest('hex');

/** Between two partitions, counts or lists of a manifest's JSON: nowhere else, because a quote in a text is escaped. */
const BETWEEN = /\},\{"(?=key":|place":|version":)/g;

/**
 * The text of a manifest's file: JSON, a partition, a count or a list a line, with a checksum over all else but the ends of
 * lines, so that a changed bit cannot pass for another release. Its lists must stand in shards (see withShards).
 */
export function manifestText(manifest: Manifest): string {
  const json = JSON.stringify(headOf(manifest));
  return `${json.slice(0, -1).replace(BETWEEN, '},\n{"')},"sha256":"${digestOf(json)}"}\n`;
}

const LINE = 10;
const SUM = /,"sha256":"([0-9a-f]{64})"\}\n$/;

/** Whether bytes are as manifestText writes them and have their checksum. What an editor or an earlier build wrote is not. */
function isSummed(bytes: Buffer): boolean {
  const [end, sum] = SUM.exec(bytes.subarray(-100).toString('latin1')) ?? [];
  if (end === undefined) return false;
  const hash = createHash('sha256');
  const last = bytes.length - end.length;
  for (let from = 0; from < last; ) {
    const next = bytes.indexOf(LINE, from);
    const to = next < 0 || next > last ? last : next;
    hash.update(bytes.subarray(from, to));
    from = to + 1;
  }
  return hash.update('}').digest('hex') === sum;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const UNSUMMED = new Set([
  'format',
  'id',
  'createdAt',
  'asOf',
  'previous',
  'datasets',
  'overlays',
  'ingests',
  'accepted',
]);

/**
 * Reads a manifest from the bytes of its file.
 * @param releases folder below which its shards stand, once they are there.
 * @throws Error saying what is wrong.
 */
export function parseManifest(bytes: Buffer, id: string, releases: string): Manifest {
  const whole: unknown = JSON.parse(bytes.toString());
  if (!isRecord(whole)) throw new Error('it is no JSON object');
  const { sha256, ...manifest } = whole as unknown as { sha256?: unknown } & Manifest;
  if (![1, 2, 3].includes(manifest.format))
    throw new Error(
      `expected manifest format 1, 2 or 3, found ${manifest.format}: a newer Plat may have made it, start that one`,
    );
  if (manifest.id !== id) throw new Error(`it is of release ${manifest.id}`);
  // Old builds wrote no checksum, and no key but these: another one may be the checksum's own, damaged.
  const stray = sha256 === undefined ? Object.keys(manifest).find(key => !UNSUMMED.has(key)) : undefined;
  if (stray !== undefined) throw new Error(`it has a key ${JSON.stringify(stray)} and no checksum`);
  if (sha256 !== undefined && !isSummed(bytes) && sha256 !== digestOf(JSON.stringify(manifest)))
    throw new Error('its content does not have its checksum');
  const layers = isRecord(manifest.datasets) ? Object.values(manifest.datasets).flatMap(Object.values) : [null];
  const counts = manifest.format === 1 ? manifest.ingests : manifest.counts;
  if (!Array.isArray(counts) || !layers.every(l => isRecord(l) && Array.isArray(l.lists ?? l.partitions)))
    throw new Error('datasets, partitions or counts are missing');
  return openHead(manifest, releases);
}

/**
 * Reads the manifest of a release.
 * @param path of its file; the file `current` stands beside it.
 * @throws ReleaseError saying what is wrong and what to do.
 */
export function readManifestFile(path: string, id: string): Manifest {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new ReleaseError(`No release ${id}: ${path} is missing; \`plat release list\` shows those there are`);
    throw new ReleaseError(`The manifest ${path} cannot be read (${code}); let this user read it`);
  }
  try {
    return parseManifest(bytes, id, dirname(path));
  } catch (error) {
    throw new ReleaseError(
      `The manifest of release ${id} is damaged: ${(error as Error).message}. Restore ${path} from a copy; or, when ` +
        `another release shall serve, write its id into ${dirname(path)}/current and remove this file`,
    );
  }
}
