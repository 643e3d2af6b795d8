// One server of the bench, started as a child process: Plat's own engine, or PostGIS in its place. All else is the same.
import { catalog } from '../../datasets/catalog.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { type Greeting, isKept, keepServing, tellKeeper } from '../../server/processes.ts';
import { startServer } from '../../server/service.ts';
import { createPostgisEngine } from '../postgis/engine.ts';

/** What the child tells its parent once it listens. */
export interface Listening {
  readonly address: string;
  readonly token: string;
}

/** Connections of the peer: as many as the bench has clients at most. */
const CONNECTIONS = 8;

/** The folder of state is the home of releases, or for the peer, whose URL is given, one of its own. */
const [home, state, url] = process.argv.slice(2) as [string, string, string | undefined];
const settings = readSettings({
  ...process.env,
  PLAT_HOME: state,
  PORT: '0',
  PLAT_RATE_LIMIT: 'off',
  PLAT_LOG: 'error',
});

/** Serves until `stop`. @param tell hears the token as the only line. */
async function serve(tell: (greeting: Greeting) => void, stop: Promise<unknown>): Promise<void> {
  const service = await (url === undefined
    ? startServer(settings, catalog)
    : startServer(settings, catalog, async () => createPostgisEngine(url, openRelease(home), CONNECTIONS)));
  const token = await service.tokens.issue(await service.state.openAccount('bench@plat.invalid', 'market'));
  tell({ address: service.address, lines: [token] });
  await stop;
  await service.drain(0);
}

const greet = ({ address, lines }: Greeting) => process.send!({ address, token: lines[0]! } satisfies Listening);
const event = (name: string) => new Promise(resolve => process.once(name, resolve));
if (settings.processes === 1) await serve(greet, event('disconnect'));
else if (isKept) await serve(tellKeeper, event('SIGTERM'));
else {
  const warn = (line: string) => process.stderr.write(`${line}\n`);
  process.exitCode = await keepServing(settings.processes, { greet, warn, stop: event('disconnect') });
}
process.exit();
