import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { identified } from '../../pipelines/release/manifest.ts';
import { readManifest } from '../../query/release/home/releases.ts';
import { filesOf } from '../../query/release/home/store.ts';
import { manifestText } from '../../query/release/manifest.ts';
import { FILES, feature, square, village, writeFiles } from '../pipelines/village.ts';
import { plat, type Served, serve, until } from './plat.ts';

const folders: string[] = [];
const folder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'plat-release-')));
  return folders.at(-1)!;
};
const servers: Served[] = [];
afterEach(() => {
  for (const { child } of servers.splice(0)) child.kill('SIGKILL');
});
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

const POINT = { lat: 44.005, lng: -68.995 };

/** A home with a release for each wetland that lay at POINT, one after the other. */
function homeWith(zones: readonly string[]) {
  const [home, sources] = [folder(), folder()];
  const place = join(sources, 'place.json');
  writeFileSync(place, JSON.stringify(village));
  writeFiles(sources, FILES);
  const ingest = (zone: string) => {
    writeFiles(sources, { 'wetlands.geojson': [feature('Polygon', [square(-69, 44)], { code: zone })] });
    return document(
      'ingest',
      'run',
      '--sources',
      sources,
      '--place-file',
      place,
      '--threads',
      '0',
      '--accept',
      'village',
    ).release as string;
  };
  const document = (...args: string[]) => {
    const { status, stdout, stderr } = plat(home, ...args, '--json');
    expect({ args, status, stderr }).toMatchObject({ args, status: 0 });
    return JSON.parse(stdout);
  };
  const manifest = (id: string) => readManifest(join(home, 'releases'), id);
  const missing = (id: string) => filesOf(manifest(id)).filter(({ path }) => !existsSync(join(home, 'releases', path)));
  const listed = () => (document('release', 'list') as { id: string }[]).map(row => row.id);
  const token = plat(home, 'token', 'create', '--account', 'a@b.org', '--plan', 'market').stdout.trim();
  const running = async () => {
    const server = await serve(home, { PLAT_RATE_LIMIT: 'off' });
    servers.push(server);
    const zone = async () => {
      const reply = await fetch(`${server.address}/v1/fetch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...POINT, fields: ['nwi_wetland_code'] }),
      });
      return ((await reply.json()) as { fields: { nwi_wetland_code: { value: unknown } } }).fields.nwi_wetland_code
        .value;
    };
    return { ...server, zone };
  };
  return { home, ids: zones.map(ingest), ingest, document, manifest, missing, listed, running };
}

it('a release is rolled back under a running server, and pruning removes nothing that it serves', async () => {
  const { home, ids, ingest, document, missing, listed, running } = homeWith(['A', 'B']);
  const [a, b] = ids as [string, string];
  const server = await running();
  expect(await server.zone()).toBe('B');

  expect(document('release', 'rollback')).toEqual({ from: b, to: a });
  expect(await until(server.zone, zone => zone === 'A')).toBe('A');
  // In the order in which they became current.
  expect(listed()).toEqual([b, a]);
  expect(document('release', 'rollback', b)).toEqual({ from: a, to: b });
  expect(await until(server.zone, zone => zone === 'B')).toBe('B');

  // Stopped by its operator, it cannot follow; it answers from what it has when it goes on.
  server.child.kill('SIGSTOP');
  const [c, d] = [ingest('C'), ingest('D')];
  const would = document('release', 'prune', '--keep', '0', '--dry-run');
  expect(listed()).toHaveLength(4);
  expect(document('release', 'prune', '--keep', '0')).toEqual(would);
  expect(would).toMatchObject({ removed: [c], served: [a, b] });
  expect(would.bytes).toBeGreaterThan(0);
  expect(listed().sort()).toEqual([a, b, d].sort());
  for (const id of [a, b, d]) expect(missing(id)).toEqual([]);
  server.child.kill('SIGCONT');
  const answers = new Set<unknown>();
  await until(
    async () => {
      answers.add(await server.zone());
      return answers.has('D');
    },
    done => done,
  );
  expect([...answers]).toEqual(expect.arrayContaining(['D']));
  for (const answer of answers) expect(['B', 'D']).toContain(answer);

  server.child.kill('SIGTERM');
  await server.ended;
  expect(document('release', 'prune', '--keep', '0')).toMatchObject({
    removed: expect.arrayContaining([a, b]),
    served: [],
  });
  expect(listed()).toEqual([d]);
  expect(document('release', 'verify')).toMatchObject({ release: d, damage: [] });
  const stored = readdirSync(join(home, 'releases', 'files'), { recursive: true, encoding: 'utf8' });
  expect(stored.filter(name => name.includes('.'))).toHaveLength(
    new Set(filesOf(readManifestOf(home, d)).map(f => f.path)).size,
  );
  expect(await (await running()).zone()).toBe('D');
});

const readManifestOf = (home: string, id: string) => readManifest(join(home, 'releases'), id);

it('a manifest that was never published is no release, and the next run clears it away', () => {
  const { home, ids, ingest, listed, manifest } = homeWith(['A']);
  const first = manifest(ids[0]!);
  const never = identified({ ...first, asOf: '2020-01-01', previous: first.id });
  const path = join(home, 'releases', `${never.id}.json`);
  writeFileSync(path, manifestText(never));
  expect(listed()).toEqual(ids);
  const refused = plat(home, 'release', 'rollback', never.id);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('was never published') });
  const next = ingest('B');
  expect(listed()).toEqual([...ids, next]);
  expect(existsSync(path)).toBe(false);
});

it('releases of a home that did not write down what was published stay what they are', () => {
  const { home, ids, ingest, listed } = homeWith(['A', 'B']);
  rmSync(join(home, 'releases', 'published'));
  expect(listed()).toEqual(ids);
  const next = ingest('C');
  expect(listed()).toEqual([...ids, next]);
});

it('a rollback to what is not whole is refused, and the current release stays', () => {
  const { home, ids, manifest } = homeWith(['A', 'B']);
  const own = filesOf(manifest(ids[0]!)).find(f => !filesOf(manifest(ids[1]!)).some(g => g.path === f.path))!;
  rmSync(join(home, 'releases', own.path));
  const { status, stderr } = plat(home, 'release', 'rollback');
  expect([status, stderr]).toEqual([1, expect.stringMatching(/cannot be current: .* is missing/)]);
  expect(readFileSync(join(home, 'releases', 'current'), 'utf8').trim()).toBe(ids[1]);
  expect(plat(home, 'release', 'rollback', '20200101-00000000').status).toBe(1);
  expect(plat(home, 'release', 'prune', '--keep', 'all').status).toBe(2);
});
