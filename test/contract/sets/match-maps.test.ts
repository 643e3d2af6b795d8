import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { identified } from '../../../pipelines/release/manifest.ts';
import { publish } from '../../../query/release/home/publish.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { plat, type Served, serve, until } from '../plat.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-match-maps-'));
const home = join(folder, 'home');
const FILTERS = [
  { field: 'state', op: 'eq', value: 'ME' },
  { field: 'acreage', op: 'lt', value: 3 },
];
let servers: [Served, Served];
let token: string;
beforeAll(async () => {
  cpSync((await syntheticHome()).home, home, { recursive: true });
  token = plat(home, 'token', 'create', '--account', 'maps@example.org').stdout.trim();
  servers = await Promise.all([serve(home), serve(home)]);
}, 300_000);
afterAll(async () => {
  for (const { child, ended } of servers ?? []) {
    child.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

async function post(server: Served, path: string, body: object) {
  const response = await fetch(server.address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** Asks a server for a tile of an address that another one gave. @returns its parcels, and the status. */
async function tileOf(server: Served, address: string, z = 0, x = 0, y = 0) {
  const { pathname } = new URL(address.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`));
  const response = await fetch(server.address + pathname);
  const { layers } = new VectorTile(new PbfReader(response.ok ? await response.arrayBuffer() : new ArrayBuffer()));
  const { match_points: points } = layers;
  let parcels = 0;
  for (let i = 0; i < (points?.length ?? 0); i++) parcels += Number(points!.feature(i).properties.count);
  return { status: response.status, parcels };
}

it('a map that one server made is shown by another, with as many parcels as are counted', async () => {
  const { status, body } = await post(servers[0], '/v1/search/tiles', { filters: FILTERS });
  expect([status, body.warnings]).toEqual([200, []]);
  const { count } = (await post(servers[0], '/v1/search/count', { filters: FILTERS })).body;
  expect(count).toBeGreaterThan(25);
  for (const server of servers) expect(await tileOf(server, body.tiles)).toEqual({ status: 200, parcels: count });
  expect(await tileOf(servers[1], body.tiles, 3, 7, 7)).toEqual({ status: 204, parcels: 0 });
});

it('the command line makes one too, which the servers of its home show', async () => {
  const question = join(folder, 'question.json');
  writeFileSync(question, JSON.stringify({ filters: FILTERS }));
  const { status, stdout, stderr } = plat(home, 'tiles', '--json', question);
  expect([status, stderr]).toEqual([0, '']);
  const { tiles } = JSON.parse(stdout) as { tiles: string };
  const { count } = (await post(servers[0], '/v1/search/count', { filters: FILTERS })).body;
  expect(await tileOf(servers[1], tiles)).toEqual({ status: 200, parcels: count });
});

it('a map stays of its release when another is published, until that is pruned', async () => {
  const releases = join(home, 'releases');
  const before = currentId(releases)!;
  const { tiles } = (await post(servers[0], '/v1/search/tiles', { filters: FILTERS })).body as { tiles: string };
  const manifest = readManifest(releases, before);
  const { partitions, ...main } = manifest.datasets.parcel_store!.main!;
  const without = { ...main, partitions: [] as typeof partitions };
  const next = identified({
    ...manifest,
    datasets: { ...manifest.datasets, parcel_store: { ...manifest.datasets.parcel_store, main: without } },
    previous: before,
  });
  await publish(releases, next);
  const health = async () => (await (await fetch(`${servers[1].address}/tiles.json`)).json()) as { release: string };
  expect((await until(health, ({ release }) => release === next.id)).release).toBe(next.id);
  const shown = await tileOf(servers[1], tiles);
  expect(shown.status).toBe(200);
  expect(shown.parcels).toBeGreaterThan(25);
  const now = await post(servers[1], '/v1/search/tiles', { filters: FILTERS });
  expect(now.body.warnings).not.toEqual([]);
  rmSync(join(releases, `${before}.json`));
  expect((await tileOf(servers[1], tiles, 1, 0, 0)).status).toBe(404);
});
