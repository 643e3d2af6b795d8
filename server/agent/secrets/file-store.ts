import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fromText, type Login, type LoginStore } from './store.ts';

/**
 * Stores logins in a file that only its owner can read (0600).
 * @param home folder of the user.
 * @throws Error from its methods when the file cannot be read or written, or is not JSON.
 */
export function fileStore(home: string): LoginStore {
  const file = join(home, '.config', 'plat', 'logins.json');
  const readAll = async (): Promise<Record<string, Login>> => {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw error;
    });
    try {
      const all: unknown = JSON.parse(text);
      return typeof all === 'object' && all !== null ? (all as Record<string, Login>) : {};
    } catch {
      throw new Error(`${file} is not JSON: repair or remove it, then log in again`);
    }
  };
  const writeAll = async (all: Record<string, Login>) => {
    const folder = dirname(file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const next = `${file}.${process.pid}`;
    try {
      await writeFile(next, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
      await chmod(next, 0o600);
      await rename(next, file);
    } catch (error) {
      await rm(next, { force: true });
      throw error;
    }
  };
  return {
    place: file,
    async read(service) {
      const login = (await readAll())[service];
      return login ? fromText(JSON.stringify(login)) : null;
    },
    async write(service, login) {
      await writeAll({ ...(await readAll()), [service]: login });
    },
    async remove(service) {
      const { [service]: gone, ...rest } = await readAll();
      if (gone) await writeAll(rest);
    },
  };
}
