import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { AppServices } from '../../../server/app-services.ts';
import { type LeaseKind, leasesHeld } from '../../../server/lease/lease.ts';
import type { Limits } from '../../../server/limits.ts';
import { Metrics } from '../../../server/metrics/metrics.ts';
import { ADDRESS, UNDESCRIBED } from '../../security/routes.ts';
import { bearer, NO_ID, type Operation, objectFor, openWorld, type World } from '../../security/world.ts';
import { FakeTier } from '../fake-tier.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';
import { openGates } from './gates.ts';

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

const head = (path: string, token: string, length = 0) =>
  `${length > 0 ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${
    length > 0 ? `Content-Type: application/json\r\nContent-Length: ${length}\r\n` : ''
  }\r\n`;

/** A server whose clients leave while it looks their tokens up. */
interface Stage {
  readonly fixture: Fixture;
  readonly base: string;
  /** Sends each text on a connection of its own, resets all of them while their tokens are looked up, and lets that end. */
  leave(texts: readonly string[]): Promise<void>;
}

async function stage(state: Fixture['state'], limits: Partial<Limits>): Promise<Stage> {
  let asked = 0;
  let resume: Promise<void> | null = null;
  const between = (services: AppServices): AppServices => ({
    ...services,
    tokens: {
      ...services.tokens,
      verify: async (token, withoutState) => {
        const caller = await services.tokens.verify(token, withoutState);
        asked++;
        await resume;
        return caller;
      },
    },
  });
  const fixture = await openFixture({ state, limits, between });
  opened.push(fixture);
  const base = await fixture.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = fixture.app.server.address() as AddressInfo;
  return {
    fixture,
    base,
    async leave(texts) {
      const { promise, resolve } = Promise.withResolvers<void>();
      resume = promise;
      asked = 0;
      const closed: Promise<unknown>[] = [];
      const follow = (socket: Socket) => closed.push(new Promise(done => socket.once('close', done)));
      fixture.app.server.on('connection', follow);
      const clients = texts.map(text => {
        const client = connect(port, '127.0.0.1', () => client.write(text));
        client.on('error', () => {});
        return client;
      });
      const requests = texts.join('').split(' HTTP/1.1').length - 1;
      while (asked < requests) await new Promise(done => setImmediate(done));
      for (const client of clients) client.resetAndDestroy();
      await Promise.all(closed);
      fixture.app.server.off('connection', follow);
      resume = null;
      resolve();
      await new Promise(done => setImmediate(done));
    },
  };
}

describeDoors('a client that leaves while its token is looked up', kind => {
  const open = async (limits: Partial<Limits>) => stage(await kind.open(await kind.place()), limits);

  it('keeps no slot of its account, on connections of its own or one behind the other on one', async () => {
    const { fixture, base, leave } = await open({ accountRequests: 32 });
    const usage = head('/v1/users/me/usage', fixture.token);
    await leave(Array.from({ length: 60 }, () => usage));
    await leave([usage.repeat(40)]);
    const reply = await fetch(`${base}/v1/users/me/usage`, { headers: { authorization: `Bearer ${fixture.token}` } });
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('credits')]);
  });

  it('keeps no memory for its body: bodies of others are still read', async () => {
    const [bodyLimit, bodyBytes] = [1_048_576, 14 * 1_048_576];
    const { fixture, base, leave } = await open({ bodyLimit, bodyBytes });
    const { state, tokens } = fixture;
    const tokenOf = async (name: string) => tokens.issue(await state.openAccount(`${name}@example.org`, 'free'));
    const strangers = await Promise.all(Array.from({ length: 14 }, (_, i) => tokenOf(`stranger-${i}`)));
    await leave(strangers.map(token => head('/v1/search', token, bodyLimit)));
    const reply = await fetch(`${base}/v1/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenOf('other')}`, 'content-type': 'application/json' },
      body: `{"filters":[]${' '.repeat(16_384)}}`,
    });
    expect([reply.status, await reply.text()]).toEqual([422, expect.stringContaining('search_invalid_request')]);
  });
});

