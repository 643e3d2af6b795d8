import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Place } from '../../datasets/place/place.ts';
import { verify } from '../../pipelines/release/verify.ts';
import { run } from '../../pipelines/run.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { listsOf } from '../../query/release/lists/layer-lists.ts';
import { LOOK_MS } from '../../query/release/verified-file.ts';
import { ended, seededDelays, startIngest } from '../pipelines/killing.ts';
import { SILENT } from '../pipelines/silent.ts';
import { feature, provenance, square, village, wetlands, writeFiles } from '../pipelines/village.ts';
import { PLAT } from '../plat.ts';

/** Moments at which something is killed. */
const KILLS = 50;

/** A village of wetlands in one county: two layers that answer fields of their own. */
const place: Place = {
  ...village,
  layers: [
    wetlands,
    {
      dataset: 'census_tiger',
      layer: 'county',
      file: 'county.geojson',
      columns: { GEOID: 'geoid', NAMELSAD: 'name' },
      unpublished: [],
      provenance,
    },
  ],
};
const FIELDS = ['nwi_wetland_type', 'nwi_wetland_code', 'county_name'];
const HERE = { lat: 44.015, lng: -68.985 };
const VALUES = { nwi_wetland_type: 'Freshwater Emergent Wetland', nwi_wetland_code: 'PEM1', county_name: 'A County' };

/** Sources whose wetlands are the one at the point and `more` others. */
const files = (more: number) => ({
  'boundary.geojson': [feature('Polygon', [square(-69, 44, 0.2)])],
  'county.geojson': [feature('Polygon', [square(-69, 44, 0.2)], { geoid: '23019', name: 'A County' })],
  'wetlands.geojson': [
    feature('Polygon', [square(-68.99, 44.01)], { code: 'PEM1' }),
    ...Array.from({ length: more }, (_, i) =>
      feature('Polygon', [square(-69 + (i % 100) * 0.001, 44.05 + Math.floor(i / 100) * 0.001, 0.0009)], {
        code: `P${i}`,
      }),
    ),
  ],
});

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
  readonly token: string;
  readonly log: () => string;
  readonly exited: Promise<number | null>;
}

const servers: Server[] = [];
let home: string;
let sources: string;
let placeFile: string;
const releases = () => join(home, 'releases');
const environment = () => ({ ...process.env, PLAT_HOME: home });
const ingest = () => run({ home, sources, place, threads: 0, progress: SILENT, accept: [place.name] });

