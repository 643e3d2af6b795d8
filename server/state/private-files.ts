import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';

const OTHERS = 0o077;
/** Names in a folder that Plat made. */
const OURS = new Set([
  'corrections.ndjson',
  'last-backup',
  'logs',
  'releases',
  'secrets',
  'sound-files',
  'withheld.ndjson',
  'world',
]);

const mine = (path: string) => statSync(path).uid === process.getuid?.();

/**
 * Makes the folder of state and secrets for its owner only, or closes it to others: 0700. One that holds what is not
 * Plat's (somebody's home, /tmp) is left as it is; the files of `privateFile` are closed in it all the same.
 */
export function privateHome(home: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { mode } = statSync(home);
  if ((mode & OTHERS) === 0 || !mine(home)) return;
  const names = readdirSync(home);
  if (names.every(name => OURS.has(name) || name.startsWith('state.sqlite'))) chmodSync(home, mode & 0o700);
}

/** Makes the SQLite file of a home for its owner only, or closes it to others: 0600. Its log gets the mode it has. */
export function privateFile(file: string): string {
  closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`])
    if (existsSync(path) && (statSync(path).mode & OTHERS) !== 0 && mine(path)) chmodSync(path, 0o600);
  return file;
}