/** A request that leaves: `ids` are those of an object that was made for it. */
interface Asked {
  readonly name: string;
  readonly method: string;
  path(ids: Readonly<Record<string, string>>): string;
  readonly headers: Readonly<Record<string, string>>;
  body(ids: Readonly<Record<string, string>>): string | null;
  /** Makes what it asks about. */
  readonly object: (() => Promise<Record<string, string>>) | null;
  /** Never ends by itself. */
  readonly endless: boolean;
}

/** A body of so many bytes that it needs room and is parsed in turn. */
const long = (value: object) => JSON.stringify(value).padEnd(20_000);

function described(world: World, operation: Operation): Asked {
  const { name, method, entry, ids: names, described, path } = operation;
  const somebody = entry.callers === 'sessions' || entry.refuses ? world.ann.session : world.ann.token;
  return {
    name,
    method,
    path: ids =>
      path.replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? entry.params?.[id] ?? NO_ID) + (entry.query ?? ''),
    headers: entry.callers === 'anybody' ? {} : bearer(somebody),
    body: ids => {
      if (!described.requestBody) return null;
      const inBody = names.filter(id => !path.includes(`{${id}}`)).map(id => [id, ids[id]]);
      return long({ ...entry.body, ...Object.fromEntries(inBody) });
    },
    object: entry.object ? () => objectFor(world, operation, world.ann) : null,
    endless: entry.endless === true,
  };
}

const FORM = 'application/x-www-form-urlencoded';
const TOOLS: Readonly<Record<string, object>> = {
  service_fetch: { lat: 44.8, lng: -68.77, fields: ['elevation'] },
  service_search: { filters: [{ field: 'state', op: 'eq', value: 'ME' }] },
  service_ask: { lat: 44.8, lng: -68.77, question: 'What is the elevation?' },
};

/** A request to a route that the OpenAPI document does not have; to the door of tools one for each of some tools. */
function undescribed(world: World, route: string): Asked[] {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern
    .replace(/:layers/, 'parcels')
    .replace(/:[zxy]\b/g, '0')
    .replace(/:\w+|\*/g, 'x');
  const ask = (name: string, headers: Readonly<Record<string, string>>, body: string | null): Asked => ({
    name,
    method,
    path: () => path,
    headers,
    body: () => body,
    object: null,
    endless: false,
  });
  if (route === 'POST /mcp')
    return Object.entries(TOOLS).map(([name, req]) =>
      ask(
        `${route} ${name}`,
        { ...bearer(world.ann.token), accept: 'application/json, text/event-stream' },
        long({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { req } } }),
      ),
    );
  if (pattern === '/mcp' || pattern.startsWith('/tiles/')) return [ask(route, bearer(world.ann.token), null)];
  const form =
    'email=ann%40example.org&password=a+long+password&token=x&grant_type=authorization_code&code=x&user_code=x';
  if (route === 'POST /register') return [ask(route, {}, JSON.stringify({ redirect_uris: ['http://127.0.0.1/cb'] }))];
  return [ask(route, method === 'POST' ? { 'content-type': FORM } : {}, method === 'POST' ? form : null)];
}

/** Moments at which one leaves who would be told of changes for a quarter of an hour. */
const ENDLESS_GATES = 6;

