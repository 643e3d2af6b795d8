import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { periodOf } from '../../server/state/usage/period.ts';
import { describeStores, type StatePlace, type StoreKind } from './state/state-stores.ts';

const LONG = process.env.PLAT_TEST === 'long';

/** Answers after which a server is killed. */
const [CHARGES, RESULTS] = LONG ? [150, 40] : [60, 16];

interface Server {
  readonly port: number;
  readonly token: string;
  readonly accountId: string;
  /** Kills it without a chance to finish anything. */
  kill(): Promise<void>;
}

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

async function start({ home, url }: StatePlace, options: { answerMs: number; aheadMs?: number }): Promise<Server> {
  const program = fileURLToPath(new URL('./server-process.ts', import.meta.url));
  const numbers = [options.answerMs, options.aheadMs ?? 0].map(String);
  const child = spawn(
    process.execPath,
    ['--experimental-strip-types', '--no-warnings', program, home, url, ...numbers],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  running.push(child);
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  for await (const line of createInterface({ input: child.stdout! }))
    return {
      ...JSON.parse(line),
      async kill() {
        child.kill('SIGKILL');
        await exited;
      },
    };
  throw new Error('The server process ended before it listened');
}

/** @returns null when the connection broke before the answer was out. */
async function post(server: Server, path: string, body: unknown, key?: string) {
  try {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.token}`,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  } catch {
    return null;
  }
}

const BATCH = {
  locations: [
    { lat: 44, lng: -68 },
    { lat: 45, lng: -68 },
  ],
  fields: ['elevation', 'parcel_apn'],
};
const PRICE = 2 * 151;

const used = async (kind: StoreKind, place: StatePlace, accountId: string, at: number) =>
  (await kind.open(place)).ledger.usage(accountId, periodOf(at), at);

describeStores('kill -9', kind => {
  // Each of the four servers of the last two tests takes three seconds of a processor to start, in each store.
  const isForLong = !LONG;

  it('loses no charge that was answered and keeps no credits of requests that were not', async () => {
    const place = await kind.place();
    const server = await start(place, { answerMs: 10 });
    const at = Date.now();
    let answered = 0;
    let unanswered = 0;
    const lane = async () => {
      for (;;) {
        const reply = await post(server, '/v1/fetch', { lat: 44, lng: -68, fields: ['elevation', 'slope_degrees'] });
        if (!reply) {
          unanswered++;
          return;
        }
        expect(reply.status).toBe(200);
        if (++answered === CHARGES) void server.kill();
      }
    };
    await Promise.all(Array.from({ length: 16 }, lane));
    const before = await used(kind, place, server.accountId, at);
    expect(before.spent).toBeGreaterThanOrEqual(answered * 2);
    expect(before.spent + before.held).toBeLessThanOrEqual((answered + unanswered) * 2);
    // Reservations of a fetch expire a minute after its 20 seconds.
    const after = await used(kind, place, server.accountId, Date.now() + 81_000);
    expect(after).toEqual({ spent: before.spent, held: 0, selfLimit: null });
  });

  it.skipIf(isForLong)(
    'loses no stored result, and what was running is executed and charged once by the next server',
    async () => {
      const place = await kind.place();
      const first = await start(place, { answerMs: 20 });
      const at = Date.now();
      const results = new Map<string, unknown>();
      const keys: string[] = [];
      const lane = async () => {
        for (;;) {
          const key = `key-${String(keys.length).padStart(6, '0')}`;
          keys.push(key);
          const reply = await post(first, '/v1/fetch/batch', BATCH, key);
          if (!reply) return;
          expect(reply.status).toBe(200);
          results.set(key, reply.json);
          if (results.size === RESULTS) void first.kill();
        }
      };
      await Promise.all(Array.from({ length: 8 }, lane));
      expect(keys.length).toBeGreaterThan(results.size);

      // Ahead of the leases of the dead, behind the end of their reservations.
      const second = await start(place, { answerMs: 1, aheadMs: 35_000 });
      for (const key of keys) {
        const reply = (await post(second, '/v1/fetch/batch', BATCH, key))!;
        expect(reply.status).toBe(200);
        if (results.has(key)) expect(reply.json).toStrictEqual({ ...(results.get(key) as object), replayed: true });
      }
      expect(await used(kind, place, first.accountId, at)).toEqual({
        spent: keys.length * PRICE,
        held: 0,
        selfLimit: null,
      });
    },
  );

  it.skipIf(isForLong)('or not: two servers on one store execute and charge many retries once', async () => {
    const place = await kind.place();
    const servers = await Promise.all([start(place, { answerMs: 60 }), start(place, { answerMs: 60 })]);
    const at = Date.now();
    const retry = async (server: Server) => {
      for (;;) {
        const reply = (await post(server, '/v1/fetch/batch', BATCH, 'one-key-for-all'))!;
        if (reply.status !== 409) return reply;
        expect((reply.json.detail as { error: string }).error).toBe('batch_in_progress');
        await new Promise(resolve => setTimeout(resolve, 20));
      }
    };
    const replies = await Promise.all(Array.from({ length: LONG ? 64 : 24 }, (_, i) => retry(servers[i % 2]!)));
    expect(replies.filter(({ json }) => json.replayed === undefined)).toHaveLength(1);
    for (const { status, json } of replies) {
      expect(status).toBe(200);
      expect(json.results).toStrictEqual(replies[0]!.json.results);
    }
    expect(await used(kind, place, servers[0]!.accountId, at)).toEqual({ spent: PRICE, held: 0, selfLimit: null });
  });
});
