import { afterAll, beforeAll, expect, vi } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { plat, type Served, serve, until } from '../contract/plat.ts';
import { POSTGRES_INSTALLED } from './state/postgres.ts';
import { type SharedPostgres, sharedPostgres } from './state/shared-postgres.ts';

/** All fields that there are. */
export const NAMES = [...catalog.fields.keys()];

/** A server with questions for it. */
export interface ReplicaServer extends Served {
  ready(): Promise<{ readonly code: number; readonly json: Record<string, unknown> }>;
  at(
    fields: readonly string[],
    place: readonly [lng: number, lat: number],
  ): Promise<{ readonly code: number; readonly json: { readonly fields: Record<string, unknown> } }>;
  /** Waits until it answers from a release. */
  answers(release: string): Promise<void>;
}

/**
 * Servers for the tests of a file, which end with them. Where PostgreSQL is installed, all have one database and one token.
 * @returns what starts one, with a token of it.
 */
export function useReplicaServers(): (home: string, env?: Record<string, string>) => Promise<ReplicaServer> {
  const servers: Served[] = [];
  let postgres: SharedPostgres | null = null;
  let token = '';
  beforeAll(async () => {
    if (!POSTGRES_INSTALLED) return;
    postgres = await sharedPostgres();
    vi.stubEnv('PLAT_STATE_URL', await postgres.migrated());
    vi.stubEnv('PLAT_TOKEN_SECRET', 'w8Zq3nB1xT6rLm0YfKc5VdJh2sGu9PaE');
    vi.stubEnv('PLAT_CURSOR_SECRET', 'Hk4oNd7RbX2vQy9MzTj6WcLs1GfPe8Ua');
  });
  afterAll(async () => {
    for (const { child } of servers) child.kill('SIGKILL');
    await Promise.all(servers.map(({ ended }) => ended));
    await postgres?.drop();
  });
  return async (home, env = {}) => {
    if (token === '' || !postgres)
      token = plat(home, 'token', 'create', '--account', 'a@b.org', '--plan', 'market').stdout.trim();
    const authorization = `Bearer ${token}`;
    const served = await serve(home, { PLAT_RATE_LIMIT: 'off', PLAT_RELEASES_POLL_MS: '200', ...env });
    servers.push(served);
    const ready = async () => {
      const reply = await fetch(`${served.address}/readyz`, { headers: { connection: 'close' } });
      return { code: reply.status, json: (await reply.json()) as Record<string, unknown> };
    };
    return {
      ...served,
      ready,
      async at(fields, [lng, lat]) {
        const reply = await fetch(`${served.address}/v1/fetch`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ lng, lat, fields }),
        });
        return { code: reply.status, json: (await reply.json()) as { fields: Record<string, unknown> } };
      },
      async answers(release) {
        // Processes answer in turn, and each of them follows by itself.
        let row = 0;
        const followed = async () => {
          const { code, json } = await ready();
          row = code === 200 && json.release === release ? row + 1 : 0;
        };
        // A first pull makes each of hundreds of files durable.
        for (let i = 0; i < 4 && row < 4; i++) await until(followed, () => row >= 4);
        expect(await ready()).toMatchObject({ code: 200, json: { release, status: 'ready' } });
      },
    };
  };
}

/** A place in the middle of the first layer of a home that says where it is. */
export function placeIn(home: string): readonly [lng: number, lat: number] {
  const boxes = Object.values(openRelease(home).manifest.datasets).flatMap(layers =>
    Object.values(layers).flatMap(({ partitions }) => partitions.flatMap(({ box }) => (box ? [box] : []))),
  );
  const [west, south, east, north] = boxes[0]!;
  return [(west + east) / 2, (south + north) / 2];
}

/** Answers without the moment at which they were found. */
const timeless = (fields: Record<string, unknown>) =>
  Object.entries(fields).map(([name, answer]) => [name, { ...(answer as object), fetched_at: null }]);

/** Two servers answer every field at a place in the same way. */
export async function expectSameAnswers(
  one: ReplicaServer,
  other: ReplicaServer,
  place: readonly [lng: number, lat: number],
): Promise<void> {
  for (let i = 0; i < NAMES.length; i += 50) {
    const names = NAMES.slice(i, i + 50);
    const [there, reply] = [await one.at(names, place), await other.at(names, place)];
    expect(reply.code).toBe(200);
    expect(timeless(reply.json.fields)).toEqual(timeless(there.json.fields));
  }
}