describeDoors('a client that leaves at any moment of any route', kind => {
  it('leaves nothing behind: no slot, no bytes, no turn, no timer', async () => {
    const gates = openGates();
    const tier = new FakeTier();
    tier.knows(ADDRESS);
    const world = await openWorld({
      state: gates.around(await kind.open(await kind.place())),
      geocodeTier: gates.around(tier),
      between: gates.between,
      cache: false,
      metrics: new Metrics(),
      rateLimit: true,
      trustedProxies: ['127.0.0.1'],
      limits: { accountRequests: 32, addressRequests: 64, addressConnections: 0 },
    });
    opened.push(world);
    const { app } = world.fixture;
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    let before = new Map(leasesHeld());
    const held = () =>
      Object.fromEntries([...leasesHeld()].flatMap(([of, n]) => (n > (before.get(of) ?? 0) ? [[of, n]] : [])));
    let asked = 0;

    /** Until nothing is under way and nothing is held, or for two seconds. */
    const quiet = async () => {
      for (let looks = 0, calm = 0; calm < 3 && looks < 2_000; looks++) {
        calm = gates.running === 0 && Object.keys(held()).length === 0 ? calm + 1 : 0;
        await new Promise(done => (looks < 100 ? setImmediate(done) : setTimeout(done, 1)));
      }
    };

    /** Sends a request and leaves: at a gate, counted from 0, or when a share of its body was read. @returns whether it left. */
    const leave = async (one: Asked, ids: Record<string, string>, { gate = -1, share = 1 }): Promise<boolean> => {
      const body = one.body(ids);
      const headers: Record<string, string> = {
        host: 'x',
        'x-forwarded-for': `198.18.${(++asked >> 8) & 255}.${asked & 255}`,
        ...(body === null
          ? {}
          : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body)}` }),
        ...one.headers,
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const text = `${one.method} ${one.path(ids)} HTTP/1.1\r\n${lines.join('')}\r\n${(body ?? '').slice(0, (body ?? '').length * share)}`;
      const opening = new Promise<Socket>(resolve => app.server.once('connection', resolve));
      const answered = new Promise<void>(resolve =>
        app.server.once('request', (_, response) => response.once('close', resolve)),
      );
      const client = connect(port, '127.0.0.1');
      client.on('error', () => {}).resume();
      const socket = await opening;
      const closed = new Promise<void>(resolve => socket.once('close', resolve));
      let left = false;
      const go = () => {
        left = true;
        client.resetAndDestroy();
        return closed;
      };
      let passed = 0;
      gates.reached = () => (passed++ === gate ? go() : undefined);
      client.write(text);
      if (share < 1) {
        while (socket.bytesRead < text.length) await new Promise(done => setImmediate(done));
        await go();
      }
      await answered;
      client.destroy();
      await closed;
      gates.reached = null;
      await quiet();
      return left;
    };

    const requests = [
      ...world.operations.map(operation => described(world, operation)),
      ...UNDESCRIBED.flatMap(route => undescribed(world, route)),
    ];
    const behind: unknown[] = [];
    let moments = 0;
    for (const one of requests) {
      // Each that stays is waited for.
      if (behind.length >= 3) break;
      // A minute of one account holds some hundred requests, and all routes together take more.
      world.fixture.clock.time += 10_000;
      const look = (moment: string) => {
        if (Object.keys(held()).length === 0) return;
        behind.push([one.name, moment, held()]);
        before = new Map(leasesHeld());
      };
      let ids = (await one.object?.()) ?? {};
      if (one.body(ids) !== null)
        for (const share of [0, 0.5]) {
          await leave(one, ids, { share });
          look(`with ${share} of its body sent`);
        }
      let gate = 0;
      while (behind.length < 3 && (!one.endless || gate < ENDLESS_GATES) && (await leave(one, ids, { gate }))) {
        look(`at gate ${gate++}`);
        moments++;
        if (one.method === 'DELETE' && one.object) ids = await one.object();
      }
    }
    expect(behind).toEqual([]);
    expect(moments).toBeGreaterThan(200);
  });
});

it('a slot ends with its response, and a connection that lives on gathers no listeners', async () => {
  const fixture = await openFixture({ limits: { accountRequests: 1, addressConnections: 1 } });
  opened.push(fixture);
  await fixture.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = fixture.app.server.address() as AddressInfo;
  const before = new Map(leasesHeld());
  const held = (of: LeaseKind) => (leasesHeld().get(of) ?? 0) - (before.get(of) ?? 0);
  const opening = new Promise<Socket>(resolve => fixture.app.server.once('connection', resolve));
  const client = connect(port, '127.0.0.1').on('error', () => {});
  const socket = await opening;
  const listeners: number[] = [];
  for (let i = 0; i < 20; i++) {
    const answered = new Promise<void>(resolve =>
      fixture.app.server.once('request', (_, response) => response.once('close', resolve)),
    );
    client.write(head('/v1/users/me/usage', fixture.token));
    await answered;
    await new Promise(done => setImmediate(done));
    listeners.push(socket.listenerCount('close'));
    expect([held('account'), held('signal')]).toEqual([0, 0]);
  }
  expect(new Set(listeners.slice(1)).size).toBe(1);
  expect(held('connection')).toBeGreaterThan(0);
  const closed = new Promise(resolve => socket.once('close', resolve));
  client.destroy();
  await closed;
  expect(held('connection')).toBe(0);
});
