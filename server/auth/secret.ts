import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { secretFault } from '../../query/engine/setting/secret-strength.ts';

/**
 * Reads the secret of a name, or makes it: 256 random bits in `<home>/secrets/<name>`, readable by the owner only.
 * Two processes that start at once get the same secret, because only one of them can link its complete file to the
 * name.
 * @throws Error that names the file when it cannot be read or is too weak to be a key.
 */
export function keptSecret(home: string, name: 'token' | 'cursor'): string {
  const folder = join(home, 'secrets');
  const file = join(folder, name);
  const read = () => {
    const text = readFileSync(file, 'utf8').trim();
    const fault = secretFault(text);
    if (fault !== null) throw new Error(`${file}: ${fault}; delete it to make a new one`);
    return text;
  };
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${randomUUID()}`);
  try {
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read();
}
