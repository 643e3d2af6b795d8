import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import type { Expression } from '../../datasets/grammar/expression.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { inThisProcess } from '../in-this-process.ts';
import { FILES, village, writeFiles } from '../pipelines/village.ts';
import { syntheticHome } from '../synthetic-home.ts';
import { plat, platBeside, type Served, serve, start, until } from './plat.ts';

interface Item {
  readonly status: 'ok' | 'absent' | 'failed';
  readonly value: unknown;
  readonly source: string;
  readonly source_url: string | null;
  readonly dataset_vintage: string | null;
  readonly fetched_at: string;
  readonly notes: string | null;
  readonly error?: string;
  readonly retryable?: boolean;
}
interface Reply {
  readonly fields: Readonly<Record<string, Item>>;
  readonly partial_failures: readonly Record<string, unknown>[];
}

const home = mkdtempSync(join(tmpdir(), 'plat-served-'));
const sources = mkdtempSync(join(tmpdir(), 'plat-served-sources-'));
const NAMES = [...catalog.fields.keys()];
const KEYS = [
  'value',
  'unit',
  'source',
  'source_url',
  'fetched_at',
  'ttl_seconds',
  'confidence',
  'dataset_vintage',
  'notes',
  'status',
];

let served: Served;
let token: string;
let asked = 0;
/** The middle of the area's parcels. */
let middle: readonly [lng: number, lat: number];

