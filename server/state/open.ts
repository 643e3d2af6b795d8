import { join } from 'node:path';
import type { Settings } from '../../query/engine/settings.ts';
import { type OutageLog, Watch } from './outage/watch.ts';
import { watchedStore } from './outage/watched-store.ts';
import { privateFile, privateHome } from './private-files.ts';
import type { StateStore } from './store.ts';

/**
 * A state store that several machines share needs secrets that they share too: ones made in a machine's own PLAT_HOME
 * would sign tokens and cursors that the others refuse.
 * @param names which secrets the caller uses.
 * @throws RangeError naming what must be given.
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
 * @param log of a server, whose requests must not wait for a store that does not answer: every call is answered or refused
 * (StateUnavailable) within two seconds. Without it what fails says so itself.
 * @throws RangeError for any other store; Error when it cannot be opened. Neither repeats the URL (it may hold a password).
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

/** Loads the driver of one database only: a command starts in half the time. */
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
