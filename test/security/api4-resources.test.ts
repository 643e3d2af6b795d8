// OWASP API4:2023, unrestricted resource consumption: sizes, numbers and work that one request or one caller may ask for.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PLANS } from '../../server/plans.ts';
import { signInServices, signInWithPassword } from '../../server/provider/sign-in.ts';
import { openFixture } from '../server/service-fixture.ts';
import { describeStores } from '../server/state/state-stores.ts';
import { bearer, bodySchema, call, isGood, openWorld, type Schema, type World } from './world.ts';

const BODY_LIMIT = 65_536;

let world: World;
beforeAll(async () => {
  world = await openWorld({ limits: { bodyLimit: BODY_LIMIT } });
});
afterAll(() => world[Symbol.asyncDispose]());

const withBody = () => world.operations.filter(({ described }) => described.requestBody);
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

it('of many who give passwords at once two are worked on, the others are told to come back', async () => {
  await using fixture = await openFixture();
  const services = signInServices(fixture.state, fixture.clock);
  const tries = Array.from({ length: 9 }, (_, i) =>
    signInWithPassword(services, { email: `${i}@example.org`, password: 'x', ip: '192.0.2.9' }),
  );
  const answers = await Promise.all(tries);
  expect(answers.filter(answer => 'seconds' in answer)).toHaveLength(7);
  expect(answers.filter(answer => 'refused' in answer && answer.refused === 'wrong')).toHaveLength(2);
});

describeStores('what is counted over all servers', kind => {
  it('every operation of accounts counts in the requests a minute of its account, and the next one is told when to come', async () => {
    const limited = await openWorld({ plan: 'free', rateLimit: true, state: await kind.open(await kind.place()) });
    const { operations, ann, bob } = limited;
    const counted = operations.filter(({ entry }) => entry.callers !== 'anybody');
    const limit = PLANS.free.requestsPerMinute;
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
