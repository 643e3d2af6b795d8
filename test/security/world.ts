import { expect } from 'vitest';
import type { RoadRegion, RouteAnswer, RouteQuestion } from '../../query/engine/route/route-question.ts';
import { createSessionService } from '../../server/auth/session.ts';
import type { Metrics } from '../../server/metrics/metrics.ts';
import type { Account } from '../../server/state/account.ts';
import { type Fixture, openFixture } from '../server/service-fixture.ts';
import { ADDRESS, ROUTES, type RouteEntry } from './routes.ts';

/** A JSON schema as the OpenAPI document holds it. */
export type Schema = Readonly<Record<string, unknown>> & { readonly properties?: Record<string, Schema> };

/** An operation as the document describes it. */
export interface Described {
  readonly security: readonly object[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: Schema }> }>;
}

/** Ids of what a release holds: they are public, and nobody's. */
const OF_RELEASES = ['parcel_id', 'owner_id'];

/** An operation with what routes.ts says of it. */
export interface Operation {
  /** Such as `GET /v1/sites/{site_id}`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly described: Described;
  readonly entry: RouteEntry;
  /** Names of the ids that it takes, in its path or body. */
  readonly ids: readonly string[];
}

/** Somebody with an account. */
export interface Somebody {
  readonly account: Account;
  readonly token: string;
  readonly session: string;
}

export interface World extends AsyncDisposable {
  readonly fixture: Fixture;
  readonly operations: readonly Operation[];
  /** As registered, such as `GET /v1/sites/:site_id`. */
  readonly routes: readonly string[];
  readonly ann: Somebody;
  readonly bob: Somebody;
}

/** An id that no object has, of the form that most have. */
export const NO_ID = '00000000-0000-4000-8000-000000000000';

/** The schema of an operation's body. */
export const bodySchema = ({ described }: Operation): Schema | undefined =>
  described.requestBody?.content['application/json']?.schema;

const idsOf = (path: string, schema: Schema | undefined): string[] => [
  ...[...path.matchAll(/\{(\w*id)\}/g)].map(match => match[1]!),
  ...Object.keys(schema?.properties ?? {}).filter(name => name.endsWith('_id') && !OF_RELEASES.includes(name)),
];

/** The operations of a document. Those that routes.ts does not have are told apart by an entry that nobody may call. */
function operationsOf(paths: Record<string, Record<string, Described>>): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const schema = described.requestBody?.content['application/json']?.schema;
      const entry = ROUTES[name] ?? { callers: 'sessions' };
      return {
        name,
        method: method.toUpperCase() as Operation['method'],
        path,
        described,
        entry,
        ids: idsOf(path, schema),
      };
    }),
  );
}

const ROADS: RoadRegion = {
  dataset: 'osm_roads',
  source: 'roads of a test',
  sourceUrl: null,
  vintage: '2026',
  note: null,
  place: 'test',
  box: [-70, 44, -68, 45],
  fastest: 110,
};

/** A graph on which everything is a minute away from everything. */
function driven(question: RouteQuestion): Exclude<RouteAnswer, { failed: string }> {
  const origins = question.kind === 'table' ? question.origins : [question.origin];
  const places = question.kind === 'table' ? question.destinations : 'places' in question ? question.places : [];
  const limits = question.kind === 'isochrones' ? question.limits : [];
  return {
    region: ROADS,
    origins: origins.map(() => ({ metres: 3, nearestRoad: 3 })),
    places: places.map(() => ({ metres: 3, nearestRoad: 3 })),
    time: new Uint32Array(origins.length * places.length).fill(60_000),
    length: new Uint32Array(origins.length * places.length).fill(10_000),
    found: places.map((_, index) => ({ index, time: 60_000, length: 10_000 })),
    areas: limits.map(() => new TextEncoder().encode('[]')),
  };
}

/** A server with two accounts. @param options of the fixture. */
export async function openWorld(options: Parameters<typeof openFixture>[0] = {}): Promise<World> {
  const routes: string[] = [];
  // What follows requests sees the application before its routes.
  const metrics = {
    follow: (app: Fixture['app']) =>
      app.addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat()) routes.push(`${one} ${url}`);
      }),
  };
  const fixture = await openFixture({ plan: 'scale', metrics: metrics as unknown as Metrics, ...options });
  fixture.tier.knows(ADDRESS);
  fixture.engine.routed = driven;
  const bob = await fixture.state.openAccount('bob@example.org', 'scale');
  const { paths } = (await fixture.app.inject('/v1/openapi.json')).json() as {
    paths: Record<string, Record<string, Described>>;
  };
  return {
    fixture,
    operations: operationsOf(paths),
    routes,
    ann: { account: fixture.account, token: fixture.token, session: await fixture.session() },
    bob: { account: bob, token: await fixture.tokens.issue(bob), session: await fixture.session(bob.email) },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** An answer. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every operation.
  readonly json: any;
  readonly headers: Record<string, unknown>;
}

