// Processes that work on jobs, told to stop while a run is at work: `plat work` beside a server that leaves jobs, and a server.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plat, type Served, serve, start, until } from '../contract/plat.ts';

const home = mkdtempSync(join(tmpdir(), 'plat-serve-jobs-'));
/** Requests of runs to resolve an address, in hand until they are answered: a run is at work as long as one is. */
const asked: { readonly key: string | null; readonly response: ServerResponse }[] = [];
let wake = () => {};
const provider = createServer(({ url }, response) => {
  asked.push({ key: new URL(url!, 'http://provider').searchParams.get('api_key'), response });
  wake();
});
/** The next one, of the process that has this key. */
const inHand = async (of: string): Promise<ServerResponse> => {
  while (asked.length === 0)
    await new Promise<void>(resolve => {
      wake = resolve;
    });
  const { key, response } = asked.shift()!;
  expect(key).toBe(of);
  return response;
};

const LOOPBACK = { PLAT_OUTGOING_NETWORKS: '127.0.0.0/8' };
let env: Record<string, string>;
let front: Served;
let token: string;
beforeAll(async () => {
  await once(provider.listen(0, '127.0.0.1'), 'listening');
  const { port } = provider.address() as AddressInfo;
  env = {
    PLAT_GEOCODER: 'http',
    PLAT_GEOCODE_URL: `http://127.0.0.1:${port}/`,
    PLAT_GEOCODE_KEY: 'worker',
    PLAT_GEOCODE_FALLBACK: 'off',
    PLAT_LOG: 'warn',
  };
  token = plat(home, 'token', 'create', '--account', 'a@b.org', '--plan', 'build').stdout.trim();
  front = await serve(home, { ...env, PLAT_JOBS: 'off', PLAT_GEOCODE_KEY: 'front', ...LOOPBACK });
});
afterAll(async () => {
  front?.child.kill('SIGKILL');
  provider.closeAllConnections();
  provider.close();
  await front?.ended;
  rmSync(home, { recursive: true, force: true });
});

const headers = () => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });
const get = async (path: string) =>
  (await (await fetch(front.address + path, { headers: headers() })).json()) as { readonly status: string };
const submit = async (address: string): Promise<string> => {
  const request = { locations: [{ address }], fields: ['county_name'] };
  const body = JSON.stringify({ kind: 'fetch_batch', request });
  const posted = await fetch(`${front.address}/v1/runs`, { method: 'POST', headers: headers(), body });
  expect(posted.status).toBe(202);
  return ((await posted.json()) as { poll: string }).poll;
};

it('plat work does what a server leaves, and when it is told to stop ends what it has begun', async () => {
  const poll = await submit('73 Harlow St, Bangor, ME');
  const worker = start(home, ['work'], env);
  const ended = once(worker, 'exit');
  try {
    const said = createInterface({ input: worker.stderr! })[Symbol.asyncIterator]();
    expect((await said.next()).value).toContain('Working on jobs, release none');
    const response = await inHand('worker');
    expect(await get(poll)).toMatchObject({ status: 'running', progress: { done: 0, total: 1 } });
    worker.kill('SIGTERM');
    // It goes on: the answer that it waits for is still taken.
    response.end('{"results": []}');
    expect(await ended).toEqual([0, null]);
  } finally {
    worker.kill('SIGKILL');
  }
  expect(await get(poll)).toMatchObject({
    status: 'done',
    progress: { done: 1, total: 1 },
    result: { results: [{ index: 0, ok: false, error: { error: 'address_not_found' } }] },
  });
});

it('a server whose run takes longer than it may is stopped nevertheless; the run is interrupted and cost nothing', async () => {
  const poll = await submit('75 Harlow St, Bangor, ME');
  const server = await serve(home, { ...env, PLAT_DRAIN_MS: '100' });
  try {
    const response = await inHand('worker');
    expect(await get('/v1/users/me/usage')).toMatchObject({ credits_used: 2 });
    server.child.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    expect(code).toBe(0);
    // What operators have to know of mail is said at every start.
    expect(stderr).toContain('mail is not sent but written to files');
    response.destroy();
  } finally {
    server.child.kill('SIGKILL');
  }
  const run = await until(
    () => get(poll),
    ({ status }) => status === 'failed',
  );
  expect(run).toMatchObject({ status: 'failed', result: null, error: { error: 'run_interrupted', retryable: true } });
  expect(await get('/v1/users/me/usage')).toMatchObject({ credits_used: 0 });
});

it.runIf(process.env.PLAT_TEST === 'long')(
  'plat work calls webhooks on the networks of PLAT_OUTGOING_NETWORKS, and without them none',
  async () => {
    const called: string[] = [];
    const hook = createServer((request, response) => {
      called.push(`${request.method} ${request.url}`);
      response.end();
    });
    await once(hook.listen(0, '127.0.0.1'), 'listening');
    const file = async (name: string): Promise<string> => {
      const webhook = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/${name}`;
      const body = JSON.stringify({
        description: 'slope of the ground',
        example_locations: [{ lat: 44.8, lng: -68.7 }],
        callback: { webhook_url: webhook },
      });
      const posted = await fetch(`${front.address}/v1/field-requests`, { method: 'POST', headers: headers(), body });
      expect(posted.status).toBe(202);
      return ((await posted.json()) as { request_id: string }).request_id;
    };
    const told = (id: string) => plat(home, 'requests', 'deliveries', id, '--json').stdout;
    const working = async (more: Record<string, string>, done: () => boolean) => {
      const worker = start(home, ['work'], { ...env, ...more });
      const ended = once(worker, 'exit');
      try {
        const said = createInterface({ input: worker.stderr! })[Symbol.asyncIterator]();
        expect((await said.next()).value).toContain('Working on jobs');
        await until(async () => done(), Boolean);
      } finally {
        worker.kill('SIGTERM');
        await ended;
      }
    };
    try {
      const refused = await file('refused');
      await working({}, () => told(refused).includes('the webhook was not called'));
      expect(told(refused)).toContain('the webhook was not called: its scheme is not https');
      expect(called).toEqual([]);
      const heard = await file('heard');
      await working(LOOPBACK, () => called.includes('POST /heard'));
      expect(called).toContain('POST /heard');
      expect(told(heard)).toMatch(/delivered/);
    } finally {
      hook.closeAllConnections();
      hook.close();
    }
  },
  120_000,
);
