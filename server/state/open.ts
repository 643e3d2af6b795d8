import { join } from 'node:path';
import type { Settings } from '../../query/engine/settings.ts';
import { type OutageLog, Watch } from './outage/watch.ts';
import { watchedStore } from './outage/watched-store.ts';
import { privateFile, privateHome } from './private-files.ts';
import type { StateStore } from './store.ts';

/**
 * Checks that servers which share a state store also share secrets. Secrets made in one machine's PLAT_HOME would sign
 * tokens and cursors that the other machines refuse.
 * @param names the secrets that the caller uses.
 * @throws RangeError that names the missing settings.
 */
export function requireSecrets(settings: Settings, names: readonly ('tokenSecret' | 'cursorSecret')[]): void {
  if (settings.stateUrl === '') return;
  const variables = { tokenSecret: 'PLAT_TOKEN_SECRET', cursorSecret: 'PLAT_CURSOR_SECRET' } as const;
  const missing = names.filter(name => settings[name] === null).map(name => variables[name]);
  if (missing.length > 0)
    throw new RangeError(
      `PLAT_STATE_URL needs ${missing.join(' and ')}: give every server of this state store the same secrets of at least 32 characters, for example from \`openssl rand -base64 32\``,
    );
}

/**
 * Opens the state store that the settings name.
 * @param url `postgres://…`, or empty for `<home>/state.sqlite`.
 * @param log of a server, whose requests must not wait for a store that is down: every call is answered or refused
 * (StateUnavailable) within two seconds. Without it, calls fail with the error of the database.
 * @throws RangeError for another kind of URL; Error when it cannot be opened. No message repeats the URL, which may
 * hold a password.
 */
export async function openState(home: string, url: string, log: OutageLog | null = null): Promise<StateStore> {
  const watch = log && new Watch(log);
  try {
    const store = await openUnwatched(home, url, watch);
    return watch ? watchedStore(store, watch) : store;
  } catch (error) {
    watch?.close();
    throw error;
  }
}

/** Loads the driver of one database only, which halves the start of a command. */
async function openUnwatched(home: string, url: string, watch: Watch | null): Promise<StateStore> {
  if (url !== '') {
    if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
      throw new RangeError(
        'PLAT_STATE_URL: expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, or nothing for the SQLite file PLAT_HOME/state.sqlite',
      );
    return (await import('./postgres.ts')).openPostgres(url, watch);
  }
  privateHome(home);
  return (await import('./sqlite.ts')).openSqlite(privateFile(join(home, 'state.sqlite')), watch);
}
