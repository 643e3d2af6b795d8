import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openState } from '../../server/state/open.ts';
import { PLAT } from '../plat.ts';
import { type Pooler, startPgBouncer } from './state/pgbouncer.ts';
import { type SharedPostgres, sharedPostgres } from './state/shared-postgres.ts';

const LONG = process.env.PLAT_TEST === 'long';

const SECRETS = {
  PLAT_TOKEN_SECRET: 'w8Zq3nB1xT6rLm0YfKc5VdJh2sGu9PaE',
  PLAT_CURSOR_SECRET: 'Hk4oNd7RbX2vQy9MzTj6WcLs1GfPe8Ua',
};
let homes: string[];
beforeAll(() => {
  homes = [0, 1, 2].map(() => mkdtempSync(join(tmpdir(), 'plat-shared-')));
});
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true });
});

const environment = (home: string, more: Record<string, string>) => ({
  ...process.env,
  PLAT_HOME: home,
  PORT: '0',
  PLAT_WORKERS: '1',
  PLAT_LOG: 'error',
  ...more,
});
const plat = (env: Record<string, string | undefined>, ...args: string[]) => promisify(execFile)(PLAT, args, { env });

const lacking: [Partial<typeof SECRETS>, string][] = [
  [{}, 'PLAT_TOKEN_SECRET and PLAT_CURSOR_SECRET'],
  [{ PLAT_TOKEN_SECRET: SECRETS.PLAT_TOKEN_SECRET }, 'PLAT_CURSOR_SECRET'],
];
it.each(lacking.slice(LONG ? 0 : 1))(
  'a shared state store with the secrets of %j only is refused before it is opened',
  async (given, missing) => {
    const env = environment(homes[0]!, { PLAT_STATE_URL: 'postgres://u:password@127.0.0.1:1/d', ...given });
    await expect(plat(env, 'serve')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(new RegExp(`^PLAT_STATE_URL needs ${missing}: (?!.*password@)`)),
    });
  },
);

it('a token for a shared state store needs the secret that signs it', async () => {
  const env = environment(homes[0]!, { PLAT_STATE_URL: 'postgres://u:password@127.0.0.1:1/d' });
  await expect(plat(env, 'token', 'create', '--account', 'a@b.org')).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^PLAT_STATE_URL needs PLAT_TOKEN_SECRET: /),
  });
});

it('a database that cannot be reached ends the start with a line that has no password', async () => {
  const env = environment(homes[0]!, { PLAT_STATE_URL: 'postgres://u:password@127.0.0.1:1/d', ...SECRETS });
  await expect(plat(env, 'serve')).rejects.toMatchObject({
    code: 1,
    stderr: 'PLAT_STATE_URL: the database cannot be reached (ECONNREFUSED)\n',
  });
});

it('what refuses a connection at its start says why, in its own words', {
  tags: ['PostgreSQL', 'PgBouncer'],
}, async () => {
  const cluster = await sharedPostgres();
  onTestFinished(() => cluster.drop());
  const direct = await cluster.database();
  const pooler = await startPgBouncer(direct);
  onTestFinished(() => pooler.stop());
  await expect(openState(homes[0]!, `${pooler.through(direct)}&statement_timeout=1000`)).rejects.toThrow(
    'PLAT_STATE_URL: the connection was refused: unsupported startup parameter: statement_timeout (08P01)',
  );
});

