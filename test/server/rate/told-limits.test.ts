import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { secret } from '../../security/logged.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ plan: 'free', rateLimit: true, guests: true, limits: { addressRequests: 64 } });
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const told = async (call: InjectOptions) => {
  const { statusCode, headers } = await fixture.app.inject(call);
  const { 'ratelimit-policy': policy, ratelimit } = headers;
  return { status: statusCode, policy, left: String(ratelimit).replaceAll(/;t=\d+/g, '') };
};

it('suggestions and what takes credentials back tell the limit that they count against', async () => {
  const url = '/v1/suggest?q=smith';
  for (const left of [599, 598])
    expect(await told({ url, headers: bearer(fixture.token) })).toEqual({
      status: 200,
      policy: '"suggestions";q=600;w=60',
      left: `"suggestions";r=${left}`,
    });
  const session = await fixture.embedded.issue('someone@example.org');
  expect(await told({ url: '/v1/users/me/tokens', headers: bearer(session) })).toEqual({
    status: 200,
    policy: '"revocations";q=120;w=60',
    left: '"revocations";r=119',
  });
  // That of the plan is another.
  expect((await told({ url: '/v1/users/me/usage', headers: bearer(fixture.token) })).left).toBe('"minute";r=59');
});

it('a guest is told the limit of the address and that of guests, up to the refusal', async () => {
  const remoteAddress = '192.0.2.9';
  const token = async () => told({ method: 'POST', url: '/v1/guest', remoteAddress });
  expect(await token()).toEqual({
    status: 200,
    policy: '"second";q=100;w=1, "guest-tokens";q=10;w=60',
    left: expect.stringMatching(/^"second";r=\d+, "guest-tokens";r=9$/),
  });
  const guest = secret(
    (await fixture.app.inject({ method: 'POST', url: '/v1/guest', remoteAddress: '192.0.2.8' })).json().token,
  );
  expect(await told({ url: '/v1/suggest?q=smith', headers: bearer(guest), remoteAddress })).toMatchObject({
    policy: '"second";q=100;w=1, "guest-suggestions";q=600;w=60',
  });
  for (let i = 0; i < 9; i++) await token();
  expect(await token()).toMatchObject({ status: 429, left: expect.stringContaining('"guest-tokens";r=0') });
});

it('a used-up limit is told as 0 with the refusal, and writes no more', async () => {
  const { attempts } = fixture.state;
  let takes = 0;
  const take = attempts.take.bind(attempts);
  attempts.take = async (...of) => {
    takes++;
    return take(...of);
  };
  const session = await fixture.embedded.issue('someone@example.org');
  const list = () => told({ url: '/v1/users/me/tokens', headers: bearer(session), remoteAddress: '192.0.2.7' });
  for (let i = 0; i < 120; i++) await list();
  takes = 0;
  for (let i = 0; i < 3; i++)
    expect(await list()).toEqual({ status: 429, policy: '"revocations";q=120;w=60', left: '"revocations";r=0' });
  expect(takes).toBe(1);
});