let asked = 0;
/** Another one for each request: who is refused often from one address is told to wait. */
export const nextAddress = () => `198.18.${(++asked >> 8) & 255}.${asked & 255}`;

/** Credentials like these that may be used up: of a session that is accepted, another one of the same person. */
async function spare({ fixture }: World, headers: Readonly<Record<string, string>>) {
  const { embedded, state, clock } = fixture;
  try {
    const { account } = await createSessionService(embedded.terms, state.identities, clock).verify(
      headers.authorization!.slice('Bearer '.length),
    );
    return { ...headers, ...bearer(await fixture.session(account.email)) };
  } catch {
    return headers;
  }
}

/** Asks an operation. @param ids by name; @param body instead of that of routes.ts, text as it is; @param from a client. */
export async function call(
  world: World,
  { method, path, entry, ids: names, described }: Operation,
  headers: Readonly<Record<string, string>>,
  {
    ids = {},
    body,
    from = nextAddress(),
  }: { readonly ids?: Readonly<Record<string, string>>; readonly body?: unknown; readonly from?: string } = {},
): Promise<Reply> {
  const named = names.filter(name => !path.includes(`{${name}}`)).map(name => [name, ids[name] ?? NO_ID]);
  const payload =
    body ?? (entry.body || named.length > 0 ? { ...entry.body, ...Object.fromEntries(named) } : undefined);
  const file = body === undefined ? entry.file : undefined;
  const sent = (payload !== undefined || file !== undefined) && described.requestBody !== undefined;
  const reply = await world.fixture.app.inject({
    method,
    remoteAddress: from,
    url:
      path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? entry.params?.[name] ?? NO_ID) + (entry.query ?? ''),
    headers: {
      ...(entry.ends ? await spare(world, headers) : headers),
      ...(sent ? { 'content-type': file?.type ?? 'application/json' } : {}),
    },
    ...(sent ? { payload: file?.text ?? (typeof payload === 'string' ? payload : JSON.stringify(payload)) } : {}),
  });
  const isJson = String(reply.headers['content-type']).startsWith('application/json') && reply.body !== '';
  return {
    status: reply.statusCode,
    text: reply.body,
    json: isJson ? reply.json() : null,
    headers: reply.headers,
  };
}

export const bearer = (text: string) => ({ authorization: `Bearer ${text}` });

/** Ids of a new object of somebody, as an operation takes them. */
export async function objectFor(world: World, operation: Operation, owner: Somebody): Promise<Record<string, string>> {
  const { object } = operation.entry;
  if (!object) throw new Error(missingObject(operation));
  const making = world.operations.find(({ name }) => name === object.made)!;
  // What it is made of is made first.
  const ids = making.entry.object ? await objectFor(world, making, owner) : {};
  const { header } = object;
  const asking = { ...bearer(owner.session), ...(header === undefined ? {} : { [header]: '1' }) };
  const { status, json, text, headers } = await call(world, making, asking, { ids });
  expect(status, `${object.made}: ${text}`).toBeLessThan(300);
  // The owner is told of it.
  await Promise.all(world.fixture.outliving);
  return Object.fromEntries(
    operation.ids.map(name => [name, String(header === undefined ? json[name] : headers[header])]),
  );
}

/** What to do about an operation that takes an id and whose entry says nothing of it. */
export const missingObject = ({ name, ids }: Operation): string =>
  `${name} takes ${ids.join(', ')}: say in its entry in test/security/routes.ts what makes such an object and what others than its owner get, such as object: { made: 'POST /v1/sites', code: 'site_not_found' }`;

/** What to do about an operation without an entry. */
export const missingEntry = (name: string): string =>
  `${name} has no entry: add a line to ROUTES in test/security/routes.ts, such as '${name}': { callers: 'accounts'${name.startsWith('POST') ? ', body: { … }' : ''} }, which says who may call it and what a good body is`;

/** Whether an answer is that to a good request. */
export const isGood = ({ entry }: Operation, status: number): boolean =>
  entry.good === undefined ? status >= 200 && status < 300 : status === entry.good;
