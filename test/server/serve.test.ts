import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PLAT } from '../plat.ts';
import { begin, refused } from './http/running-request.ts';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'plat-serve-'));
});
afterAll(() => rmSync(home, { recursive: true }));

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
  readonly token: string;
  readonly exited: Promise<number | null>;
}

/** Starts `plat serve --welcome` as a process of its own and reads its address and token. */
async function serve(env: Record<string, string> = {}): Promise<Server> {
  const child = spawn(PLAT, ['serve', '--welcome'], {
    env: { ...process.env, PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1', PLAT_LOG: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve));
  let port = 0;
  for await (const line of createInterface({ input: child.stdout! })) {
    port = Number(/^Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? port);
    const token = /^API token: (\S+)$/.exec(line)?.[1];
    if (token) return { child, port, token, exited };
  }
  throw new Error(`plat serve ended with ${await exited}`);
}

/** Files a field request whose news go to a webhook of this machine. @returns status, and what of it was wrong. */
async function filed({ port, token }: Server) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/field-requests`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      description: 'slope',
      example_locations: [{ lat: 44.8, lng: -68.7 }],
      callback: { webhook_url: 'http://127.0.0.1:9/hook' },
    }),
  });
  const [, type] = /"type":"([^"]+)"/.exec(await response.text()) ?? [];
  return [response.status, type];
}

it('is not ready before the port closes, and answers all else meanwhile', async () => {
  const server = await serve({ PLAT_DRAIN_DELAY_MS: '1500' });
  try {
    const ask = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);
    expect(await (await ask('/readyz')).text()).not.toContain('ending');
    // A webhook over http:// is refused where no network is listed, without a look-up.
    expect(await filed(server)).toEqual([422, 'url_not_public']);
    server.child.kill('SIGTERM');
    let text = '';
    while (!text.includes('the server is ending')) text = await (await ask('/readyz')).text();
    expect((await ask('/readyz')).status).toBe(503);
    const usage = await fetch(`http://127.0.0.1:${server.port}/v1/users/me/usage`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect([usage.status, (await ask('/healthz')).status]).toEqual([200, 200]);
    expect(await server.exited).toBe(0);
  } finally {
    server.child.kill('SIGKILL');
  }
});

let token: string;
it('a request that never ends is cut after PLAT_DRAIN_MS', async () => {
  const server = await serve({ PLAT_DRAIN_MS: '200', PLAT_OUTGOING_NETWORKS: '127.0.0.0/8' });
  try {
    expect(await filed(server)).toEqual([202, undefined]);
    const { reply } = await begin(server.port, server.token);
    server.child.kill('SIGTERM');
    expect(await reply).not.toContain('HTTP/1.1 200');
    expect(await server.exited).toBe(0);
    token = server.token;
  } finally {
    server.child.kill('SIGKILL');
  }
});

it('the token stays the same over a restart; SIGTERM stops accepting, finishes what runs, and ends with 0', async () => {
  const server = await serve();
  try {
    expect(server.token).toBe(token);
    const { finish, reply } = await begin(server.port, server.token);
    server.child.kill('SIGTERM');
    while (!(await refused(server.port))) await new Promise(resolve => setTimeout(resolve, 20));
    finish();
    const text = await reply;
    expect(text).toMatch(/HTTP\/1\.1 200 OK/);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    const body = JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n') + 4));
    // No release is published here, and the answer says so instead of guessing.
    expect(body.fields.county_name).toMatchObject({ status: 'failed', value: null });
    expect(body.partial_failures).toHaveLength(1);
    expect(await server.exited).toBe(0);
  } finally {
    server.child.kill('SIGKILL');
  }
});

it('a wrong setting ends with 2 and a line that says what was expected', async () => {
  const child = spawn(PLAT, ['serve'], {
    env: { ...process.env, PLAT_HOME: home, PORT: 'many' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr!.on('data', chunk => {
    text += chunk;
  });
  expect(await new Promise(resolve => child.once('close', resolve))).toBe(2);
  expect(text).toContain('PORT=many: expected a whole number from 0 to 65535');
});
