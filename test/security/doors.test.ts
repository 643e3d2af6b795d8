// Every operation passes the same limits through every door: HTTP, tools by HTTP and by stdio, jobs, and questions that fetch.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyContextConfig } from 'fastify';
import { afterEach, expect, it, vi } from 'vitest';
import { JOB_KINDS } from '../../server/job-kinds.ts';
import { doJob } from '../../server/jobs/attempt.ts';
import { leasesHeld } from '../../server/lease/lease.ts';
import { TOOLS } from '../../server/mcp/registry.ts';
import type { Form, Tool } from '../../server/mcp/tool.ts';
import { Room } from '../../server/memory/room.ts';
import type { Metrics } from '../../server/metrics/metrics.ts';
import type { StateStore } from '../../server/state/store.ts';
import { filesBelow, root } from '../house/files.ts';
import { contextFor, NO_CALLBACKS } from '../server/service-fixture.ts';
import { describeDoors } from '../server/state/state-stores.ts';
import { bearer, call, NO_ID, type Operation, objectFor, openWorld, type World } from './world.ts';

/** What an operation says to the engine about its caller. */
interface Terms {
  readonly deadline?: number;
  readonly signal?: AbortSignal;
  readonly account?: string;
}

/** Questions of the engine whose answers are files: who asks has no token. */
const FILES = ['tile', 'quantiles'];

let world: World;
let port: number;
const configs = new Map<string, FastifyContextConfig>();
/** What the engine was asked since a test began to hold its answers back; null answers at once. */
let asked: { readonly name: string; readonly terms: Terms }[] | null = null;

/** An engine that holds its answers back until their signals abort, while a test wants it to. */
function holding<T extends object>(engine: T): T {
  return new Proxy(engine, {
    get(target, name: string) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...inputs: unknown[]) => {
        const answer = value.apply(target, inputs) as unknown;
        if (!asked || !(answer instanceof Promise) || FILES.includes(name)) return answer;
        const terms = (inputs.at(-1) ?? {}) as Terms;
        asked.push({ name, terms });
        return new Promise((_, reject) => {
          terms.signal?.addEventListener('abort', () => reject(terms.signal!.reason));
        });
      };
    },
  });
}

const ofAccounts = () => world.operations.filter(({ entry }) => entry.callers !== 'anybody');
const forms = (): (readonly [Tool, Form])[] => TOOLS.flatMap(tool => tool.forms.map(form => [tool, form] as const));
const operationOf = ({ route }: Form): Operation | undefined => world.operations.find(({ name }) => name === route);

/** A good body of an operation, with ids of objects that nobody has. */
const bodyOf = ({ entry, ids }: Operation) => ({ ...entry.body, ...Object.fromEntries(ids.map(id => [id, NO_ID])) });

/** A body as a tool takes it. */
const asOf = ({ operation }: Form, body: object) => ({ ...body, ...(operation === undefined ? {} : { operation }) });

/** The message that calls a tool. */
const message = ({ name }: Tool, req: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: `service_${name}`, arguments: { req } },
});

const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const callTool = (tool: Tool, req: unknown) =>
  world.fixture.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...bearer(world.ann.token), ...ACCEPT },
    payload: JSON.stringify(message(tool, req)),
  });