/** `plat serve` as a process of its own. */
async function serve(): Promise<Server> {
  const child = spawn(PLAT, ['serve', '--welcome'], {
    env: { ...environment(), PORT: '0', PLAT_WORKERS: '2', PLAT_LOG: 'error', PLAT_FETCH_CACHE: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr!.on('data', chunk => {
    log += chunk;
  });
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve));
  let url = '';
  for await (const line of createInterface({ input: child.stdout! })) {
    url = /^Listening on (\S+),/.exec(line)?.[1] ?? url;
    const token = /^API token: (\S+)$/.exec(line)?.[1];
    if (!token) continue;
    const server = { child, url, token, log: () => log, exited };
    servers.push(server);
    return server;
  }
  throw new Error(`plat serve ended with ${await exited}: ${log}`);
}

interface Reply {
  readonly status: number;
  readonly values: Record<string, unknown>;
  readonly failed: readonly string[];
  readonly fields: Record<string, { status: string; error?: string; retryable?: boolean; value: unknown }>;
}

async function ask({ url, token }: Pick<Server, 'url' | 'token'>): Promise<Reply> {
  const response = await fetch(`${url}/v1/fetch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...HERE, fields: FIELDS }),
  });
  const body = (await response.json()) as { fields?: Reply['fields']; partial_failures?: { field: string }[] };
  const fields = body.fields ?? {};
  return {
    status: response.status,
    values: Object.fromEntries(Object.entries(fields).map(([name, record]) => [name, record.value])),
    failed: Object.entries(fields).flatMap(([name, record]) => (record.status === 'failed' ? [name] : [])),
    fields,
  };
}

async function expectWhole(server: Pick<Server, 'url' | 'token'>): Promise<void> {
  expect(await ask(server)).toMatchObject({ status: 200, values: VALUES, failed: [] });
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'plat-damage-'));
  sources = mkdtempSync(join(tmpdir(), 'plat-damage-sources-'));
  placeFile = join(sources, 'place.json');
  writeFileSync(placeFile, JSON.stringify(place));
  writeFiles(sources, files(3));
  await ingest();
});
afterAll(() => {
  for (const { child } of servers) child.kill('SIGKILL');
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});

it('damage on disk fails its layer’s fields over HTTP, never the request, until it is repaired', async () => {
  const server = await serve();
  await expectWhole(server);
  const id = currentId(releases())!;
  const manifest = readManifest(releases(), id);
  const { files: stored } = manifest.datasets.usfws_nwi!.main!.partitions[0]!;
  for (const role of ['features', 'coverage'] as const) {
    const path = join(releases(), stored.find(f => f.role === role)!.path);
    const good = readFileSync(path);
    const bad = Buffer.from(good);
    bad[bad.length >> 1]! ^= 16;
    for (const bytes of [bad, good.subarray(0, 100), Buffer.alloc(0)]) {
      writeFileSync(path, bytes);
      // Until then answers may rest on what the file was when it was looked at last.
      await new Promise(resolve => setTimeout(resolve, LOOK_MS + 1));
      // The county's coverage is the same file as the wetlands'.
      const wanted: readonly string[] = role === 'features' ? FIELDS.slice(0, 2) : FIELDS;
      const reply = await ask(server);
      expect([role, reply.status, reply.failed]).toEqual([role, 200, wanted]);
      for (const name of FIELDS)
        if (wanted.includes(name)) expect(reply.fields[name]).toMatchObject({ retryable: true, value: null });
        else expect(reply.values[name]).toBe(VALUES[name as keyof typeof VALUES]);
      expect((await verify(releases(), manifest)).damage.map(d => join(releases(), d.path))).toEqual([path]);
    }
    writeFileSync(path, good);
    await expectWhole(server);
  }

  // A line of a shard that was read before is not read again, so a server is started on a damaged one.
  const shard = join(releases(), manifest.shards!.ME!.file.path);
  const good = readFileSync(shard);
  const spoilt = Buffer.from(good);
  const { at } = listsOf(manifest.datasets.usfws_nwi!.main!)![0]!;
  spoilt[at! + 20]! ^= 16;
  writeFileSync(shard, spoilt);
  expect((await verify(releases(), manifest)).damage.map(d => join(releases(), d.path))).toEqual([shard]);
  const other = await serve();
  const reply = await ask(other);
  expect([reply.status, reply.failed, reply.values.county_name]).toEqual([200, FIELDS.slice(0, 2), VALUES.county_name]);
  expect(reply.fields[FIELDS[0]!]).toMatchObject({ retryable: true, error: expect.stringContaining('lists file') });
  const told = async (path: string) => {
    const answer = await fetch(`${other.url}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  expect((await told('/v1/meta/coverage')).status).toBe(200);
  expect((await told('/v1/meta/fields')).text).not.toContain('usfws_nwi:main","source');
  for (let i = 0; i < 200 && !(await told('/readyz')).text.includes('lists file'); i++)
    await new Promise(resolve => setTimeout(resolve, 50));
  expect((await told('/readyz')).text).toContain('lists file');
  writeFileSync(shard, good);
  await expectWhole(other);
  expect((await told('/v1/meta/fields')).text).toContain('usfws_nwi:main","source');
  other.child.kill('SIGTERM');
  await other.exited;

  const manifestPath = join(releases(), `${id}.json`);
  const current = join(releases(), 'current');
  const point = (text: string) => {
    writeFileSync(`${current}.new`, text);
    renameSync(`${current}.new`, current);
  };
  const later = '20261121-00000000';
  writeFileSync(join(releases(), `${later}.json`), readFileSync(manifestPath).subarray(0, 500));
  for (const [text, says] of [
    [later, `The manifest of release ${later} is damaged`],
    ['20261122-00000000', 'No release 20261122-00000000'],
    ['', 'current holds'],
  ] as const) {
    point(text);
    for (let i = 0; i < 100 && !server.log().includes(says); i++) await new Promise(resolve => setTimeout(resolve, 50));
    expect(server.log()).toContain(says);
    expect(server.log()).toContain(`(release ${id} goes on answering)`);
    await expectWhole(server);
  }
  rmSync(join(releases(), `${later}.json`));
  point(`${id}\n`);
  server.child.kill('SIGTERM');
  expect(await server.exited).toBe(0);
});

it('serves on while ingests are killed; a killed server answers again and knows its tokens', {
  timeout: 900_000,
}, async () => {
  let server = await serve();
  const { token } = server;
  let over = false;
  let answered = 0;
  let down = false;
  const asking = (async () => {
    while (!over) {
      if (down) {
        await new Promise(resolve => setTimeout(resolve, 20));
        continue;
      }
      try {
        // The plan allows so many requests a minute.
        await new Promise(resolve => setTimeout(resolve, 200));
        await expectWhole({ url: server.url, token });
        answered++;
      } catch (error) {
        // A server that was killed in the middle of an answer breaks the connection.
        if (!down) throw error;
      }
    }
  })();
  let killed = 0;
  // The first comes while the ingest starts, which takes longer than that on any machine: some may be over before theirs.
  for (const [i, delay] of [50, ...seededDelays(41, KILLS)].entries()) {
    writeFiles(sources, files(1500 + i));
    const child = startIngest(home, sources, placeFile);
    const end = ended(child);
    await new Promise(resolve => setTimeout(resolve, delay));
    if (i % 2) {
      down = true;
      server.child.kill('SIGKILL');
      expect(await server.exited).toBeNull();
      server = await serve();
      down = false;
      expect(server.token).toBe(token);
    }
    child.kill('SIGKILL');
    if ((await end).code === null) killed++;
    expect((await verify(releases(), readManifest(releases(), currentId(releases())!))).damage).toEqual([]);
  }
  const report = await ingest();
  for (let i = 0; i < 100; i++) {
    const ready = (await (await fetch(`${server.url}/readyz`)).json()) as { release?: string };
    if (ready.release === report.release) break;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  await expectWhole({ url: server.url, token });
  over = true;
  await asking;
  // How many depends on the machine; that there were some between the kills does not.
  expect(answered).toBeGreaterThan(0);
  expect(killed).toBeGreaterThan(0);
  server.child.kill('SIGKILL');
});

it('every token that was printed is good, however `token create` was killed', { timeout: 900_000 }, async () => {
  const printed: string[] = [];
  let killed = 0;
  for (const delay of seededDelays(97, KILLS * 2)) {
    const child = spawn(PLAT, ['token', 'create', '--account', 'a@b.org', '--plan', 'growth'], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = ended(child);
    await new Promise(resolve => setTimeout(resolve, delay));
    child.kill('SIGKILL');
    const { code, out } = await end;
    if (code === null) killed++;
    if (out.endsWith('\n')) printed.push(out.trim());
  }
  expect(killed).toBeGreaterThan(0);
  const last = spawn(PLAT, ['token', 'create', '--account', 'a@b.org'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { code, out } = await ended(last);
  expect(code).toBe(0);
  printed.push(out.trim());
  const server = await serve();
  for (const token of printed) await expectWhole({ url: server.url, token });
  server.child.kill('SIGKILL');
});
