// OWASP API4:2023, unrestricted resource consumption: sizes, numbers and work that one request or one caller may ask for.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Gate } from '../../server/lease/gate.ts';
import { PLANS, type Plan } from '../../server/plans.ts';
import { signInServices, signInWithPassword } from '../../server/provider/sign-in.ts';
import { LIMITS } from '../../server/rate/throttle-limits.ts';
import { openFixture } from '../server/service-fixture.ts';
import { describeDoors } from '../server/state/state-stores.ts';
import { bearer, bodySchema, call, isGood, type Operation, openWorld, type Schema, type World } from './world.ts';

const BODY_LIMIT = 65_536;

let world: World;
beforeAll(async () => {
  world = await openWorld({ limits: { bodyLimit: BODY_LIMIT } });
});
afterAll(() => world[Symbol.asyncDispose]());

/** Operations with a JSON body. Files that are uploaded are judged by test/server/exports/uploads.test.ts. */
const withBody = () =>
  world.operations.filter(({ name, described }) => described.requestBody && name !== 'POST /v1/uploads');
const judged = (status: number) => status < 500 && status !== 401 && status !== 403;

it('a body over the limit is 413 for every operation, packed ones are 415, and deep ones are refused', async () => {
  for (const operation of withBody()) {
    const ask = (body: string) => call(world, operation, bearer(world.ann.session), { body });
    expect((await ask(JSON.stringify({ x: 'x'.repeat(BODY_LIMIT) }))).status, operation.name).toBe(413);
    for (const deep of ['['.repeat(30_000), `${'['.repeat(20_000)}${']'.repeat(20_000)}`, '{"a":'.repeat(9_000)])
      expect((await ask(deep)).status, operation.name).toBe(422);
    const packed = await world.fixture.app.inject({
      method: operation.method,
      url: operation.path,
      headers: { ...bearer(world.ann.session), 'content-type': 'application/json', 'content-encoding': 'gzip' },
      payload: gzipSync(Buffer.alloc(10_000_000)),
    });
    // The length of the packed bytes is judged with or before what they are.
    expect([413, 415], operation.name).toContain(packed.statusCode);
  }
});

/** A value of a schema as long as a body may hold, or undefined where it is no text or list. */
function longest({ type, items, anyOf }: Schema & { items?: Schema; anyOf?: Schema[] }): unknown {
  const types = [type].flat();
  if (types.includes('array')) return Array(5_000).fill(items && longest(items) !== undefined ? 'elevation' : 1);
  if (types.includes('string')) return 'x'.repeat(60_000);
  return anyOf?.map(longest).find(value => value !== undefined);
}

it('texts and lists as long as a body are judged, never a fault, and cost nothing where they are refused', async () => {
  const usage = world.operations.find(({ name }) => name === 'GET /v1/users/me/usage')!;
  const used = async () => (await call(world, usage, bearer(world.ann.token))).json.credits_used as number;
  let refused = 0;
  for (const operation of withBody()) {
    const { properties = {} } = bodySchema(operation)!;
    for (const [key, schema] of Object.entries(properties)) {
      const value = longest(schema as Schema);
      if (value === undefined) continue;
      const body = { ...operation.entry.body, [key]: value };
      const before = await used();
      const { status, text } = await call(world, operation, bearer(world.ann.session), { body });
      expect(judged(status) || isGood(operation, status), `${operation.name} ${key}: ${status} ${text}`).toBe(true);
      if (status < 300) continue;
      refused++;
      expect(await used(), `${operation.name} ${key}`).toBe(before);
    }
  }
  expect(refused).toBeGreaterThan(10);
});

it('of many who give passwords at once two are worked on and a few wait, the others are told to come back', async () => {
  await using fixture = await openFixture();
  const gate = new Gate(2, { line: 3, patienceMs: null });
  const services = { ...signInServices(fixture.state, fixture.clock), gate };
  const here = new AbortController().signal;
  const tries = Array.from({ length: 9 }, (_, i) =>
    signInWithPassword(services, { email: `${i}@example.org`, password: 'x', ip: '192.0.2.9', signal: here }),
  );
  const answers = await Promise.all(tries);
  expect(answers.filter(answer => 'seconds' in answer)).toHaveLength(4);
  expect(answers.filter(answer => 'refused' in answer && answer.refused === 'wrong')).toHaveLength(5);
});

