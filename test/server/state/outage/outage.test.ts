import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openState } from '../../../../server/state/open.ts';
import type { OutageLog } from '../../../../server/state/outage/watch.ts';
import { type Fixture, openFixture } from '../../service-fixture.ts';
import { type Cluster, startPostgres } from '../postgres.ts';

const FETCH = { lat: 44.8, lng: -68.77, fields: ['elevation'] };
const SEARCH = { filters: [{ field: 'state', op: 'eq', value: 'ME' }] };

/** What an operator would have read. */
class Heard implements OutageLog {
  readonly lines: { readonly message: string; readonly cause: string }[] = [];
  readonly #hear = ({ err }: { err?: { code?: string; message?: string } }, message: string) => {
    this.lines.push({ message, cause: `${err?.code ?? ''} ${err?.message ?? ''}` });
  };
  error = this.#hear as OutageLog['error'];
  warn = this.#hear as OutageLog['warn'];
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
  readonly body: any;
}
type Ask = (method: 'GET' | 'POST', url: string, body?: unknown, token?: string) => Promise<Answer>;

const injecting =
  ({ app, token }: Fixture): Ask =>
  async (method, url, body, other = token) => {
    const reply = await app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${other}`, 'x-request-id': 'asked' },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
  };

/** What is promised while nothing can be charged. `stranger` is a token that this server has not seen before. */
async function expectOutage(ask: Ask, stranger: string): Promise<void> {
  const charged = await Promise.all([
    ask('POST', '/v1/fetch', FETCH),
    ask('POST', '/v1/fetch/batch', { locations: [{ lat: 44.8, lng: -68.77 }], fields: ['elevation'] }),
    ask('POST', '/v1/lookup', { input: '44.8,-68.77' }),
  ]);
  // These only read, which succeeds on a full disk until a write has failed.
  charged.push(
    await ask('POST', '/v1/fetch/quote', { fields: ['elevation'], locations: 3 }),
    await ask('GET', '/v1/users/me/usage'),
    await ask('POST', '/v1/search', SEARCH, stranger),
  );
  for (const { status, headers, body } of charged) {
    expect([status, body.detail?.error, body.detail?.retryable]).toEqual([503, 'state_unavailable', true]);
    expect([headers['retry-after'], headers['x-request-id']]).toEqual(['2', 'asked']);
  }
  const ready = await ask('GET', '/readyz');
  expect([ready.status, ready.body.detail.error]).toEqual([503, 'not_ready']);
  expect(ready.body.detail.message).toContain('the state store does not answer');
  // What costs nothing goes on for who was known, and what is public for everybody.
  for (const [method, url, body] of [
    ['POST', '/v1/search', SEARCH],
    ['POST', '/v1/enrich', { lat: 44.8, lng: -68.77, fields: ['elevation'] }],
    ['GET', '/healthz', undefined],
    ['GET', '/v1/meta/fields', undefined],
  ] as const)
    expect((await ask(method, url, body)).status, url).toBe(200);
}

async function untilAnswered(ask: Ask): Promise<void> {
  for (let i = 0; ; i++) {
    const { status, body } = await ask('POST', '/v1/fetch', FETCH);
    if (status === 200) return;
    expect(body.detail.error).toBe('state_unavailable');
    if (i === 200) throw new Error('The store did not come back');
    await sleep(100);
  }
}

const homes: string[] = [];
const newHome = () => {
  homes.push(mkdtempSync(join(tmpdir(), 'plat-outage-')));
  return homes.at(-1)!;
};
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

async function openWatched(home: string, url: string) {
  const heard = new Heard();
  const fixture = await openFixture({ state: await openState(home, url, heard), plan: 'scale', rateLimit: true });
  const stranger = await fixture.tokens.issue(await fixture.state.openAccount('new@example.org', 'scale'));
  const ask = injecting(fixture);
  return { heard, fixture, ask, stranger };
}

/** Credits that the account has spent, from the store itself. */
const used = async (ask: Ask) => (await ask('GET', '/v1/users/me/usage')).body.credits_used as number;

describe('a PostgreSQL', { tags: ['PostgreSQL'] }, () => {
  let cluster: Cluster;
  const folder = mkdtempSync(join(tmpdir(), 'plat-outage-pg-'));
  beforeAll(async () => {
    cluster = await startPostgres({ folder });
  });
  afterAll(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The server and the processes it started. */
  const processes = () => {
    const children = readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .filter(name => {
        try {
          return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]) === cluster.pid;
        } catch {
          return false;
        }
      });
    return [cluster.pid, ...children.map(Number)];
  };
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of processes()) process.kill(pid, signal);
  };
  const ways: [string, () => Promise<void>, () => Promise<void>, RegExp][] = [
    [
      'that was stopped',
      () => cluster.stop(),
      async () => {
        cluster = await startPostgres({ folder });
      },
      /ENOENT|ECONNREFUSED|57P01|terminat/,
    ],
    ['that is frozen', async () => signalAll('SIGSTOP'), async () => signalAll('SIGCONT'), /has not answered/],
  ];

  it.each(ways)('%s: 503 within two seconds, said once, and over without a restart', async (_, end, begin, cause) => {
    const { heard, fixture, ask, stranger } = await openWatched(newHome(), await cluster.database());
    await untilAnswered(ask);
    const before = await used(ask);
    await end();
    try {
      const [first] = await Promise.all([ask('POST', '/v1/fetch', FETCH), expectOutage(ask, stranger)]);
      expect(first.status).toBe(503);
      // Known to be gone: nobody waits for it any more.
      await expectOutage(ask, stranger);
    } finally {
      await begin();
    }
    await untilAnswered(ask);
    expect((await ask('GET', '/readyz')).status).toBe(200);
    expect(heard.lines.map(line => line.message)).toEqual([
      'the state store does not answer',
      'the state store answers again',
    ]);
    expect(heard.lines[0]!.cause).toMatch(cause);
    // What was refused was not charged, what was answered was.
    expect(await used(ask)).toBe(before + 1);
    await fixture[Symbol.asyncDispose]();
  });
});

it('an SQLite file that another process keeps locked is an outage until it lets go', async () => {
  const home = newHome();
  const { heard, fixture, ask, stranger } = await openWatched(home, '');
  await untilAnswered(ask);
  const before = await used(ask);
  const other = new DatabaseSync(join(home, 'state.sqlite'));
  other.exec('begin immediate');
  expect((await ask('POST', '/v1/fetch', FETCH)).status).toBe(503);
  await expectOutage(ask, stranger);
  other.exec('rollback');
  await untilAnswered(ask);
  expect(await used(ask)).toBe(before + 1);
  expect(heard.lines.map(line => line.message)).toEqual([
    'the state store does not answer',
    'the state store answers again',
  ]);
  other.close();
  await fixture[Symbol.asyncDispose]();
});

describe('a full disk', () => {
  const servers: ChildProcess[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.kill('SIGKILL');
  });
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const prlimit = (...args: string[]) => execFileSync('prlimit', args, { stdio: ['ignore', 'pipe', 'pipe'] });

  it('is an outage until there is room again', { tags: ['prlimit'] }, async () => {
    const home = newHome();
    const server = spawn(
      process.execPath,
      ['--experimental-strip-types', 'test/server/server-process.ts', home, '', '0', '0'],
      {
        cwd: root,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    servers.push(server);
    const log: string[] = [];
    createInterface({ input: server.stderr! }).on('line', line => log.push(line));
    const lines = createInterface({ input: server.stdout! });
    const { value } = await lines[Symbol.asyncIterator]().next();
    const { port, token, stranger } = JSON.parse(value as string) as { port: number; token: string; stranger: string };
    const ask: Ask = async (method, url, body, other = token) => {
      const reply = await fetch(`http://127.0.0.1:${port}${url}`, {
        method,
        headers: { authorization: `Bearer ${other}`, 'x-request-id': 'asked', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.json() };
    };
    await untilAnswered(ask);
    const before = await used(ask);
    // No file of the process may grow past what it is: every write of SQLite fails as on a full disk.
    prlimit('--pid', String(server.pid), '--fsize=4096:unlimited');
    await expectOutage(ask, stranger);
    prlimit('--pid', String(server.pid), '--fsize=unlimited:unlimited');
    await untilAnswered(ask);
    expect(await used(ask)).toBe(before + 1);
    expect(log.filter(line => line.includes('does not answer'))).toHaveLength(1);
    expect(log.join('\n')).toMatch(/disk|full|I\/O/i);
  });
});
