// plat.py, the client in Python, by the standard library alone: what a real server answers it, through a road that breaks.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plat, type Served, serve } from '../contract/plat.ts';
import { PYTHON } from '../python.ts';
import { syntheticHome } from '../synthetic-home.ts';

const FOLDER = fileURLToPath(new URL('../../client/python/', import.meta.url));
const run = promisify(execFile);

/** The fate of a request on its way: a refusal before the server, or a connection that is cut before or after it. */
type Fate = 'through' | 'cut before' | 'cut after' | { readonly status: number; readonly wait?: string };

const home = mkdtempSync(join(tmpdir(), 'plat-python-home-'));
const folder = mkdtempSync(join(tmpdir(), 'plat-python-'));
let served: Served;
let token = '';
/** Fates of the requests that come, in turn; all others get through. */
let fates: Fate[] = [];
/** What came: the path, and the idempotency key. */
let seen: [path: string, key: unknown][] = [];

/** The road to the server. */
const road = createServer((incoming, outgoing) => {
  seen.push([incoming.url!.split('?')[0]!, incoming.headers['idempotency-key']]);
  const fate = fates.shift() ?? 'through';
  if (fate === 'cut before') return void incoming.socket.destroy();
  if (typeof fate === 'object') {
    incoming.resume();
    const headers = fate.wait === undefined ? {} : { 'retry-after': fate.wait };
    return void outgoing.writeHead(fate.status, headers).end('busy');
  }
  const { method, headers, url } = incoming;
  const onward = request(served.address + url, { method, headers }, answer => {
    if (fate === 'cut after') {
      answer.resume();
      answer.on('end', () => incoming.socket.destroy());
      return;
    }
    outgoing.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(onward);
});

beforeAll(async () => {
  cpSync((await syntheticHome()).home, home, { recursive: true });
  // A free account would wait for the next minute.
  token = plat(home, 'token', 'create', '--account', 'python@example.org', '--plan', 'growth').stdout.trim();
  served = await serve(home);
  await new Promise<void>(resolve => road.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  road.close();
  served?.child.kill();
  await served?.ended;
  for (const each of [home, folder]) rmSync(each, { recursive: true, force: true });
});
beforeEach(() => {
  fates = [];
  seen = [];
});

/** What a program prints that has `client` and `STATE`. */
async function python(code: string): Promise<string> {
  const { port } = road.address() as AddressInfo;
  const env = { ...process.env, PLAT_URL: `http://127.0.0.1:${port}`, PLAT_TOKEN: token, PYTHONPATH: FOLDER };
  const head = 'import json, plat\nclient = plat.Client()\nSTATE = [{"field": "state", "op": "eq", "value": "ME"}]\n';
  const { stdout } = await run(PYTHON, ['-W', 'error', '-B', '-c', head + code], { env, cwd: folder });
  return stdout.trim();
}
const value = async (code: string) => JSON.parse(await python(`${code}\nprint(json.dumps(answer))`));

async function post(path: string, body: unknown) {
  const answer = await fetch(served.address + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return JSON.parse(await answer.text());
}
async function creditsUsed(): Promise<number> {
  const answer = await fetch(`${served.address}/v1/users/me/usage`, { headers: { authorization: `Bearer ${token}` } });
  return JSON.parse(await answer.text()).credits_used;
}

const STATE = { field: 'state', op: 'eq', value: 'ME' };
const HERE = { lat: 43.12494, lng: -70.71829 };

describe('plat.py', { tags: ['Python'] }, () => {
  it('is of Python 3.9 and wants the standard library alone', async () => {
    const code = `import ast
tree = ast.parse(open(${JSON.stringify(join(FOLDER, 'plat.py'))}).read(), feature_version=(3, 9))
names = [name.name for node in tree.body if isinstance(node, ast.Import) for name in node.names]
names += [node.module for node in tree.body if isinstance(node, ast.ImportFrom)]
import sys
answer = [name for name in names if name.split(".")[0] not in sys.stdlib_module_names]`;
    expect(await value(code)).toEqual([]);
  });

  it('says which package a table of another kind needs, where it is not installed', async () => {
    const code = `import sys
sys.modules.update(dict.fromkeys(["pandas", "geopandas", "pyarrow"]))
answer = []
for make in (plat.Table().to_dataframe, plat.Table().to_geodataframe, plat.Table().to_arrow):
    try:
        make()
    except ImportError as error:
        answer.append(str(error))`;
    expect(await value(code)).toEqual(
      ['pandas', 'geopandas', 'pyarrow'].map(name => `${name} is not installed and this needs it: pip install ${name}`),
    );
  });

  it('answers as the interface does', async () => {
    const body = { ...HERE, fields: ['elevation', 'fema_flood_zone'] };
    const { fetched_at, ...own } = await post('/v1/fetch', body);
    const { fetched_at: later, ...theirs } = await value(`answer = client.fetch(**${JSON.stringify(body)})`);
    expect(theirs).toEqual(own);
    const filters = JSON.stringify([STATE]);
    expect(await value(`answer = client.search_count(filters=${filters})`)).toEqual(
      await post('/v1/search/count', { filters: [STATE] }),
    );
  });

  it('goes through all pages of a search, as many as are wanted', async () => {
    const apns: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await post('/v1/search', { filters: [STATE], limit: 50, cursor });
      apns.push(...page.matches.map(({ apn }: { apn: string }) => apn));
      cursor = page.next_cursor ?? undefined;
      if (cursor === undefined) break;
    }
    expect(apns.length).toBeGreaterThan(100);
    expect(await value('answer = [row["apn"] for row in client.tables.search(STATE)]')).toEqual(apns);
    expect(seen).toHaveLength(2);
    expect(await value('answer = [row["apn"] for row in client.tables.search(STATE, limit=101)]')).toEqual(
      apns.slice(0, 101),
    );
    expect(await value('answer = [one["apn"] for one in client.all_matches(STATE, limit=70)]')).toEqual(apns);
  });

  it('asks for many places in batches, each with a key, and keeps their order', async () => {
    const places = Array.from({ length: 30 }, (_, i) => ({ lat: 43.1 + i / 1000, lng: -70.71 }));
    const rows = await value(`
table = client.tables.fetch(json.loads('${JSON.stringify([...places, { lat: 0, lng: 0 }])}'), fields=["elevation"])
answer = [table.rows, table.geometries]`);
    expect(rows[0].map(({ index }: { index: number }) => index)).toEqual(Array.from({ length: 31 }, (_, i) => i));
    const { results } = await post('/v1/fetch/batch', { locations: places.slice(25), fields: ['elevation'] });
    const elevations = results.map(
      ({ fields }: { fields: { elevation: { value: number } } }) => fields.elevation.value,
    );
    expect(rows[0].slice(25, 30).map(({ elevation }: { elevation: number }) => elevation)).toEqual(elevations);
    expect(rows[0][30]).toMatchObject({ ok: false, error: 'coord_out_of_bounds', elevation: null });
    expect(rows[1][3]).toEqual({ type: 'Point', coordinates: [places[3]!.lng, places[3]!.lat] });
    expect(new Set(seen.map(([, key]) => key)).size).toBe(2);
  });

  it('is charged once for a batch whose answer is lost on the way', async () => {
    const used = await creditsUsed();
    await post('/v1/fetch/batch', { locations: [HERE], fields: ['elevation'] });
    const price = (await creditsUsed()) - used;
    expect(price).toBeGreaterThan(0);
    fates = ['cut after', 'cut before'];
    const answer = await value(
      'answer = client.fetch_batch(locations=[{"lat": 43.12494, "lng": -70.71829}], fields=["elevation"])',
    );
    expect(answer.replayed).toBe(true);
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(([, key]) => key)).size).toBe(1);
    expect(await creditsUsed()).toBe(used + 2 * price);
  });

  it('does not send again what would be charged again', async () => {
    fates = ['cut after'];
    const code = `
try:
    client.fetch(lat=43.12494, lng=-70.71829, fields=["elevation"])
except plat.ConnectionFailed as broken:
    answer = [broken.status, broken.code, broken.retryable]`;
    expect(await value(code)).toEqual([null, null, true]);
    expect(seen).toHaveLength(1);
    // A proxy that is busy may have handed it on.
    fates = [{ status: 503, wait: '0' }];
    expect(await value(code.replace('ConnectionFailed', 'Unavailable'))).toEqual([503, null, false]);
  });

  it('reads again after any broken connection, and waits for what Retry-After asks', async () => {
    const code = `
import time
waits = []
time.sleep = waits.append
client.usage()
answer = waits`;
    fates = ['cut before', 'cut after'];
    expect(await value(code)).toHaveLength(2);
    const soon = new Date(Date.now() + 30_000).toUTCString();
    fates = [{ status: 429, wait: '7' }, { status: 503, wait: soon }, { status: 503 }];
    const [first, second, third] = await value(code);
    expect(first).toBeGreaterThan(7);
    expect(first).toBeLessThan(7.5);
    expect(second).toBeGreaterThan(15);
    expect(third).toBeLessThan(1.1);
    fates = [{ status: 429, wait: '3600' }];
    const refused = `
try:
    client.usage()
except plat.TooManyRequests as error:
    answer = [error.status, error.retry_after]`;
    expect(await value(refused)).toEqual([429, 3600]);
    fates = [...Array(9)].map(() => 'cut before');
    seen = [];
    await expect(python(code)).rejects.toThrow('ConnectionFailed');
    expect(seen).toHaveLength(4);
  });

  it('says by the kind of error what is wrong', async () => {
    const code = `
answer = []
for ask in [
    lambda: client.fetch(lat=43.1, lng=-70.7, fields=["elevatoin"]),
    lambda: client.rank(filters="x"),
    lambda: client.run("run_none"),
    lambda: plat.Client(token="nobody").usage(),
    lambda: client.fetch(lat="x", lng=1, fields=["elevation"]),
]:
    try:
        ask()
    except plat.PlatError as error:
        answer.append([type(error).__name__, error.status, error.code, bool(error.request_id), bool(error.issues)])`;
    expect(await value(code)).toEqual([
      ['InvalidRequest', 400, 'fields_unknown', true, false],
      ['InvalidRequest', 422, 'search_invalid_request', true, false],
      ['NotFound', 404, 'run_not_found', true, false],
      ['NotAllowed', 401, 'auth_invalid', true, false],
      ['InvalidRequest', 422, null, true, true],
    ]);
  });

  it('follows no redirect, which could lead the token astray', async () => {
    const astray = createServer((_, reply) => void reply.writeHead(302, { location: 'http://127.0.0.1:9/' }).end());
    await new Promise<void>(resolve => astray.listen(0, '127.0.0.1', resolve));
    const { port } = astray.address() as AddressInfo;
    const code = `
try:
    plat.Client("http://127.0.0.1:${port}").usage()
except plat.PlatError as error:
    answer = error.status`;
    expect(await value(code)).toBe(302);
    astray.close();
  });

  it('makes an export, and downloads its file from where it broke', async () => {
    const table = await value(`
table = client.tables.export(STATE, fields=["elevation"], idempotency_key="export-0001")
answer = [[row["apn"] for row in table], [one["type"] for one in table.geometries], table.fields["elevation"]["unit"]]
same = client.tables.export(STATE, fields=["elevation"], idempotency_key="export-0001")
assert len(same) == len(table) and len(list(client.all_exports())) == 1`);
    expect(table[0]).toEqual(await value('answer = [row["apn"] for row in client.tables.search(STATE)]'));
    expect(table[1].every((type: string) => type === 'Polygon' || type === 'MultiPolygon')).toBe(true);
    expect(table[2]).toBe('m');
    const path = join(folder, 'table.csv');
    await python(`
import os
[export] = client.all_exports()
job = client.submit_export(search={"filters": STATE}, fields=["elevation"], format="csv")
client.wait_for_export(job["export_id"])
folder = "/v1/exports/" + job["export_id"] + "/files/export.csv"
whole = client.export_file(job["export_id"], "export.csv")
text = whole.encode() if isinstance(whole, str) else whole
open("${path}.part", "wb").write(text[:1000])
client.download_export(job["export_id"], "${path}")
assert open("${path}", "rb").read() == text
open("${path}.part", "wb").write(b"x" * 1000)
try:
    client.download_export(job["export_id"], "${path}")
    raise SystemExit("a wrong file passes")
except plat.PlatError:
    assert not os.path.exists("${path}.part")`);
    expect(readFileSync(path, 'utf8').split('\n').length).toBe(table[0].length + 2);
  });
});

const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const examples = readme.split(/^## /m).flatMap(section => {
  const [, code] = /```python\n(.*?)```/s.exec(section) ?? [];
  return code === undefined ? [] : [{ title: section.split('\n', 1)[0]!, code }];
});
/** What the examples print, by their titles. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  Operations: /^elevation ok [\d.]+ m \S+\nparcel_apn ok \S+ None \S+/,
  Tables: /^120 parcels \['apn', .*'status'\]\n\['.*', '.*', '.*'\]\n\[\('.*', \d+, [\d.]+\).*\n30 places synthetic:/,
  'Files of many places': /^parcel_id,apn,.*elevation,status\n1 row ok$/,
  'What is refused': /^fields_unknown 400 No fields of this endpoint: "elevatoin"/,
  'An answer as it is written': /^The nearest hospital, “.+”, is [\d.]+ miles[\s\S]*(?:high|medium|low)$/,
};

describe('client/python/README.md', { tags: ['Python'] }, () => {
  it('has an example of everything', () => {
    expect(examples.map(({ title }) => title)).toEqual(Object.keys(PRINTED));
  });

  it.each(examples)('$title', async ({ title, code }) => {
    expect(await python(code)).toMatch(PRINTED[title]!);
  });
});