describeDoors('what is counted over all servers', kind => {
  const openLimited = async (accountRequests = 0, plan: Plan = 'free') =>
    openWorld({
      plan,
      rateLimit: true,
      cache: false,
      limits: { accountRequests },
      state: await kind.open(await kind.place()),
    });
  const named = ({ operations }: World, name: string) => operations.find(operation => operation.name === name)!;
  const isRevocation = ({ entry }: Operation) => entry.revokes === true;
  // Suggestions have a limit of their own too, which their own tests reach.
  const isTyping = ({ entry }: Operation) => entry.typing === true;

  it('every operation of accounts that takes no credentials back counts in the requests a minute of its account, and the next one is told when to come', async () => {
    // The least plan has fewer requests a minute than there are operations.
    const limited = await openLimited(0, 'build');
    const { operations, ann, bob } = limited;
    const counted = operations.filter(one => one.entry.callers !== 'anybody' && !isRevocation(one) && !isTyping(one));
    const limit = PLANS.build.requestsPerMinute;
    expect(counted.length).toBeLessThan(limit);
    for (const operation of counted) expect((await call(limited, operation, bearer(ann.session))).status).not.toBe(429);
    const usage = operations.find(({ name }) => name === 'GET /v1/users/me/usage')!;
    for (let i = counted.length; i < limit; i++)
      expect((await call(limited, usage, bearer(ann.token))).status, String(i)).toBe(200);
    // At once, because refusals of who goes on asking are held back for a second.
    const refusals = await Promise.all(counted.map(operation => call(limited, operation, bearer(ann.session))));
    for (const [i, { status, json, headers }] of refusals.entries()) {
      expect([status, json.detail.error], counted[i]!.name).toEqual([429, 'rate_limited']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await call(limited, usage, bearer(bob.token))).status).toBe(200);
    await limited.fixture.app.close();
  });

  it('the others, which take credentials back, count for each client in a limit of their own, and no token in that of sessions', async () => {
    const limited = await openLimited();
    const { operations, ann } = limited;
    const counted = operations.filter(isRevocation);
    expect(counted.map(({ name }) => name)).toEqual([
      'POST /v1/users/me/sign-out',
      'GET /v1/users/me/tokens',
      'DELETE /v1/users/me/tokens/{id}',
      'GET /v1/users/me/grants',
      'DELETE /v1/users/me/grants/{id}',
    ]);
    const client = { from: '192.0.2.1' };
    const { most } = LIMITS.revocations;
    const [list] = counted.filter(({ name }) => name === 'GET /v1/users/me/grants');
    for (let i = 0; i <= most; i++) await call(limited, list!, bearer(ann.token), client);
    for (const operation of counted)
      expect((await call(limited, operation, bearer(ann.session), client)).status).not.toBe(429);
    for (let i = counted.length; i < most; i++)
      expect((await call(limited, list!, bearer(ann.session), client)).status, String(i)).toBe(200);
    for (const operation of counted)
      for (const credential of [ann.session, ann.token]) {
        const { status, json, headers } = await call(limited, operation, bearer(credential), client);
        expect([status, json?.detail.error], operation.name).toEqual([429, 'rate_limited']);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      }
    expect((await call(limited, list!, bearer(ann.session))).status).toBe(200);
    expect((await call(limited, named(limited, 'GET /v1/users/me/usage'), bearer(ann.token))).status).toBe(200);
    await limited.fixture.app.close();
  });

  it('who stole a token and spends the minute, with as many requests at once as may be, does not hold its owner off', async () => {
    const limited = await openLimited(2);
    const { fixture, ann } = limited;
    const of = (name: string) => named(limited, name);
    const created = await call(limited, of('POST /v1/users/me/tokens'), bearer(ann.session));
    const stolen = created.json.token as string;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    fixture.engine.before = () => released;
    const held = [1, 2].map(() => call(limited, of('POST /v1/fetch'), bearer(stolen)));
    await expect.poll(() => fixture.engine.calls.length).toBe(2);
    const spend = () => call(limited, of('GET /v1/users/me/usage'), bearer(stolen));
    const busy = [await spend(), await call(limited, of('GET /v1/users/me/usage'), bearer(ann.session))];
    expect(busy.map(({ status }) => status)).toEqual([429, 429]);
    const listed = await call(limited, of('GET /v1/users/me/grants'), bearer(ann.session));
    expect(listed.json.grants.map(({ id }: { id: string }) => id)).toContain(created.json.id);
    release();
    await Promise.all(held);
    for (let i = 0; i < PLANS.free.requestsPerMinute; i++) await spend();
    expect((await spend()).json.detail.error).toBe('rate_limited');
    const revoke = { ids: { id: created.json.id as string } };
    const revoked = await call(limited, of('DELETE /v1/users/me/grants/{id}'), bearer(ann.session), revoke);
    expect(revoked.status).toBe(204);
    expect((await spend()).json.detail.error).toBe('auth_invalid');
    const out = { body: { everywhere: true } };
    expect((await call(limited, of('POST /v1/users/me/sign-out'), bearer(ann.session), out)).status).toBe(204);
    const after = await call(limited, of('GET /v1/users/me/grants'), bearer(ann.session));
    expect(after.json.detail.error).toBe('auth_revoked');
    await fixture.app.close();
  });

  // What a load asks for, and that no more is asked before somebody scrolls to it, test/web/flows/console-flows.long.test.ts shows.
  it('twenty loads of the console and a minute of its lists are within the free plan', async () => {
    const limited = await openLimited();
    const { ann } = limited;
    const credentials = ['grants', 'tokens'].map(part => `GET /v1/users/me/${part}`);
    const lists = ['GET /v1/runs', 'GET /v1/field-requests'];
    const look = async (names: readonly string[]) => {
      for (const name of names) {
        const { status } = await call(limited, named(limited, name), bearer(ann.session), { from: '192.0.2.1' });
        expect([name, status]).toEqual([name, 200]);
      }
    };
    for (let load = 0; load < 20; load++) await look([...credentials, 'GET /v1/users/me/usage', 'GET /v1/runs']);
    for (let tenSeconds = 0; tenSeconds < 6; tenSeconds++) await look(lists);
    await limited.fixture.app.close();
  });

  it('credits cannot be spent twice by asking at once', async () => {
    const own = await openWorld({ cache: false, state: await kind.open(await kind.place()) });
    const of = (name: string) => own.operations.find(operation => operation.name === name)!;
    await call(own, of('PATCH /v1/users/me/settings'), bearer(own.ann.session), { body: { monthly_credit_limit: 5 } });
    const fetches = Array.from({ length: 20 }, () => call(own, of('POST /v1/fetch'), bearer(own.ann.token)));
    const statuses = (await Promise.all(fetches)).map(({ status }) => status);
    expect(statuses.filter(status => status === 200)).toHaveLength(5);
    expect(statuses.filter(status => status === 402)).toHaveLength(15);
    await own.fixture.app.close();
  });
});