describe('two servers on one PostgreSQL, one of them behind PgBouncer', { tags: ['PostgreSQL', 'PgBouncer'] }, () => {
  let cluster: SharedPostgres;
  let pooler: Pooler;
  const servers: ChildProcess[] = [];
  beforeAll(async () => {
    cluster = await sharedPostgres();
  });
  afterAll(async () => {
    for (const server of servers) server.kill('SIGKILL');
    await pooler?.stop();
    await cluster.drop();
  });

  it('accept one token and session, and what one of them changes acts on both within two seconds', async () => {
    const shared = { PLAT_STATE_URL: await cluster.database(), ...SECRETS };
    const env = environment(homes[2]!, shared);
    const token = (await plat(env, 'token', 'create', '--account', 'a@b.org', '--plan', 'build')).stdout.trim();
    pooler = await startPgBouncer(shared.PLAT_STATE_URL);
    const pooled = { ...shared, PLAT_STATE_URL: pooler.through(shared.PLAT_STATE_URL) };
    const address = async (home: string, settings: typeof shared) => {
      const server = spawn(PLAT, ['serve'], {
        env: environment(home, settings),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      servers.push(server);
      for await (const line of createInterface({ input: server.stdout! })) {
        const found = /^Listening on (\S+),/.exec(line)?.[1];
        if (found) return found;
      }
      throw new Error('plat serve ended before it listened');
    };
    const addresses = await Promise.all([address(homes[0]!, shared), address(homes[1]!, pooled)]);
    for (const base of addresses) {
      const reply = await fetch(`${base}/v1/users/me/usage`, { headers: { authorization: `Bearer ${token}` } });
      expect(reply.status).toBe(200);
      expect(await reply.json()).toMatchObject({ plan: 'build', credits_used: 0 });
    }

    const session = (await plat(env, 'session', 'create', '--account', 'a@b.org')).stdout.trim();
    const [one, two] = addresses as [string, string];
    const ask = async (base: string, method: string, path: string, bearer: string, body?: object) => {
      const headers = { authorization: `Bearer ${bearer}`, ...(body ? { 'content-type': 'application/json' } : {}) };
      const reply = await fetch(`${base}/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
      const text = await reply.text();
      return { status: reply.status, json: text === '' ? null : JSON.parse(text) };
    };
    /** Asks until the answer is wanted: whatever is asked two seconds after the change has to get it. */
    const withinTwoSeconds = async (request: () => Promise<{ status: number }>, wanted: number) => {
      for (const since = performance.now(); ; ) {
        const late = performance.now() - since > 2_000;
        const { status } = await request();
        if (status === wanted || late) return expect(status).toBe(wanted);
        await sleep(20);
      }
    };
    const created = await ask(one, 'POST', 'users/me/tokens', session, { name: 'to be revoked' });
    const use = (base: string) => ask(base, 'GET', 'users/me/usage', created.json.token);
    for (const base of addresses) expect((await use(base)).status).toBe(200);
    expect((await ask(one, 'DELETE', `users/me/tokens/${created.json.id}`, session)).status).toBe(204);
    for (const base of addresses) await withinTwoSeconds(() => use(base), 401);
    expect((await use(two)).json.detail.error).toBe('auth_invalid');

    const limit = (credits: number | null) =>
      ask(one, 'PATCH', 'users/me/settings', session, { monthly_credit_limit: credits });
    const spend = (base: string) =>
      ask(base, 'POST', 'fetch', token, { lat: 44.8, lng: -68.77, fields: ['elevation'] });
    for (const base of addresses) expect((await spend(base)).status).toBe(200);
    expect((await limit(0)).json).toEqual({ settings: { monthly_credit_limit: 0 } });
    for (const base of addresses) await withinTwoSeconds(() => spend(base), 402);
    expect((await spend(two)).json.detail).toMatchObject({ error: 'credits_exhausted', self_imposed_limit: 0 });
    expect((await limit(null)).status).toBe(200);
    for (const base of addresses) await withinTwoSeconds(() => spend(base), 200);

    await plat(env, 'account', 'disable', '--account', 'a@b.org');
    for (const base of addresses)
      for (const bearer of [token, session])
        await withinTwoSeconds(() => ask(base, 'GET', 'users/me/usage', bearer), 403);
    const ended = servers.map(server => new Promise(resolve => server.once('exit', resolve)));
    for (const server of servers) server.kill('SIGTERM');
    expect(await Promise.all(ended)).toEqual([0, 0]);
  }, 180_000);
});
