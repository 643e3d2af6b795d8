import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '../../../datasets/catalog.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { type Service, startServer } from '../../../server/service.ts';
import { freePort } from '../../free-port.ts';
import { folder } from '../../pipelines/world/truth.ts';
import { syntheticHome } from '../../synthetic-home.ts';

/** A server of the shared area with an account. */
export interface OgcServer {
  readonly service: Service;
  readonly token: string;
  /** The address of the OGC API. */
  readonly base: string;
  readonly end: () => Promise<void>;
}

/** Starts a server of the shared area. */
export async function ogcServer(): Promise<OgcServer> {
  const at = folder();
  const home = join(at, 'home');
  cpSync((await syntheticHome()).home, home, { recursive: true });
  const port = String(await freePort());
  const settings = { PLAT_HOME: home, PORT: port, PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error' };
  const service = await startServer(readSettings(settings), catalog);
  const token = await service.tokens.issue(await service.state.openAccount('gis@example.org', 'scale'));
  const end = async () => {
    await service.drain(1000);
    rmSync(at, { recursive: true, force: true });
  };
  return { service, token, base: `${service.address}/v1/ogc`, end };
}
