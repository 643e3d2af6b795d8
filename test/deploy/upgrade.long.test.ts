// An upgrade as docs/operations.md has it: today's build over the home and the database of the release before.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../contract/plat.ts';
import { PLAT } from '../plat.ts';
import { type SharedPostgres, sharedPostgres } from '../server/state/shared-postgres.ts';
import { releaseBefore } from './release-before.ts';

type Json = Record<string, unknown>;

/** A build over a home and a store. */
interface Build {
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
}

const buildOf = (program: string, home: string, url: string): Build => ({
  program,
  env: {
    ...{ ...process.env, ...(url === '' ? {} : SECRETS) },
    ...{ PLAT_HOME: home, PLAT_STATE_URL: url, PORT: '0', PLAT_LOG: 'error', PLAT_WORKERS: '1' },
  },
});

/** What every server of one PostgreSQL needs the same of. */
const SECRETS = {
  PLAT_TOKEN_SECRET: 'w8Zq3nB1xT6rLm0YfKc5VdJh2sGu9PaE',
  PLAT_CURSOR_SECRET: 'e7Rk2mW9xQ4tLb0ZfYc6VhJd3sNu8PaG',
};

/** Runs a command to its end. @throws Error with what it said when it fails. */
function plat({ program, env }: Build, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: tmpdir(), env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`plat ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout.trim();
}

/** Serves while something is asked of it. */
async function served<T>({ program, env }: Build, ask: (address: string) => Promise<T>): Promise<T> {
  const child = spawn(program, ['serve', '--json'], { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = new Promise(resolve => child.once('close', resolve));
  const said = text(child.stderr);
  try {
    for await (const line of createInterface({ input: child.stdout })) return await ask(JSON.parse(line).address);
    throw new Error(`plat serve ended: ${await said}`);
  } finally {
    child.kill('SIGTERM');
    await closed;
  }
}

/** Asks as the holder of a token. */
const asker = (address: string, token: string) => async (path: string, body?: unknown) => {
  const reply = await fetch(address + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const said = await reply.text();
  if (!reply.ok) throw new Error(`${path} is ${reply.status}: ${said}`);
  return /\bjson\b/.test(reply.headers.get('content-type') ?? '') ? (JSON.parse(said) as Json) : said;
};
type Ask = ReturnType<typeof asker>;

const MAINE = [{ field: 'state', op: 'eq', value: 'ME' }];
const FIELDS = ['elevation', 'fema_flood_zone', 'parcel_apn'];
const isOver = (answer: string | Json) =>
  !/^(?:queued|pending|running|building)$/.test(String((answer as Json).status));

/** What an account has begun: paths of what it reads again. */
async function begin(ask: Ask): Promise<{ readonly paths: readonly string[]; readonly point: Json }> {
  const { matches } = (await ask('/v1/search', { filters: MAINE, limit: 1 })) as {
    matches: { analysis_point: { lat: number; lng: number } }[];
  };
  const { lat, lng } = matches[0]!.analysis_point;
  const [west, south, east, north] = [lng - 0.001, lat - 0.001, lng + 0.001, lat + 0.001];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const { site_id } = (await ask('/v1/sites', { site: { type: 'Polygon', coordinates: [ring] } })) as Json;
  const request = { locations: [{ lat, lng }], fields: FIELDS };
  const { run_id } = (await ask('/v1/runs', { kind: 'fetch_batch', request })) as Json;
  const { request_id } = (await ask('/v1/field-requests', {
    description: 'The age of the sewer main in the street',
    example_locations: [{ lat, lng }],
  })) as Json;
  const paths = [`/v1/sites/${site_id}`, `/v1/runs/${run_id}`];
  // It stays queued: nobody builds it here.
  const requested = `/v1/field-requests/${request_id}`;
  for (const path of paths) expect(isOver(await until(() => ask(path), isOver)), path).toBe(true);
  const isScreened = (answer: string | Json) => (answer as Json).status === 'queued';
  expect((await until(() => ask(requested), isScreened)) as Json).toMatchObject({ status: 'queued' });
  return {
    paths: [...paths, requested, `/v1/runs/${run_id}/artifacts/csv`, `/v1/sites/${site_id}/dossier`],
    point: { lat, lng },
  };
}

/** What the release answers about a place and a set: values, without the moments at which they were read. */
async function answersOf(ask: Ask, point: Json): Promise<unknown> {
  const { fields } = (await ask('/v1/fetch', { ...point, fields: FIELDS })) as { fields: Record<string, Json> };
  const { release } = (await ask('/v1/meta/fields')) as Json;
  const { matches } = (await ask('/v1/search', { filters: MAINE, limit: 20 })) as { matches: Json[] };
  return {
    release,
    values: Object.entries(fields).map(([name, { status, value, unit, source }]) => [
      name,
      status,
      value,
      unit,
      source,
    ]),
    parcels: matches.map(({ parcel_id, apn, acreage }) => [parcel_id, apn, acreage]),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'plat-upgrade-'));
const area = join(folder, 'area');
let before = '';

beforeAll(() => {
  before = releaseBefore(join(folder, 'before'));
  const build = buildOf(before, area, '');
  plat(build, 'world', 'generate', '--parcels', '240', '--out', join(folder, 'world'));
  plat(build, 'ingest', 'run', '--sources', join(folder, 'world'), '--place', 'synthetic', '--no-overlay');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The whole upgrade, over an empty store. @param url of the database; empty: SQLite in the home. */
async function upgrade(name: string, url: string): Promise<void> {
  const home = join(folder, name);
  cpSync(area, home, { recursive: true });
  const [old, today] = [buildOf(before, home, url), buildOf(PLAT, home, url)];
  const token = plat(old, 'token', 'create', '--account', 'upgrade@example.org', '--plan', 'scale');
  const had = await served(old, async address => {
    const ask = asker(address, token);
    const { paths, point } = await begin(ask);
    return {
      point,
      paths,
      kept: await Promise.all(paths.map(path => ask(path))),
      answers: await answersOf(ask, point),
    };
  });
  const read = async (address: string) => {
    const ask = asker(address, token);
    for (const [i, path] of had.paths.entries()) {
      const now = await ask(path);
      // What grew since then may be there too.
      if (typeof now === 'string') expect(now, path).toBe(had.kept[i]);
      else expect(now, path).toMatchObject(had.kept[i] as Json);
    }
    expect(await answersOf(ask, had.point)).toEqual(had.answers);
    return ask;
  };
  await served(today, async address => {
    const ask = await read(address);
    await begin(ask);
    const other = asker(address, plat(today, 'token', 'create', '--account', 'other@example.org'));
    expect(await answersOf(other, had.point)).toEqual(had.answers);
  });
  // The way back is the backup: the build from before says so, and leaves all as it is.
  await expect(served(old, async () => {})).rejects.toThrow(
    /a newer Plat has used it: this one does not know .*restore the backup/,
  );
  await served(today, read);
}

describe('an upgrade from the release before', { tags: ['history'] }, () => {
  it('keeps tokens, sites, runs, field requests and answers, in SQLite', () => upgrade('sqlite', ''));

  describe('in PostgreSQL', { tags: ['PostgreSQL'] }, () => {
    let cluster: SharedPostgres;
    beforeAll(async () => {
      cluster = await sharedPostgres();
    });
    afterAll(() => cluster?.drop());

    it('keeps tokens, sites, runs, field requests and answers', async () =>
      upgrade('postgres', await cluster.database()));
  });
});
