// One server of the bench, started as a child process: Plat as it comes, or a database in the place of its engine.
import { catalog } from '../../datasets/catalog.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { startServer } from '../../server/service.ts';
import { postgis } from '../postgis/database.ts';
import { sqlite } from '../sqlite/database.ts';
import { createPeerEngine } from './peer.ts';

/** What the child tells its parent once it listens. */
export interface Listening {
  readonly address: string;
  readonly token: string;
}

/** Connections of PostGIS: as many as the bench has clients at most. */
const CONNECTIONS = 8;

/** The folder of state is the home of releases, or for a peer one of its own; the source is its URL or file. */
const [home, state, kind, source] = process.argv.slice(2) as [string, string, string, string];
const settings = readSettings({
  ...process.env,
  PLAT_HOME: state,
  PORT: '0',
  PLAT_RATE_LIMIT: 'off',
  PLAT_LOG: 'error',
});

async function peer() {
  const release = openRelease(home);
  return createPeerEngine(kind === 'SQLite' ? sqlite(source, release) : postgis(source, release, CONNECTIONS), release);
}

const service = await startServer(settings, catalog, ...(kind === 'Plat' ? [] : [peer]));
const token = await service.tokens.issue(await service.state.openAccount('bench@plat.invalid', 'market'));
process.send!({ address: service.address, token } satisfies Listening);
await new Promise(resolve => process.once('disconnect', resolve));
await service.drain(0);
process.exit();
