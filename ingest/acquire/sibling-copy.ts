import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { hashFile } from '../../query/format/file-hash.ts';
import type { Located } from './locate.ts';
import { type Taken, TakenFiles } from './taken.ts';

/** A file that a place does not hold. */
interface Wanted {
  /** Folder of the published files of the place. */
  readonly sources: string;
  /** Path of the file below it. */
  readonly file: string;
  readonly located: Pick<Located, 'via' | 'box' | 'where'>;
  readonly taken: TakenFiles;
  readonly signal?: AbortSignal | undefined;
}

/** Folder of a home in which each place has a folder of its own. */
const FOLDER = 'sources';

/** Whether the bytes of a file are the same for every place that takes it from its address. */
const isShared = ({ via, box, where }: Wanted['located']) => (via === 'http' || via === 'ftp') && !box && where === '';

/**
 * Takes over a file of the nation or of a state that another place of the home has from the same address. It is taken by its hash and needs no room of its own, where the disk has hard links.
 * @param url its address, with the vintage that was found.
 * @returns the record; null where no other place has it whole.
 */
export async function siblingCopy(wanted: Wanted, url: string): Promise<Taken | null> {
  const { sources, file, located, taken, signal } = wanted;
  if (!isShared(located)) return null;
  const own = resolve(sources);
  if (basename(dirname(own)) !== FOLDER) return null;
  const names = await readdir(dirname(own)).catch(() => []);
  for (const name of names) {
    const folder = join(dirname(own), name);
    if (folder === own) continue;
    for (const [path, record] of new TakenFiles(folder).entries()) {
      const from = join(folder, path);
      if (record.url !== url || (await stat(from).catch(() => null))?.size !== record.bytes) continue;
      if ((await hashFile(from, signal)) !== record.sha256) continue;
      const target = join(own, file);
      await mkdir(dirname(target), { recursive: true });
      await rm(target, { force: true });
      await link(from, target).catch(() => copyFile(from, target));
      await taken.set(file, record);
      return record;
    }
  }
  return null;
}
