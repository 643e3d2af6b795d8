// One server of the bench, started as a child process: Plat's own engine, or PostGIS in its place. All else is the same.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalog } from '../../datasets/catalog.ts';
import { openRelease } from '../../query/release.ts';
import { readSettings } from '../../query/settings.ts';
import { startServer } from '../../server/service.ts';
import { createPostgisEngine } from '../postgis/engine.ts';

/** What the child tells its parent once it listens. */
export interface Listening {
  readonly address: string;
  readonly token: string;
}

/** Connections of the peer: as many as the bench has clients at most. */
const CONNECTIONS = 8;

const [home, url] = process.argv.slice(2) as [string, string | undefined];
// The peer's state lies in a folder of its own, so that both keep theirs in a file alike.
const folder = url === undefined ? null : mkdtempSync(join(tmpdir(), 'plat-bench-state-'));
if (folder) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const settings = readSettings({
  ...process.env,
  PLAT_HOME: folder ?? home,
  PORT: '0',
  PLAT_RATE_LIMIT: 'off',
  PLAT_LOG: 'error',
});
const service = await (url === undefined
  ? startServer(settings, catalog)
  : startServer(settings, catalog, async () => createPostgisEngine(url, openRelease(home), CONNECTIONS)));
const token = await service.tokens.issue(await service.state.openAccount('bench@plat.invalid', 'market'));
process.send!({ address: service.address, token } satisfies Listening);
process.once('disconnect', async () => {
  await service.drain(0);
  process.exit(0);
});
