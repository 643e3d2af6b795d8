import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Manifest } from '../../datasets/release.ts';

/** No such release, or its manifest cannot be read. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

const digest = (manifest: Manifest) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** The text of a manifest's file: with a checksum over all else, so that a changed bit cannot pass for another release. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify({ ...manifest, sha256: digest(manifest) }, null, 1)}\n`;
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

/** @throws Error saying what is wrong. */
function parse(text: string, id: string): Manifest {
  const whole: unknown = JSON.parse(text);
  if (!isRecord(whole)) throw new Error('it is no JSON object');
  const { sha256, ...manifest } = whole as unknown as { sha256?: unknown } & Manifest;
  if (manifest.format !== 1) throw new Error(`expected manifest format 1, found ${manifest.format}`);
  if (manifest.id !== id) throw new Error(`it is of release ${manifest.id}`);
  // Old builds wrote no checksum, and no key but these: another one may be the checksum's own, damaged.
  const stray = sha256 === undefined ? Object.keys(manifest).find(key => !UNSUMMED.has(key)) : undefined;
  if (stray !== undefined) throw new Error(`it has a key ${JSON.stringify(stray)} and no checksum`);
  if (sha256 !== undefined && sha256 !== digest(manifest)) throw new Error('its content does not have its checksum');
  const layers = isRecord(manifest.datasets) ? Object.values(manifest.datasets).flatMap(Object.values) : [null];
  if (!Array.isArray(manifest.ingests) || !layers.every(l => isRecord(l) && Array.isArray(l.partitions)))
    throw new Error('datasets, partitions or ingests are missing');
  return manifest;
}

/**
 * Reads the manifest of a release.
 * @param path of its file; the file `current` stands beside it.
 * @throws ReleaseError saying what is wrong and what to do.
 */
export function readManifestFile(path: string, id: string): Manifest {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new ReleaseError(`No release ${id}: ${path} is missing; \`plat release list\` shows those there are`);
    throw new ReleaseError(`The manifest ${path} cannot be read (${code}); let this user read it`);
  }
  try {
    return parse(text, id);
  } catch (error) {
    throw new ReleaseError(
      `The manifest of release ${id} is damaged: ${(error as Error).message}. Restore ${path} from a copy; or, when ` +
        `another release shall serve, write its id into ${dirname(path)}/current and remove this file`,
    );
  }
}