/** Sends a request on a connection of its own. */
function send(method: string, path: string, token: string, body: unknown) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = Object.entries({ host: 'plat', ...bearer(token), ...ACCEPT, 'content-length': Buffer.byteLength(text) });
  const socket = connect(port, '127.0.0.1');
  const isAnswered = once(socket, 'data').then(() => true);
  isAnswered.catch(() => {});
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines}\r\n${text}`);
  return { socket, isAnswered };
}

async function eventually(holds: () => boolean, what: string): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 2_000) throw new Error(`Never: ${what}`);
    await sleep(5);
  }
}

/** How many slots and bytes are taken by requests. */
const taken = () => ['account', 'body', 'answer', 'line'].map(kind => leasesHeld().get(kind as 'account') ?? 0);

/** Asks, leaves as soon as the engine was asked, and looks whether it was told. @returns what the engine was asked. */
async function leave(name: string, sent: ReturnType<typeof send>, before: readonly number[]): Promise<string[]> {
  asked = [];
  let isAnswered = false;
  sent.isAnswered.then(
    () => {
      isAnswered = true;
    },
    () => {},
  );
  await eventually(() => isAnswered || asked!.length > 0, `${name} is answered or asks the engine`);
  const questions = asked;
  sent.socket.destroy();
  for (const { name: question, terms } of questions) {
    expect(terms.signal, `${name}: ${question} ends with its client`).toBeInstanceOf(AbortSignal);
    expect(terms.deadline, `${name}: ${question} has a deadline`).toBeGreaterThan(0);
    expect(terms.account, `${name}: ${question} waits in the line of its account`).toBe(world.ann.account.id);
  }
  await eventually(() => questions.every(({ terms }) => terms.signal!.aborted), `${name} ends when its client leaves`);
  asked = null;
  await eventually(() => taken().every((count, i) => count <= before[i]!), `${name} keeps nothing`);
  return questions.map(({ name: question }) => question);
}

/** Every kind of jobs: what makes one that asks the engine, or null where none does. */
const MAKERS: Readonly<Record<string, string | null>> = {
  run: 'POST /v1/runs',
  export: 'POST /v1/exports',
  screening: 'POST /v1/sites',
  'field-request-screening': null,
  'field-request-publishing': null,
  'field-request-delivery': null,
  'field-request-expiry': null,
  'field-request-scrub': null,
  'correction-delivery': null,
  'correction-supersession': null,
  'account-notice-summary': null,
  'watch-round': null,
  'watch-comparison': null,
  'watch-delivery': null,
  'watch-address': null,
};

/** Opens the world of a test. */
async function openDoors(state?: StateStore): Promise<void> {
  const metrics = {
    follow: (app: World['fixture']['app']) =>
      app.addHook('onRoute', ({ method, url, config }) => {
        for (const one of [method].flat()) configs.set(`${one} ${url.replace(/:(\w+)/g, '{$1}')}`, config ?? {});
      }),
  };
  world = await openWorld({
    ...(state ? { state } : {}),
    metrics: metrics as unknown as Metrics,
    limits: { accountRequests: 1 },
    between: services => ({ ...services, engine: holding(services.engine) }),
  });
  await world.fixture.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = world.fixture.app.server.address() as AddressInfo);
}

afterEach(async () => {
  asked = null;
  vi.restoreAllMocks();
  await world?.[Symbol.asyncDispose]();
  world = null!;
});

it('every operation that a tool calls is named by its route and estimates its answer as the route does', async () => {
  await openDoors();
  for (const [tool, form] of forms()) {
    if (form.route === null) continue;
    const config = configs.get(form.route);
    expect(config, `service_${tool.name} names ${form.route}`).toMatchObject({ protected: true });
    expect(form.answerBytes, `${form.route} as a tool`).toBe(config!.answerBytes);
  }
  // What finds names by words has no other door, nor has what is covered at a place, or what was cut off an answer.
  expect(forms().flatMap(([tool, { route }]) => (route === null ? [tool.name] : []))).toEqual([
    ...['catalog', 'coverage', 'rest'],
  ]);
});

it('who does not read answers gets no other one, through any door', async () => {
  await openDoors();
  vi.spyOn(Room.prototype, 'isFilledBy').mockReturnValue(true);
  vi.spyOn(Room.prototype, 'enter').mockResolvedValue(null);
  const refused = [429, expect.stringContaining('Answers that were not read yet leave no room')];
  for (const operation of ofAccounts()) {
    const { status, text } = await call(world, operation, bearer(world.ann.session));
    expect([status, text], operation.name).toEqual(refused);
  }
  for (const [tool] of forms()) {
    const { statusCode, body } = await callTool(tool, {});
    expect([statusCode, body], tool.name).toEqual(refused);
  }
});

it('a large answer waits for room, through any door, before anything is done for it', async () => {
  await openDoors();
  vi.spyOn(Room.prototype, 'enter').mockResolvedValue(null);
  const large = forms().filter(([, { answerBytes }]) => answerBytes);
  expect(large.length).toBeGreaterThan(1);
  for (const [tool, form] of large) {
    const operation = operationOf(form)!;
    const locations = Array(25).fill({ lat: 44.8, lng: -68.77 });
    const more = form.operation ? { limit: 10_000 } : { enrich: true };
    const body = { ...bodyOf(operation), ...('locations' in bodyOf(operation) ? { locations } : more) };
    asked = [];
    const { status } = await call(world, operation, bearer(world.ann.token), { body });
    expect(status, operation.name).toBe(429);
    const { body: text } = await callTool(tool, asOf(form, body));
    expect(text, `service_${tool.name}`).toContain('rate_limited: Answers that were not read yet leave no room');
    expect(asked, operation.name).toEqual([]);
  }
});

describeDoors('the doors to operations', kind => {
  it('who has a request under way at the limit of its account gets no other one, through any door, and takes credentials back', async () => {
    await openDoors(await kind.open(await kind.place()));
    const body = { lat: 44.8, lng: -68.77, fields: ['elevation'] };
    asked = [];
    const held = send('POST', '/v1/fetch', world.ann.token, body);
    await eventually(() => asked!.length > 0, 'the first is under way');
    const replies = await Promise.all([
      ...ofAccounts().map(async operation => {
        const { status, text } = await call(world, operation, bearer(world.ann.session));
        return [operation.name, status, text] as const;
      }),
      ...forms().map(async ([tool, form]) => {
        const { statusCode, body: text } = await callTool(tool, {});
        return [`${tool.name} ${form.route}`, statusCode, text] as const;
      }),
    ]);
    asked = null;
    held.socket.destroy();
    await eventually(() => taken().every(count => count === 0), 'the first has ended');
    const revocations = new Set(ofAccounts().flatMap(({ name, entry }) => (entry.revokes ? [name] : [])));
    expect(revocations.size).toBeGreaterThan(0);
    for (const [name, status, text] of replies)
      if (revocations.has(name)) expect(status, name).not.toBe(429);
      else
        expect([status, text], name).toEqual([
          429,
          expect.stringContaining('More than 1 requests of this account at once'),
        ]);
  });

  it('an operation whose client leaves ends, and keeps no slot and no memory, through any door', async () => {
    await openDoors(await kind.open(await kind.place()));
    const before = taken();
    const byHttp = new Map<string, string[]>();
    for (const operation of ofAccounts()) {
      const { name, method, path, entry, described } = operation;
      const { token, session } = world.ann;
      const url = path.replace(/\{(\w+)\}/g, (_, id: string) => entry.params?.[id] ?? NO_ID) + (entry.query ?? '');
      const body = described.requestBody ? bodyOf(operation) : undefined;
      const sent = send(method, url, entry.callers === 'sessions' ? session : token, body);
      byHttp.set(name, await leave(name, sent, before));
    }
    expect([...byHttp.values()].filter(questions => questions.length > 0).length).toBeGreaterThan(8);
    for (const [tool, form] of forms()) {
      if (form.route === null) continue;
      const operation = operationOf(form)!;
      const sent = send('POST', '/mcp', world.ann.token, message(tool, asOf(form, bodyOf(operation))));
      const questions = await leave(`service_${tool.name} ${form.route}`, sent, before);
      expect(questions, `service_${tool.name} asks what ${form.route} asks`).toEqual(byHttp.get(form.route));
    }
  });

  it('jobs of every kind are a few at once, and end when their server stops', async () => {
    await openDoors(await kind.open(await kind.place()));
    expect(Object.keys(MAKERS)).toEqual(JOB_KINDS.map(({ name }) => name));
    const { fixture } = world;
    const services = { ...contextFor(fixture), callbacks: NO_CALLBACKS };
    for (const kind of JOB_KINDS) {
      expect(kind.atOnce, kind.name).toBeLessThanOrEqual(4);
      const maker = MAKERS[kind.name];
      if (!maker) continue;
      const operation = world.operations.find(({ name }) => name === maker)!;
      const ids = operation.entry.object ? await objectFor(world, operation, world.ann) : {};
      expect((await call(world, operation, bearer(world.ann.token), { ids })).status, maker).toBe(202);
      const claim = (await fixture.state.jobs.claim(kind.name))!;
      const stopping = new AbortController();
      asked = [];
      const done = doJob({ ...services, engine: holding(fixture.engine) }, kind, claim, stopping.signal);
      await eventually(() => asked!.length > 0, `a job of kind ${kind.name} asks the engine`);
      stopping.abort(new Error('the server stops'));
      const questions = asked;
      await eventually(
        () => questions.every(({ terms }) => terms.signal?.aborted),
        `${kind.name} ends with its server`,
      );
      asked = null;
      await done;
    }
  });
});

const sources = filesBelow('server').map(file => [file, readFileSync(join(root, file), 'utf8')] as const);

it('a door that writes its responses itself counts what was not read and cuts off who reads nothing', () => {
  const doors = sources.filter(([, text]) => /\.hijack\(\)/.test(text));
  expect(doors.length).toBeGreaterThan(1);
  for (const [file, text] of doors) {
    // It answers sign-ins by the rules of OpenID, in a few kilobytes, and no operation.
    if (file === 'server/provider/mount.ts') continue;
    expect(text, file).toContain('.countAnswer(');
    expect(text, file).toContain('cutStalled(');
  }
});

it('an operation is called by its route, by a tool or by a job: the program on the machine of the agent calls none', () => {
  const agents = sources.filter(([file]) => file.startsWith('server/agent/'));
  expect(agents.length).toBeGreaterThan(3);
  for (const [file, text] of agents) expect(text, file).not.toMatch(/from '\.\.\/.*(?:operation|context)\.ts'/);
  const adapter = agents.find(([file]) => file.endsWith('adapter.ts'))![1];
  expect(adapter).toContain('signal: mcpReq.signal');
});
