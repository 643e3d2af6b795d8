import { worldFiles } from './layer.ts';
import { makeWorld } from './world.ts';
import { type WrittenFile, writeFiles } from './write-files.ts';

interface GenerateOptions {
  /** Rows of the parcel roll. */
  readonly parcels: number;
  readonly seed: number;
  /** Folder to write to; made when missing, files of the same names are replaced. */
  readonly out: string;
  /** Writes these paths alone; by default every file of the area. */
  readonly only?: ReadonlySet<string>;
  /** Called before each file with its path and how many are done of how many. */
  readonly onProgress?: (path: string, done: number, total: number) => void;
}

/** What was written. */
export interface WorldSummary {
  readonly out: string;
  readonly parcels: number;
  readonly seed: number;
  readonly files: readonly WrittenFile[];
}

/**
 * Writes the synthetic area as published files below `out`, in the formats and under the column names of the real
 * sources. The same parcels, seed and choice of files give the same bytes.
 * @throws RangeError when parcels or seed are out of range; whatever the file system throws.
 */
export async function generateWorld(options: GenerateOptions): Promise<WorldSummary> {
  const { parcels, seed, out, only, onProgress } = options;
  const files = worldFiles(await makeWorld({ parcels, seed })).filter(file => only?.has(file.path) ?? true);
  return { out, parcels, seed, files: await writeFiles(files, out, onProgress) };
}