async function ask(body: object): Promise<Reply> {
  const response = await fetch(`${served.address}/v1/fetch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Reply;
}

/** Every field of the catalog, 50 a request. Points differ by a centimetre, so that no kept answer is served. */
async function everything(): Promise<Reply> {
  asked++;
  const fields: Record<string, Item> = {};
  const failures: Record<string, unknown>[] = [];
  const [lng, lat] = middle;
  for (let i = 0; i < NAMES.length; i += 50) {
    const reply = await ask({ lat: lat + asked * 1e-7, lng, fields: NAMES.slice(i, i + 50) });
    Object.assign(fields, reply.fields);
    failures.push(...reply.partial_failures);
  }
  return { fields, partial_failures: failures };
}

/** Some fields at a point that was not asked before. */
async function few(fields: readonly string[]): Promise<Reply> {
  asked++;
  return ask({ lat: middle[1] + asked * 1e-7, lng: middle[0], fields });
}

const ready = async () => (await (await fetch(`${served.address}/readyz`)).json()) as { release: string };
const manifest = (id: string) => readManifest(join(home, 'releases'), id);

/** Whether a field reads a layer, itself or through an input. */
function reads(call: Expression, dataset: string, layer: string): boolean {
  return (
    call.sources.some(s => s.dataset === dataset && s.layer === layer) ||
    Object.values(call.inputs).some(input =>
      reads('field' in input ? catalog.fields.get(input.field)!.expression : input, dataset, layer),
    )
  );
}

/** The failures that are not for want of a dataset: an area need not publish all of the catalog. */
const damageOf = (reply: Reply) =>
  reply.partial_failures.filter(f => !/is not installed in this release/.test(String(f.error)));

/** Inverts a byte in the middle of a file, in place. Twice is as if nothing had happened. */
function flip(path: string): void {
  chmodSync(path, 0o644);
  const file = openSync(path, 'r+');
  try {
    const byte = Buffer.alloc(1);
    const at = Math.floor(readFileSync(path).length / 2);
    readSync(file, byte, 0, 1, at);
    byte[0]! ^= 0xff;
    writeSync(file, byte, 0, 1, at);
  } finally {
    closeSync(file);
  }
}

/** Publishes a village beside the shared area, with the command line. @returns the release. */
async function publishVillage(): Promise<string> {
  writeFiles(sources, FILES);
  const file = join(sources, 'village.json');
  writeFileSync(file, JSON.stringify(village));
  const ran = await platBeside(
    home,
    'ingest',
    'run',
    '--sources',
    sources,
    '--place-file',
    file,
    '--no-overlay',
    '--threads',
    '0',
    '--json',
  );
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  return (JSON.parse(ran.stdout) as { release: string }).release;
}

let first: string;
beforeAll(async () => {
  cpSync((await syntheticHome()).home, home, { recursive: true });
  first = currentId(join(home, 'releases'))!;
  const [parcels] = [...manifest(first).datasets.parcel_store!.main!.partitions].sort((a, b) => b.rows - a.rows);
  const [west, south, east, north] = parcels!.box!;
  middle = [(west + east) / 2, (south + north) / 2];
  const made = plat(home, 'token', 'create', '--account', 'someone@example.org', '--plan', 'market');
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect(made.stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  token = made.stdout.trim();
  served = await serve(home, { PLAT_RATE_LIMIT: 'off' });
});
afterAll(() => {
  served?.child.kill('SIGKILL');
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});

describe('a served release, from the command line to HTTP', () => {
  it('answers the whole catalog, every value with its citation', async () => {
    expect((await ready()).release).toBe(first);
    const { fields, partial_failures } = await everything();
    expect(damageOf({ fields, partial_failures })).toEqual([]);
    for (const failure of partial_failures) expect(failure.retryable).toBe(false);
    expect(Object.keys(fields)).toEqual(NAMES);
    for (const [name, { source_url }] of Object.entries(fields))
      expect(source_url ?? 'https://none', name).toMatch(/^(https|s3):\/\/[^\s{}<>]+$/);
    const ok = Object.values(fields).filter(f => f.status === 'ok');
    expect(ok.length).toBeGreaterThan(80);
    for (const [name, field] of Object.entries(fields).filter(([, f]) => f.status !== 'failed')) {
      expect(Object.keys(field).sort(), name).toEqual([...KEYS].sort());
      if (field.status === 'absent') expect(field.notes, name).toMatch(/\w/);
      else {
        expect(field.status, name).toBe('ok');
        expect(field.source, name).toMatch(/^synthetic:/);
        expect(field.dataset_vintage, name).toMatch(/\w/);
        expect(field.fetched_at, name).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      }
    }
  });

  it('fails the fields of a damaged file, and no other, until the file is restored', async () => {
    const zones = manifest(first).datasets.fema_nfhl!.S_FLD_HAZ_AR!;
    const file = zones.partitions[0]!.files.find(f => f.role === 'features')!;
    const path = join(home, 'releases', file.path);
    const before = await everything();
    const hit = NAMES.filter(name => reads(catalog.fields.get(name)!.expression, 'fema_nfhl', 'S_FLD_HAZ_AR'));
    expect(hit).toEqual(
      expect.arrayContaining(['fema_flood_zone', 'within_floodplain_polygon', 'nearest_sfha_distance_m']),
    );

    flip(path);
    const verified = await inThisProcess(home, 'release verify', { json: true });
    expect(verified.status).toBe(3);
    expect(JSON.parse(verified.stdout).damage).toHaveLength(1);
    await until(
      () => few(hit),
      reply => damageOf(reply).length > 0,
    );
    const damaged = await everything();
    const failed = damageOf(damaged).map(f => f.field as string);
    expect(NAMES.filter(name => damaged.fields[name]!.status === 'failed')).toHaveLength(
      damaged.partial_failures.length,
    );
    expect(failed).toEqual(hit);
    for (const name of failed) {
      const { value, error, retryable, source, source_url } = damaged.fields[name]!;
      expect({ value, retryable }).toEqual({ value: null, retryable: true });
      expect({ source, source_url }, name).toEqual({ source: 'synthetic:fema_nfhl', source_url: null });
      expect(error).toMatch(/features file [0-9a-f]{12} is damaged: its bytes do not have the checksum of the release/);
      expect(error).not.toContain(home);
      expect(damaged.partial_failures).toContainEqual({ field: name, source, error, retryable });
    }
    for (const name of NAMES.filter(n => !hit.includes(n))) {
      const { status, value, source } = damaged.fields[name]!;
      expect({ status, source }, name).toEqual({
        status: before.fields[name]!.status,
        source: before.fields[name]!.source,
      });
      expect(typeof value, name).toBe(typeof before.fields[name]!.value);
    }

    flip(path);
    await until(
      () => few(hit),
      reply => damageOf(reply).length === 0,
    );
    const restored = await everything();
    expect(damageOf(restored)).toEqual([]);
    for (const name of hit) expect(restored.fields[name]!.status, name).toBe(before.fields[name]!.status);
    expect((await inThisProcess(home, 'release verify')).status).toBe(0);
  });

  it('goes over to the next release while it serves', async () => {
    const before = await everything();
    const inVillage = async () => (await ask({ lat: 44.015, lng: -68.985, fields: ['nwi_wetland_code'] })).fields;
    expect((await inVillage()).nwi_wetland_code).not.toMatchObject({ status: 'ok' });
    const next = await publishVillage();
    expect(next).not.toBe(first);
    expect((await until(ready, r => r.release === next)).release).toBe(next);
    expect((await inVillage()).nwi_wetland_code).toMatchObject({ status: 'ok', value: 'PEM1' });
    const after = await everything();
    expect(damageOf(after)).toEqual([]);
    for (const name of NAMES) expect(after.fields[name]!.status, name).toBe(before.fields[name]!.status);
    const list = await inThisProcess(home, 'release list', { json: true });
    const listed = JSON.parse(list.stdout) as { id: string; current: boolean }[];
    expect(listed.filter(r => r.current).map(r => r.id)).toEqual([next]);
  }, 180_000);

  it('prints a token and three curl lines that work when pasted', { tags: ['curl'] }, async () => {
    const child = start(home, ['serve', '--welcome'], { PLAT_LOG: 'error' });
    try {
      const lines: string[] = [];
      let shown = '';
      let exported = '';
      for await (const line of createInterface({ input: child.stdout! })) {
        shown = /^API token: (\S+)$/.exec(line)?.[1] ?? shown;
        if (line.startsWith('export PLAT_TOKEN=')) exported = line;
        if (line.startsWith('curl ')) lines.push(line);
        if (lines.length === 3) break;
      }
      expect(exported).toBe(`export PLAT_TOKEN=${shown}`);
      const [preset, one, found] = lines.map(line => {
        const pasted = spawnSync('sh', ['-c', `${exported}\n${line}`], { encoding: 'utf8' });
        expect(pasted.status).toBe(0);
        return JSON.parse(pasted.stdout);
      });
      const statuses = (reply: Reply) => Object.values(reply.fields).map(f => f.status);
      // One field of each layer that has one, all with a value.
      expect(statuses(one).length).toBeGreaterThan(4);
      expect(new Set(statuses(one))).toEqual(new Set(['ok']));
      expect(statuses(preset)).toContain('ok');
      expect(found.matches).toHaveLength(3);
    } finally {
      child.kill('SIGTERM');
      await new Promise(resolve => child.once('exit', resolve));
    }
  });

  it('ends with 0 on SIGTERM', async () => {
    served.child.kill('SIGTERM');
    const { code, stderr } = await served.ended;
    const lines = stderr.trimEnd().split('\n');
    expect([code, lines.pop()]).toEqual([0, 'SIGTERM: finishing running requests']);
    // The file that was damaged above is a line in the log, unless it was whole again before the checker looked.
    expect(lines.length).toBeLessThan(2);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({
        layers: ['fema_nfhl:S_FLD_HAZ_AR'],
        msg: 'a file of the release cannot be used',
      });
    await expect(fetch(`${served.address}/healthz`)).rejects.toThrow();
  });
});
